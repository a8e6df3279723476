"""The floor of an index is measured on what an index really writes."""

from __future__ import annotations

from pathlib import Path

from bench.index_floor import floor_figures


def test_each_step_is_a_multiple_of_the_bare_parse(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    body = "".join(f"def total_{n}(items):\n    return sum(items) + {n}\n\n\n" for n in range(40))
    for number in range(8):
        (root / f"part_{number}.py").write_text(body)
    (root / "README.md").write_text("# Shop\n\nAdds up.\n")
    figures = floor_figures(root, tmp_path / "scratch")
    assert figures["parse"] == 1.0
    assert figures["parse and query"] > 1.0
    for step in ("full text", "tables", "compression", "messages", "vectors", "starts"):
        assert figures[step] > 0.0, step
