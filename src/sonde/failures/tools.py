"""The table of tools: a new tool is one new module and one line here."""

from __future__ import annotations

from sonde.failures import (
    cargo_test,
    dotnet,
    eslint,
    gcc,
    go_test,
    googletest,
    javac,
    jest,
    junit,
    minitest,
    mocha,
    mypy,
    node_test,
    phpunit,
    pyright,
    pytest_runs,
    rspec,
    ruff,
    rustc,
    tsc,
    unittest_runs,
    vitest,
    xctest,
)
from sonde.failures.tool import Tool

# Test runners first: their failures name a test, and a build's diagnostics explain them.
TOOLS: tuple[Tool, ...] = (
    pytest_runs.TOOL,
    unittest_runs.TOOL,
    jest.TOOL,
    vitest.TOOL,
    mocha.TOOL,
    node_test.TOOL,
    go_test.TOOL,
    cargo_test.TOOL,
    junit.TOOL,
    rspec.TOOL,
    minitest.TOOL,
    phpunit.TOOL,
    dotnet.TOOL,
    googletest.TOOL,
    xctest.TOOL,
    tsc.TOOL,
    mypy.TOOL,
    pyright.TOOL,
    eslint.TOOL,
    ruff.TOOL,
    gcc.TOOL,
    rustc.TOOL,
    javac.TOOL,
)
