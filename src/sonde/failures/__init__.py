"""Output of test runners, compilers and linters → which tests failed, where and why."""

from __future__ import annotations

from sonde.failures.parse import parse_output
from sonde.failures.report import Failure, FailureKind, FailureReport, Leads

__all__ = ["Failure", "FailureKind", "FailureReport", "Leads", "parse_output"]
