"""Serve: the engine over MCP, HTTP and a local socket. Converts at the edge, holds no logic."""
