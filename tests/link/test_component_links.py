"""Components link to what they use, and others to them."""

from __future__ import annotations

import pytest
from workspace import linked

from sonde.model import EdgeKind

CARD = '<script setup>\nimport { useRows } from "@/rows";\nconst rows = useRows();\n</script>\n'
FILES = {
    "package.json": '{"name": "shop"}',
    "src/rows.js": "export function useRows() {}\n",
    "src/parts/user-card.vue": CARD,
    "src/Orders.vue": """\
<template><user-card @pick="save"/><UserCard/>{{ total() }}</template>
<script>
import UserCard from "./parts/user-card";
import { save } from "./rows";
export default {
  methods: { total() { return this.load(); }, load() { return save(); }, save() {} },
};
</script>
""",
    "src/Page.svelte": '<script>\nimport Card from "$lib/Card.svelte";\n</script>\n<Card/>\n',
    "src/lib/Card.svelte": "<p/>",
    "src/index.js": 'import List from "./Orders.vue";\nexport const start = () => mount(List);\n',
}


@pytest.mark.parametrize(
    "edge",
    [
        "src/parts/user-card.vue -> src/rows.js:useRows",
        "src/Orders.vue -> src/parts/user-card.vue",
        "src/Orders.vue -> src/Orders.vue:Orders.total",
        "src/Orders.vue:Orders.total -> src/Orders.vue:Orders.load",
        "src/Page.svelte -> src/lib/Card.svelte",
    ],
)
def test_components_call_what_their_script_and_markup_use(edge: str) -> None:
    assert edge in linked(FILES).edges(EdgeKind.CALLS)


def test_a_bare_name_in_a_script_is_no_member_of_the_component() -> None:
    found = linked({**FILES, "src/rows.js": "export function save() {}\n"})
    calls = found.edges(EdgeKind.CALLS)
    assert "src/Orders.vue:Orders.load -> src/rows.js:save" in calls
    assert "src/Orders.vue:Orders.load -> src/Orders.vue:Orders.save" not in calls


def test_an_imported_component_is_the_file() -> None:
    found = linked(FILES).edges(EdgeKind.REFERENCES)
    assert "src/index.js:start -> src/Orders.vue" in found
