"""Serve agents, editors and tools over HTTP: MCP at /mcp, JSON at /v1."""
