"""The table of tools: a new tool is one new module and one line here."""

from __future__ import annotations

from sonde.failures import (
    cargo_test,
    dotnet,
    eslint,
    gcc,
    go_test,
    javac,
    jest,
    junit,
    mocha,
    mypy,
    phpunit,
    pyright,
    pytest_runs,
    rspec,
    ruff,
    rustc,
    tsc,
    unittest_runs,
    vitest,
)
from sonde.failures.tool import Tool

# Test runners first: their failures name a test, and a build's diagnostics explain them.
TOOLS: tuple[Tool, ...] = (
    pytest_runs.TOOL,
    unittest_runs.TOOL,
    jest.TOOL,
    vitest.TOOL,
    mocha.TOOL,
    go_test.TOOL,
    cargo_test.TOOL,
    junit.TOOL,
    rspec.TOOL,
    phpunit.TOOL,
    dotnet.TOOL,
    tsc.TOOL,
    mypy.TOOL,
    pyright.TOOL,
    eslint.TOOL,
    ruff.TOOL,
    gcc.TOOL,
    rustc.TOOL,
    javac.TOOL,
)
