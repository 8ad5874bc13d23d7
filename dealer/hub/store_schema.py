"""The tables of the server's database, and how those of older versions become them."""

from __future__ import annotations

from typing import Final

MIGRATIONS: Final = (
    """
CREATE TABLE accounts (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    salt BLOB NOT NULL,
    hash BLOB NOT NULL,
    created REAL NOT NULL,
    expires REAL,
    revoked REAL,
    matches_at_once INTEGER,
    hands_a_day INTEGER,
    hands_a_match INTEGER
);
CREATE TABLE bots (
    id INTEGER PRIMARY KEY,
    account INTEGER REFERENCES accounts,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    created REAL NOT NULL,
    failures INTEGER NOT NULL DEFAULT 0,
    probation TEXT
);
CREATE TABLE versions (
    id INTEGER PRIMARY KEY,
    bot INTEGER NOT NULL REFERENCES bots,
    label TEXT NOT NULL,
    digest TEXT NOT NULL,
    created REAL NOT NULL,
    UNIQUE (bot, label, digest)
);
CREATE TABLE matches (
    id INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    hands INTEGER NOT NULL,
    pairs INTEGER NOT NULL,
    rated INTEGER NOT NULL,
    first INTEGER NOT NULL REFERENCES versions,
    second INTEGER NOT NULL REFERENCES versions,
    secret BLOB NOT NULL,
    words TEXT NOT NULL,
    started REAL NOT NULL,
    ended REAL,
    state TEXT NOT NULL CHECK (state IN ('running', 'finished', 'forfeited', 'void')),
    detail TEXT NOT NULL DEFAULT '',
    culprit INTEGER REFERENCES versions,
    hands_played INTEGER NOT NULL DEFAULT 0,
    result TEXT
);
CREATE TABLE requests (
    id INTEGER PRIMARY KEY,
    version INTEGER NOT NULL REFERENCES versions,
    opponent TEXT,
    game TEXT NOT NULL,
    hands INTEGER NOT NULL,
    pairs INTEGER NOT NULL,
    rated INTEGER NOT NULL,
    words TEXT NOT NULL,
    queued REAL NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'matched', 'withdrawn', 'refused')),
    reason TEXT NOT NULL DEFAULT '',
    match INTEGER REFERENCES matches,
    last_match INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE legs (
    match INTEGER NOT NULL REFERENCES matches,
    number INTEGER NOT NULL,
    ending TEXT NOT NULL,
    detail TEXT NOT NULL,
    hands INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    PRIMARY KEY (match, number)
);
CREATE TABLE notices (
    id INTEGER PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts,
    at REAL NOT NULL,
    text TEXT NOT NULL
);
CREATE INDEX requests_by_state ON requests (state);
CREATE INDEX requests_by_version ON requests (version);
CREATE INDEX matches_by_state ON matches (state);
CREATE INDEX matches_by_first ON matches (first);
CREATE INDEX matches_by_second ON matches (second);
""",
    """
CREATE TABLE notes (
    name TEXT PRIMARY KEY,
    at REAL NOT NULL,
    text TEXT NOT NULL
);
""",
    """
ALTER TABLE requests ADD COLUMN seating TEXT;
ALTER TABLE requests ADD COLUMN seed INTEGER;
ALTER TABLE matches ADD COLUMN seed INTEGER;
CREATE INDEX requests_by_match ON requests (match);
""",
    """
ALTER TABLE matches ADD COLUMN keyed INTEGER NOT NULL DEFAULT 0;
""",
    """
ALTER TABLE requests ADD COLUMN keyed INTEGER NOT NULL DEFAULT 0;
""",
    """
ALTER TABLE requests ADD COLUMN words_sha256 TEXT NOT NULL DEFAULT '';
ALTER TABLE matches ADD COLUMN dealt INTEGER NOT NULL DEFAULT 1;
""",
    """
ALTER TABLE matches ADD COLUMN third INTEGER REFERENCES versions;
CREATE INDEX matches_by_third ON matches (third);
""",
)
"""Statements that make the next version of the schema of the one before, from an empty file on."""
