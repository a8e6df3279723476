"""Files of Vue, Svelte and Astro: their script and markup beside the facts they must give."""

from __future__ import annotations

import time

import pytest
from expect import facts_of, outline, survives_damage, symbol, uses

from sonde.model import Kind, RefKind
from sonde.sync.worker import facts_for_path

OPTIONS = """\
<template lang="html">
  <!-- <old-card/> -->
  <div title="<hidden-card/> {{ no }}">
    <user-card v-for="(row, i) of rows(i)" :key="row.id()" @pick="open = false; save($event)"/>
    <RouterLink :to="{ name: `it's ${label}` }">{{ format(total, "a > b") }}</RouterLink>
    <row-list #default="{ entry }">{{ entry.show() }} {{ missing( }}</row-list>
  </div>
</template>

<script>
import UserCard from "./UserCard.vue";
import { format } from "./format";

function helper() {}

export default {
  components: { UserCard },
  name: "order-list",
  data() { return { open: true }; },
  computed: { total() { return this.rows().length; } },
  watch: { total() { helper(); } },
  methods: {
    rows() { return helper(); },
    save: async (event) => helper(event),
  },
};
</script>

<style>.a { color: red; }</style>
"""

SETUP = """\
<script lang="ts">
export interface Row { id: number }
export const LIMIT = 3;
</script>

<script setup lang="ts" generic="T extends Map<string, Row>">
import { useRows } from "./rows";
import type { Row } from "./types";
const rows = useRows<Row>();
function save(row: Row): void { rows.put(row as Row); }
</script>

<template>
  <ÄPanel/>
  <Rows.Line v-for="row in rows.all()" @pick="save(row)" @drop="save"/>
</template>
"""

SVELTE = """\
<script context="module" lang="ts">
  export function preload(): void {}
</script>
<script lang="ts">
  import { rows, user } from "./stores";
  import Card from "./Card.svelte";
  let open = false;
  function save(row: Row) { $rows.add(row); }
</script>
{#if open}<p use:tooltip title="{label(1)}{unit(2)}">it's {$user.name()}</p>{/if}
{#each list(save) as row, i (row.id)}
  <Card {row} on:pick={() => {
    // don't stop
    save(row);
  }} />
{:else}{@html none()}{/each}
"""

ASTRO = """\
---
import Layout from "../Layout.astro";
const posts = await load();
---
<Layout title={label(1)}>{posts.map((post) => <Post.Card {...post} />)}</Layout>
<script>track("page");</script>
"""


def test_the_file_is_the_component_and_options_define_its_members() -> None:
    facts = facts_of("vue", OPTIONS, "views/orders.vue")
    component = facts.symbols[0]
    assert (component.kind, component.name) == (Kind.CLASS, "OrderList")
    assert (component.start_line, component.end_byte) == (1, len(OPTIONS))
    assert outline(facts) == [
        "function helper 14-14",
        "method OrderList.data 19-19",
        "method OrderList.total 20-20",
        "method OrderList.watch.total 21-21",
        "method OrderList.rows 23-23",
        "method OrderList.save 24-24",
    ]
    rows = symbol(facts, "OrderList.rows")
    assert OPTIONS[rows.start_byte : rows.end_byte] == "rows() { return helper(); }"
    assert not facts.diagnostics


def test_markup_uses_components_and_members() -> None:
    facts = facts_of("vue", OPTIONS, "views/orders.vue")
    assert uses(facts, "OrderList", RefKind.CALL) == [
        "OrderList|rows",
        "OrderList|save",
        "UserCard",
        "format",
        "RouterLink",
        "RowList",
    ]
    lines = {ref.name: ref.line for ref in facts.references if ref.scope == 0}
    assert (lines["UserCard"], lines["format"]) == (17, 5)  # its registration comes last


def test_both_scripts_of_a_component_are_read_at_their_lines() -> None:
    facts = facts_of("vue", SETUP, "parts/user-card.vue")
    assert facts.symbols[0].name == "UserCard"
    assert outline(facts) == [
        "interface Row 2-2",
        "field Row.id 2-2",
        "constant LIMIT 3-3",
        "variable rows 9-9",
        "function save 10-10",
    ]
    save = symbol(facts, "save")
    assert SETUP.encode()[save.start_byte : save.end_byte].startswith(b"function save(row: Row)")
    assert [(each.module, each.name, each.line) for each in facts.imports] == [
        ("./rows", "useRows", 7),
        ("./types", "Row", 8),
    ]
    assert uses(facts, "UserCard", RefKind.CALL) == ["useRows", "rows|all", "save", "Rows|Line"]
    assert uses(facts, "UserCard", RefKind.NAME) == ["save"]
    assert not facts.diagnostics


def test_braces_of_svelte_are_expressions() -> None:
    facts = facts_of("svelte", SVELTE, "routes/+page.svelte")
    assert facts.symbols[0].name == "Page"
    assert [each for each in outline(facts) if "function" in each] == [
        "function preload 2-2",
        "function save 8-8",
    ]
    assert uses(facts, "Page", RefKind.CALL) == [
        "label",
        "unit",
        "user|name",
        "tooltip",
        "list",
        "Card",
        "save",
        "none",
    ]
    assert uses(facts, "Page", RefKind.NAME) == ["open", "save"]
    assert uses(facts, "save", RefKind.CALL) == ["rows|add"]
    assert not facts.diagnostics


def test_the_fenced_code_of_astro_is_typescript() -> None:
    facts = facts_of("astro", ASTRO, "pages/index.astro")
    assert facts.symbols[0].name == "Pages"
    assert uses(facts, "Pages", RefKind.CALL) == ["load", "label", "Layout", "Post|Card", "track"]
    assert outline(facts) == ["variable posts 3-3"]


def test_a_class_that_is_exported_is_the_component() -> None:
    facts = facts_of(
        "vue",
        "<template><Row/></template>\n"
        '<script lang="ts">\nexport default class Cart extends Vue { total() {} }\n</script>\n',
        "cart.vue",
    )
    assert facts.symbols[0].kind is Kind.MODULE
    assert outline(facts) == ["class Cart 3-3", "method Cart.total 3-3"]
    assert uses(facts, "Cart", RefKind.CALL) == ["Row"]


@pytest.mark.parametrize(
    "source",
    [
        "",
        "<template></template>",
        '<script src="./cart.js" />\n<template><A/></template>',
        "<script>\nfunction open() {",
        '<template lang="pug">\ndiv(@click="save(1)")\n</template>',
        '<script lang="coffee">\nsave = -> 1\n</script>',
    ],
)
def test_a_component_without_a_script_to_read_is_one(source: str) -> None:
    facts = facts_of("vue", source, "order.vue")
    assert (facts.symbols[0].name, facts.symbols[0].kind) == ("Order", Kind.CLASS)
    assert all(ref.name == "A" for ref in facts.references)


@pytest.mark.parametrize("source", [OPTIONS, SETUP])
def test_stored_facts_of_a_component_are_renamed_with_its_file(source: str) -> None:
    source = source.replace('  name: "order-list",\n', "")
    stored = facts_of("vue", source, "views/orders.vue")
    assert facts_for_path(stored, "views/cart/index.vue") == facts_of(
        "vue", source, "views/cart/index.vue"
    )


@pytest.mark.parametrize(
    ("language", "source"),
    [("vue", OPTIONS), ("vue", SETUP), ("svelte", SVELTE), ("astro", ASTRO)],
)
def test_damaged_components_are_read(language: str, source: str) -> None:
    survives_damage(language, source)


@pytest.mark.parametrize("language", ["vue", "svelte", "astro"])
@pytest.mark.parametrize("piece", ["<script ", '<a x="', "{{ a", "{`", "{#each as ", "<!--", "{ "])
def test_many_openings_cost_no_more_than_their_bytes(language: str, piece: str) -> None:
    started = time.process_time()
    facts_of(language, f"<template>{piece * 30_000}</template>")
    assert time.process_time() - started < 2
