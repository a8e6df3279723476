"""The commands that run tests of Go, Rust, Ruby and PHP: each in the folder of its own package."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from sonde.answers.folders import holds, in_folder, nearest, quoted
from sonde.answers.results import TestCase
from sonde.retrieve.view import View

_GEMS = ("Gemfile", "gems.rb")
MOST_NODES = 30  # individual tests in one command; beyond that, whole files or packages


def go_commands(view: View, cases: Sequence[TestCase]) -> list[str]:
    """One command for each package, in the folder of its module."""
    packages: dict[tuple[str, str], set[str]] = {}
    for case in cases:
        module, folder = nearest(view, case.file, "go.mod"), case.file.rpartition("/")[0]
        inner = folder[len(module) :].strip("/")
        names = packages.setdefault((module, f"./{inner}" if inner else "."), set())
        names.add("" if case.node == case.file else case.node)
    return [
        in_folder(module, f"go test {shlex.quote(package)}{_go_choice(packages[module, package])}")
        for module, package in sorted(packages)
    ]


def _go_choice(names: set[str]) -> str:
    """The options that choose tests of a package; benchmarks run only where nothing else does."""
    tests = {name for name in names if not name.startswith("Benchmark")}
    if not tests:
        return f" -run '^$' -bench {_go_pattern(names)}"
    if "" in tests or len(tests) > MOST_NODES:  # "": the whole package
        return ""
    return f" -run {_go_pattern(tests)}"


def _go_pattern(names: set[str]) -> str:
    return shlex.quote(f"^({'|'.join(sorted(names))})$")


def rust_commands(view: View, cases: Sequence[TestCase]) -> list[str]:
    """One command for each crate: from the root of a workspace only the root's own is tested."""
    found = []
    for crate, own in _by_folder(view, cases, "Cargo.toml").items():
        names = sorted({case.node.rpartition(".")[2] for case in own if case.node != case.file})
        chosen = f" -- {' '.join(map(shlex.quote, names))}" if 0 < len(names) <= MOST_NODES else ""
        found.append(in_folder(crate, f"cargo test{chosen}"))
    return found


def ruby_commands(view: View, cases: Sequence[TestCase]) -> list[str]:
    """RSpec for specs; other tests by the application's own runner, else one by one."""
    found = []
    for folder, own in _by_folder(view, cases, *_GEMS).items():
        files = [case.file for case in own]
        specs = [file for file in files if file.endswith("_spec.rb")]
        units = sorted(set(files) - set(specs))
        if specs:
            found.append(in_folder(folder, f"bundle exec rspec {quoted(folder, specs)}"))
        if units and holds(view, folder, "bin/rails"):
            found.append(in_folder(folder, f"bin/rails test {quoted(folder, units)}"))
        else:
            found += [in_folder(folder, _ruby(view, folder, each)) for each in units]
    return found


def _ruby(view: View, folder: str, file: str) -> str:
    """One file by itself, with the code and the helpers of the tests where `require` finds them."""
    path = quoted(folder, [file])
    first, _, rest = path.partition("/")
    bundled = "bundle exec " if holds(view, folder, *_GEMS) else ""
    return f"{bundled}ruby -I{f'lib:{first}' if rest else 'lib'} {path}"


def php_commands(view: View, cases: Sequence[TestCase]) -> list[str]:
    """Pest for all files at once, PHPUnit file by file."""
    found = []
    for folder, own in _by_folder(view, cases, "composer.json").items():
        files = sorted({case.file for case in own})
        manifest = f"{folder}/composer.json" if folder else "composer.json"
        if view.file_at(manifest) and b'"pestphp/pest"' in view.text(manifest):
            found.append(in_folder(folder, f"vendor/bin/pest {quoted(folder, files)}"))
        else:
            each_alone = (f"vendor/bin/phpunit {quoted(folder, [file])}" for file in files)
            found += [in_folder(folder, command) for command in each_alone]
    return found


def _by_folder(view: View, cases: Sequence[TestCase], *manifests: str) -> dict[str, list[TestCase]]:
    found: dict[str, list[TestCase]] = {}
    for case in cases:
        found.setdefault(nearest(view, case.file, *manifests), []).append(case)
    return dict(sorted(found.items()))
