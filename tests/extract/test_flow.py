"""JavaScript with Flow's types beside the facts it must give."""

from __future__ import annotations

import pytest
from expect import facts_of, outline, survives_damage, symbol, uses

from sonde.model import RefKind

SOURCE = """\
#!/usr/bin/env node
/**
 * Licence.
 *
 * @flow strict-local
 */
'use strict';
import type {Readable} from 'stream';
import typeof Api from './api';
import {type Opts, make} from './opts';
export type * from './types';
export opaque type Id: string = string;
declare export function declared(x: string): void;

type Job = {|
  +name: string,
  -size?: ?number,
  ...Opts<Readable>,
  run: (Array<Job>, ?string) => Promise<void>,
  load?: ({|id: Id, ...Base|}) => void,
  end: Error => mixed,
  ...
|};

export default class Farm<+T> extends Base<T> implements Cache {
  static +limit: number = 3;
  jobs: Map<Id, {[string]: Job, ...}>;
  stop: ?() => Promise<void>;
  constructor(opts: {|...Opts<T>, max?: number|}) { super(); this.opts = {...opts}; }
  async run(job: Job, done: ?(string) => void): Promise<?T> {
    for (let each: Job of this.jobs.values()) {
      if (each) { call(...job.args); }
    }
    try { return (await make(job): any); } catch (error) { throw new Failure(error); }
  }
  get size(): number { return this.list.map(symbol => { return symbol.size; }).length; }
  delete(id: Id): boolean %checks { return !!id; }
}
export const view = ({size, ...rest}: Props): Node => <Panel {...rest} size={size} />;
"""


def test_bug_files_with_flow_types_lost_their_symbols() -> None:
    facts = facts_of("javascript", SOURCE)
    assert facts.language == "javascript"
    assert not facts.diagnostics
    assert outline(facts) == [
        "type alias Id 12-12",
        "function declared 13-13",
        "type alias Job 15-23",
        "field Job.load 20-20",
        "class Farm 25-38",
        "field Farm.limit 26-26",
        "field Farm.jobs 27-27",
        "field Farm.stop 28-28",
        "constructor Farm.constructor 29-29",
        "field Farm.opts 29-29",
        "method Farm.run 30-35",
        "property Farm.size 36-36",
        "method Farm.delete 37-37",
        "function view 39-39",
    ]


def test_flow_imports_signatures_and_uses_are_those_of_the_source() -> None:
    facts = facts_of("javascript", SOURCE)
    assert [(each.module, each.name, each.alias) for each in facts.imports if each.module] == [
        ("stream", "Readable", "Readable"),
        ("./api", "default", "Api"),
        ("./opts", "Opts", "Opts"),
        ("./opts", "make", "make"),
        ("./types", "*", "*"),
    ]
    run = symbol(facts, "Farm.run")
    assert run.signature == "async run(job: Job, done: ?(string) => void): Promise<?T>"
    assert [(each.name, each.type) for each in run.params] == [
        ("job", "Job"),
        ("done", "?(string) => void"),
    ]
    assert symbol(facts, "Farm").bases == ("Base", "Cache")
    assert uses(facts, "view", RefKind.CALL) == ["Panel"]
    assert {"Opts", "Readable", "Error", "Array", "Base"} <= set(uses(facts, "Job", RefKind.TYPE))


@pytest.mark.parametrize(
    ("start", "read"),
    [
        ("// @flow\n", True),
        ("/* @flow strict */\n", True),
        ("'use strict';\n// eslint-disable\n/**\n * Licence.\n * @flow\n */\n", True),
        ("const x = 1; // @flow\n", False),
        ("// @flowering\n", False),
    ],
)
def test_a_comment_before_the_code_says_that_a_file_has_flow_types(start: str, read: bool) -> None:
    facts = facts_of("javascript", start + "class Farm { run(id: Id): ?Job {} }\n")
    assert (not facts.diagnostics) is read


@pytest.mark.parametrize(
    "code",
    [
        "const f = {...a(), b: [...c], d: (e) => ({...e})};",
        "call(x, (...args) => g(...args), (number) => { h(number); });",
        "const t = a ? (b) : -c, u = [-d, +e], re = /(?<name>x)|(?:'y')/;",
        "const v = <A b={c} {...d}>{'...'}</A>;",
        "list.map((any) => any.some(string => { return string; }));",
        "const s = '{|+a: ?b|}', w = `({|${x}|}) => y`;",
    ],
)
def test_values_in_a_file_with_flow_types_are_read_as_before(code: str) -> None:
    mended = facts_of("javascript", f"// @flow\n{code}\ntype A = {{+a: string}};\n")
    assert not mended.diagnostics
    plain = facts_of("javascript", f"// read as it is\n{code}\n")
    calls = [[each for each in f.references if each.kind is RefKind.CALL] for f in (mended, plain)]
    assert [each._replace(scope=0) for each in calls[0]] == [
        each._replace(scope=0) for each in calls[1]
    ]
    names = [{each.qualname for each in f.symbols} for f in (mended, plain)]
    assert names[0] - {"A"} == names[1]


def test_damaged_flow_types_never_raise() -> None:
    survives_damage("javascript", SOURCE)
    survives_damage("javascript", "// @flow\n" + "(" * 300 + "{|" * 300 + "..." * 300 + "=>" * 300)


BROKEN = """\
class Queue {
  add(item: Item): void {
    if (this.full) { this.drop(); }
    for (const each of this.all) { each.run(); }
    try { this.run(item); } catch (error) { report(error); }
    switch (item) { default: }
  }
"""


@pytest.mark.parametrize("language", ["javascript", "typescript", "tsx"])
@pytest.mark.parametrize("cut", range(0, len(BROKEN), 7))
def test_bug_statements_of_broken_files_became_methods(language: str, cut: int) -> None:
    text = BROKEN[:cut] + " ]) " + BROKEN[cut:]
    names = {each.name for each in facts_of(language, text).symbols}
    assert not names & {"if", "for", "catch", "switch", "return", "try"}


@pytest.mark.parametrize("language", ["javascript", "typescript"])
def test_members_may_be_named_like_statements(language: str) -> None:
    text = "class Later { catch(f) {} for(key) {} }\nclass Half { run( }\n"
    names = {each.qualname for each in facts_of(language, text).symbols}
    assert {"Later.catch", "Later.for"} <= names
