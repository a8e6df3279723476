"""The schema, as numbered steps that are only ever appended to."""

from __future__ import annotations

import sqlite3

from sonde.store.errors import ProblemKind, StoreError

_FIRST = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE files(
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    language TEXT NOT NULL,
    kind TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,      -- 0: too fresh to be trusted, look at the content next time
    hash BLOB,
    skip TEXT,
    detail TEXT,
    package TEXT NOT NULL DEFAULT '',
    module INTEGER NOT NULL DEFAULT 0,
    generation INTEGER NOT NULL DEFAULT 0,
    imports BLOB
);
CREATE INDEX files_package ON files(package) WHERE package != '';
CREATE TABLE symbols(
    id INTEGER PRIMARY KEY,
    file INTEGER NOT NULL,
    position INTEGER NOT NULL,      -- index among the file's symbols
    parent INTEGER NOT NULL,
    name TEXT NOT NULL,
    qualname TEXT,                  -- NULL: the same as name
    kind INTEGER NOT NULL,
    start_line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    start_byte INTEGER NOT NULL,
    end_byte INTEGER NOT NULL,
    visibility INTEGER NOT NULL,
    signature TEXT,
    doc TEXT,
    owner TEXT,
    returns TEXT,
    bases BLOB,
    decorators BLOB,
    params BLOB
);
CREATE INDEX symbols_name ON symbols(name COLLATE NOCASE);
CREATE INDEX symbols_file ON symbols(file, position);
CREATE INDEX symbols_owner ON symbols(owner) WHERE owner IS NOT NULL;
CREATE TABLE sketches(bucket INTEGER NOT NULL, symbol INTEGER NOT NULL, words BLOB NOT NULL);
CREATE INDEX sketches_bucket ON sketches(bucket);
CREATE INDEX sketches_symbol ON sketches(symbol);
CREATE TABLE manifests(path TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE chunks(
    id INTEGER PRIMARY KEY,
    file INTEGER NOT NULL,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    start_line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    start_byte INTEGER NOT NULL,
    end_byte INTEGER NOT NULL,
    context TEXT NOT NULL
);
CREATE INDEX chunks_file ON chunks(file);
CREATE TABLE links(
    file INTEGER PRIMARY KEY,
    edges BLOB NOT NULL,
    unresolved BLOB NOT NULL,
    leaves BLOB NOT NULL,
    consulted BLOB NOT NULL
);
"""

# Texts that repeat each other are no longer kept twice, and sketches take half the room.
_SECOND = """
DROP TABLE symbols;
DROP TABLE sketches;
CREATE TABLE symbols(
    id INTEGER PRIMARY KEY,
    file INTEGER NOT NULL,
    position INTEGER NOT NULL,      -- index among the file's symbols
    parent INTEGER NOT NULL,
    name TEXT NOT NULL,
    qualifier TEXT,                 -- of the qualified name; NULL: the name is all
    kind INTEGER NOT NULL,
    start_line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    start_byte INTEGER NOT NULL,
    end_byte INTEGER NOT NULL,
    visibility INTEGER NOT NULL,
    signature TEXT,
    doc TEXT,
    owner TEXT,
    returns TEXT,
    bases TEXT,
    decorators TEXT,
    params TEXT
);
CREATE TABLE sketches(bucket INTEGER NOT NULL, symbol INTEGER NOT NULL, words BLOB NOT NULL);
"""

# What functions and types mean, a row of numbers each, and which symbols the rows are about.
_THIRD = """
CREATE TABLE vectors(file INTEGER PRIMARY KEY, symbols BLOB NOT NULL, rows BLOB NOT NULL);
"""

# Interfaces that types satisfy without naming them, by a word that such a type must know.
_FOURTH = """
CREATE TABLE contracts(
    word TEXT NOT NULL,
    file INTEGER NOT NULL,
    symbol INTEGER NOT NULL,
    methods TEXT NOT NULL
);
CREATE INDEX contracts_word ON contracts(word);
CREATE INDEX contracts_file ON contracts(file);
"""

# Symbols lie together file by file, compressed; what they are looked up by has tables of its own.
_FIFTH = """
DROP TABLE symbols;
DROP TABLE sketches;
CREATE TABLE symbols(
    file INTEGER PRIMARY KEY,
    first INTEGER NOT NULL,         -- id of the first symbol
    count INTEGER NOT NULL,
    ids BLOB,                       -- NULL: they follow the first
    places BLOB NOT NULL,           -- these two as extract.symbol_codec writes them
    texts BLOB NOT NULL,
    sketches BLOB                   -- of its callables, if there are any
);
CREATE TABLE names(name TEXT COLLATE NOCASE, id INTEGER, PRIMARY KEY (name, id)) WITHOUT ROWID;
CREATE TABLE owners(owner TEXT, file INTEGER, PRIMARY KEY (owner, file)) WITHOUT ROWID;
CREATE TABLE buckets(bucket INTEGER, file INTEGER, PRIMARY KEY (bucket, file)) WITHOUT ROWID;
"""

_SECOND_INDEXES = {
    "symbols_name": "symbols(name COLLATE NOCASE)",
    "symbols_file": "symbols(file, position)",
    "symbols_owner": "symbols(owner) WHERE owner IS NOT NULL",
    "sketches_bucket": "sketches(bucket)",
    "sketches_symbol": "sketches(symbol)",
}

MIGRATIONS: tuple[str, ...] = (
    _FIRST,
    _SECOND + "".join(f"CREATE INDEX {name} ON {on};\n" for name, on in _SECOND_INDEXES.items()),
    _THIRD,
    _FOURTH,
    _FIFTH,
)


def migrate(database: sqlite3.Connection) -> None:
    """Bring a database to the newest schema; refuse one that a newer version wrote."""
    version = database.execute("PRAGMA user_version").fetchone()[0]
    if version > len(MIGRATIONS):
        raise StoreError(
            ProblemKind.NEWER,
            f"the index was written by a newer sonde (schema {version}, this one knows "
            f"{len(MIGRATIONS)}): upgrade sonde, or run 'sonde forget' and index again",
        )
    for number, script in enumerate(MIGRATIONS[version:], start=version + 1):
        database.executescript(f"BEGIN IMMEDIATE; {script} PRAGMA user_version = {number}; COMMIT;")
