"""What the server knows, in one SQLite file: accounts, bots, requests, matches, legs, notices.

Each method is one transaction, on the disk when it returns (write-ahead log, full synchronisation),
so a server that is killed at any moment resumes what it has acknowledged.  The hands of a
match lie in its logs and are not repeated here.  Times are seconds since 1970 by the wall clock,
for people; nothing is ordered by them, but by the numbers that rows get when they are written.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, TypeVar

from dealer.hub.errors import DamagedStore, ServerError, StoreFault
from dealer.hub.store_schema import MIGRATIONS
from dealer.hub.tokens import TokenHash

DATABASE_NAME: Final = "server.sqlite"
_BUSY_SECONDS: Final = 10.0
_OWNER_ONLY: Final = 0o600
_ROWS_AT_ONCE: Final = 1000
_DAMAGED: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
CONFIG_READ: Final = "config read"
"""Name of the note of when the server last took over its config."""
CONFIG_FAULT: Final = "config fault"
"""Of what was wrong with it since."""

_KINDS: Final[dict[str, tuple[type, ...]]] = {
    "int": (int,),
    "bool": (int,),
    "float": (int, float),
    "str": (str,),
    "bytes": (bytes,),
    "None": (type(None),),
}
_Row = TypeVar("_Row")


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody who owns bots; None of a quota is the server's usual one."""

    id: int
    name: str
    salt: bytes
    hash: bytes
    created: float
    expires: float | None
    revoked: float | None
    matches_at_once: int | None
    hands_a_day: int | None
    hands_a_match: int | None

    @property
    def token_hash(self) -> TokenHash:
        """What is stored of the token."""
        return TokenHash(self.salt, self.hash)

    def is_open(self, now: float) -> bool:
        """Return whether its token counts at a time."""
        return self.revoked is None and (self.expires is None or now < self.expires)


@dataclass(frozen=True, slots=True)
class BotVersion:
    """What results belong to: a bot, the label of its version, and the digest of its program."""

    id: int
    bot: int
    account: int | None
    """None: a bot of the house."""
    owner: str | None
    name: str
    label: str
    digest: str
    failures: int
    """Matches in a row that it forfeited."""
    probation: str | None
    """Why the bot plays nothing at present; None: it does."""


@dataclass(frozen=True, slots=True)
class MatchRequest:
    """A match that somebody asked for."""

    id: int
    version: int
    opponent: str | None
    """Name of a bot; None: whoever helps most."""
    game: str
    hands: int
    """Of a leg."""
    pairs: bool
    rated: bool
    words: str
    """Of the one who asked, for the deals; "" before they are said."""
    queued: float
    state: str
    reason: str
    match: int | None
    last_match: int = 0
    """Number of the last match that its owner got for a request made before it; 0: none."""
    seating: str | None = None
    """Versions in seat order, as the one who asked has them, JSON; None: see `opponent`."""
    seed: int | None = None
    """Of the deals, as a client of the ACPC port has it; None: somebody else asked."""
    keyed: bool = False
    """Whether that client left it to the server."""
    words_sha256: str = ""
    """Of words that are said once the server has bound itself to its secret, hexadecimal; "": there
    are no such."""

    @property
    def seats(self) -> tuple[int, ...] | None:
        """Versions in seat order, None where the server says who sits where."""
        if self.seating is None:
            return None
        return tuple(json.loads(self.seating))


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match that was begun."""

    id: int
    game: str
    hands: int
    """Of a leg."""
    pairs: bool
    rated: bool
    first: int
    """Version in seat 1 of leg 0."""
    second: int
    secret: bytes
    words: str
    started: float
    ended: float | None
    state: str
    detail: str
    culprit: int | None
    """Version that forfeited it."""
    hands_played: int
    result: str | None
    """JSON, see `dealer.hub.match_results`."""
    seed: int | None = None
    """Of the deals, where a client of the ACPC port asked for them; None: somebody else did."""
    keyed: bool = False
    """Whether the deals are of the key of secret and words; else they are of `seed`, and where that
    is None of a seed of secret and words, as earlier servers had it."""
    dealt: bool = True
    """Whether the words are all, so that the deals are what they are."""
    third: int | None = None
    """Version in the third seat of a match of three, which has one leg and is never rated."""

    @property
    def versions(self) -> tuple[int, ...]:
        """Who plays, in the seat order of leg 0."""
        pair = self.first, self.second
        return pair if self.third is None else (*pair, self.third)

    @property
    def shown_seed(self) -> int | None:
        """The seed that a client has chosen; None: the deals follow from secret and words."""
        return None if self.keyed else self.seed


@dataclass(frozen=True, slots=True)
class LegRecord:
    """A leg that is over."""

    match: int
    number: int
    ending: str
    detail: str
    hands: int
    sha256: str


_COLUMN_KINDS: Final[dict[type, dict[str, tuple[type, ...]]]] = {
    record: {
        field.name: tuple(kind for name in str(field.type).split(" | ") for kind in _KINDS[name])
        for field in fields(record)
    }
    for record in (Account, BotVersion, MatchRequest, StoredMatch, LegRecord)
}
"""Which types the values of a record's columns have."""


class Store:
    """The database; one thread at a time."""

    def __init__(self, folder: Path) -> None:
        """Open it, make it where there is none, and bring an older one up to date.

        Raises:
            DamagedStore: it is no database, or a damaged one.
            ServerError: it is a newer version's, or cannot be read or written.
        """
        self.path: Final = folder / DATABASE_NAME
        try:
            self._database = sqlite3.connect(
                self.path, _BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            self.path.chmod(_OWNER_ONLY)
            self._database.row_factory = sqlite3.Row
            for setting in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
                self._database.execute(f"PRAGMA {setting}")
            self._migrate()
        except UnicodeDecodeError as error:  # a message of SQLite has bytes of the file
            raise self._damage("its schema is no text") from error
        except (sqlite3.Error, OSError) as error:
            if getattr(error, "sqlite_errorcode", None) in _DAMAGED:
                raise self._damage(str(error)) from error
            raise ServerError(f"{self.path}: {error}") from error

    def _damage(self, reason: str) -> DamagedStore:
        return DamagedStore(
            f"{self.path}: damaged ({reason}); a file of arena server backup in its place, "
            "without those that end in -wal and -shm, brings back what it has"
        )

    def look_for_damage(self) -> None:
        """Look through the whole file, which takes seconds a gigabyte.

        Raises:
            DamagedStore: it is damaged.
            StoreFault: it cannot be read at present.
        """
        try:
            ((line,),) = self._database.execute("PRAGMA quick_check(1)").fetchall()
            lost = self._lost_rows()
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", None) in _DAMAGED:
                raise self._damage(str(error)) from error
            raise StoreFault(f"{self.path}: {error}") from error
        if line != "ok" or lost:
            raise self._damage(" ".join(str(line).split()) if line != "ok" else lost[0])

    def _migrate(self) -> None:
        version: int = self._database.execute("PRAGMA user_version").fetchone()[0]
        if version > len(MIGRATIONS):
            raise ServerError(
                f"{self.path}: its schema is version {version}, this program knows "
                f"{len(MIGRATIONS)}; it was written by a newer one"
            )
        for number, statements in enumerate(MIGRATIONS[version:], version + 1):
            self._database.executescript(
                f"BEGIN IMMEDIATE; {statements} PRAGMA user_version = {number}; COMMIT;"
            )

    def close(self) -> None:
        """Close it."""
        self._database.close()

    def check(self) -> list[str]:
        """Return what is wrong with the file, in lines; [] where nothing is."""
        try:
            lines = [row[0] for row in self._database.execute("PRAGMA integrity_check")]
            lost = self._lost_rows()
        except sqlite3.Error as error:
            return [f"{self.path}: {error}"]
        return [line for line in lines if line != "ok"] + lost

    def _lost_rows(self) -> list[str]:
        """Return a line for each row that names one which is not there.  Raises sqlite3.Error."""
        return [
            f"{row[0]}: row {row[1]} names a row of {row[2]} that is not there"
            for row in self._database.execute("PRAGMA foreign_key_check")
        ]

    def back_up(self, path: Path) -> None:
        """Write a copy of the database, of one moment, while others write.

        Raises:
            ServerError: it cannot be written.
        """
        try:
            copy = sqlite3.connect(path)
            try:
                path.chmod(_OWNER_ONLY)
                self._database.backup(copy)
            finally:
                copy.close()
        except (sqlite3.Error, OSError) as error:
            raise ServerError(f"{path}: {error}") from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Give the database for one transaction; after an exception nothing is changed.

        Raises:
            ServerError: it cannot be written, as when the disk is full.
        """
        try:
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._database
            except BaseException:
                self._database.execute("ROLLBACK")
                raise
            self._database.execute("COMMIT")
        except sqlite3.IntegrityError:
            raise
        except sqlite3.Error as error:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            raise StoreFault(f"{self.path}: {error}") from error

    def _rows(self, kind: type[_Row], query: str, *values: object) -> list[_Row]:
        kinds = _COLUMN_KINDS[kind]
        try:
            rows = [{name: row[name] for name in kinds} for row in self._query(query, *values)]
        except IndexError as error:  # of a damaged schema
            raise self._damage(f"a {kind.__name__} lacks a column") from error
        for row in rows:
            for name, wanted in kinds.items():
                if not isinstance(row[name], wanted):
                    raise self._damage(f"a {kind.__name__} has no {name}")
        return [kind(**row) for row in rows]

    def _query(self, query: str, *values: object) -> list[sqlite3.Row]:
        """Return the rows of a query.  Raises StoreFault."""
        try:
            return self._database.execute(query, values).fetchall()
        except (sqlite3.Error, UnicodeDecodeError) as error:  # of a damaged text
            raise StoreFault(f"{self.path}: {error}") from error

    # Accounts.

    def add_account(self, name: str, token: TokenHash, now: float, **quotas: int | None) -> Account:
        """Add an account.

        Raises:
            ServerError: the name is taken.
        """
        columns = {
            "name": name,
            "salt": token.salt,
            "hash": token.hash,
            "created": now,
            **quotas,
        }
        try:
            with self._writing() as database:
                _insert(database, "accounts", columns)
        except sqlite3.IntegrityError:
            raise ServerError(f"there is an account called {name}") from None
        return self.account(name)

    def change_account(self, name: str, **columns: object) -> Account:
        """Change columns of an account.  Raises ServerError: there is none of that name."""
        account = self.account(name)
        setting = ", ".join(f"{column} = ?" for column in columns)
        with self._writing() as database:
            database.execute(
                f"UPDATE accounts SET {setting} WHERE id = ?", (*columns.values(), account.id)
            )
        return self.account(name)

    def account(self, name: str) -> Account:
        """Return the account of a name.  Raises ServerError: there is none."""
        rows = self._rows(Account, "SELECT * FROM accounts WHERE name = ?", name)
        if not rows:
            raise ServerError(f"there is no account called {name}")
        return rows[0]

    def accounts(self) -> list[Account]:
        """Return all accounts, in the order in which they were added."""
        return self._rows(Account, "SELECT * FROM accounts ORDER BY id")

    # Bots and their versions.

    def version(
        self, account: int | None, name: str, label: str, digest: str, now: float
    ) -> BotVersion:
        """Return a version of a bot; bot and version are added where they are new.

        Args:
            account: whose bot it is; None: the house's.

        Raises:
            ServerError: the name is that of somebody else's bot.
        """
        with self._writing() as database:
            bot = database.execute(
                "SELECT id, account FROM bots WHERE name = ?", (name,)
            ).fetchone()
            if bot is None:
                columns = {"account": account, "name": name, "created": now}
                number = _insert(database, "bots", columns)
            elif bot["account"] != account:
                raise ServerError(f"{name} is somebody else's bot")
            else:
                number = bot["id"]
            database.execute(
                "INSERT OR IGNORE INTO versions (bot, label, digest, created) VALUES (?, ?, ?, ?)",
                (number, label, digest, now),
            )
        where = "v.bot = ? AND v.label = ? AND v.digest = ?"
        return self._versions(where, number, label, digest)[0]

    def versions(self) -> list[BotVersion]:
        """Return all versions of all bots, the oldest first."""
        return self._versions("1")

    def _versions(self, where: str, *values: object) -> list[BotVersion]:
        return self._rows(
            BotVersion,
            "SELECT v.id, v.bot, b.account, a.name AS owner, b.name, v.label, v.digest, "
            "b.failures, b.probation FROM versions v JOIN bots b ON b.id = v.bot "
            f"LEFT JOIN accounts a ON a.id = b.account WHERE {where} ORDER BY v.id",
            *values,
        )

    def set_failures(self, bot: int, failures: int, probation: str | None) -> None:
        """Note how many matches in a row a bot forfeited, and why it is to play none."""
        with self._writing() as database:
            database.execute(
                "UPDATE bots SET failures = ?, probation = ? WHERE id = ?",
                (failures, probation, bot),
            )

    # Requests.

    def add_request(self, request: MatchRequest) -> MatchRequest:
        """Add a request, with the next number in place of its own."""
        columns = _columns(request)
        with self._writing() as database:
            (columns["last_match"],) = database.execute(
                f"SELECT coalesce(max(match), 0) FROM requests WHERE version IN {_SIBLINGS}",
                (request.version,),
            ).fetchone()
            number = _insert(database, "requests", columns)
        return self.request(number)

    def request(self, number: int) -> MatchRequest:
        """Return a request.  Raises ServerError: there is none of that number."""
        rows = self._rows(MatchRequest, "SELECT * FROM requests WHERE id = ?", number)
        if not rows:
            raise ServerError(f"there is no request {number}")
        return rows[0]

    def waiting_requests(self) -> list[MatchRequest]:
        """Return what waits, in the order in which it was asked for."""
        query = "SELECT * FROM requests WHERE state = 'waiting' ORDER BY id"
        return self._rows(MatchRequest, query)

    def end_request(self, number: int, state: str, reason: str) -> bool:
        """End a request that waits; return whether it did."""
        with self._writing() as database:
            changed = database.execute(
                "UPDATE requests SET state = ?, reason = ? WHERE id = ? AND state = 'waiting'",
                (state, reason, number),
            )
        return changed.rowcount == 1

    # Matches.

    def begin_match(self, match: StoredMatch, requests: Sequence[int]) -> StoredMatch | None:
        """Begin a match that requests wait for; None where one of them does not wait any more."""
        marks = ", ".join("?" for _ in requests)
        try:
            with self._writing() as database:
                number = _insert(database, "matches", _columns(match))
                changed = database.execute(
                    "UPDATE requests SET state = 'matched', match = ? "
                    f"WHERE state = 'waiting' AND id IN ({marks})",
                    (number, *requests),
                )
                if changed.rowcount != len(requests):
                    raise _Outdated
                for request in requests:
                    database.execute(
                        "UPDATE requests SET last_match = ? WHERE state = 'waiting' AND id > ? "
                        "AND version IN (SELECT v.id FROM versions v JOIN bots b ON b.id = v.bot "
                        "WHERE b.account = (SELECT b.account FROM requests r JOIN versions v "
                        "ON v.id = r.version JOIN bots b ON b.id = v.bot WHERE r.id = ?))",
                        (number, request, request),
                    )
        except _Outdated:
            return None
        return self.match(number)

    def set_phrase(self, request: int, phrase: str) -> None:
        """Note the words of a request, which are said once."""
        with self._writing() as database:
            database.execute(
                "UPDATE requests SET words = ? WHERE id = ? AND words = ''", (phrase, request)
            )

    def deal_match(self, number: int, phrase: str) -> StoredMatch:
        """Note the words that the deals of a match are made of, which is done once; return it."""
        with self._writing() as database:
            database.execute(
                "UPDATE matches SET words = ?, dealt = 1 WHERE id = ? AND NOT dealt",
                (phrase, number),
            )
        return self.match(number)

    def match(self, number: int) -> StoredMatch:
        """Return a match.  Raises ServerError: there is none of that number."""
        rows = self._rows(StoredMatch, "SELECT * FROM matches WHERE id = ?", number)
        if not rows:
            raise ServerError(f"there is no match {number}")
        return rows[0]

    def matches(self, state: str | None = None, *, most: int = -1) -> list[StoredMatch]:
        """Return the matches of a state, None for all, the newest first; at most so many."""
        return self._rows(
            StoredMatch,
            "SELECT * FROM matches WHERE ? IN (state, '') ORDER BY id DESC LIMIT ?",
            state or "",
            most,
        )

    def each_match(self, state: str | None = None) -> Iterator[StoredMatch]:
        """Yield the matches of a state, None for all, the oldest first, without having all at once.

        Raises:
            StoreFault: the database cannot be read.
        """
        last = 0
        while rows := self._rows(
            StoredMatch,
            "SELECT * FROM matches WHERE ? IN (state, '') AND id > ? ORDER BY id LIMIT ?",
            state or "",
            last,
            _ROWS_AT_ONCE,
        ):
            yield from rows
            last = rows[-1].id

    def matches_after(self, number: int) -> list[StoredMatch]:
        """Return the matches with greater numbers, in their order."""
        return self._rows(StoredMatch, "SELECT * FROM matches WHERE id > ? ORDER BY id", number)

    def newest_match(self) -> int:
        """Return the greatest number of a match, 0 where there is none."""
        ((number,),) = self._query("SELECT coalesce(max(id), 0) FROM matches")
        return int(number)

    def matches_of(self, versions: Sequence[int]) -> list[StoredMatch]:
        """Return the matches in which any of some versions played, the newest first."""
        marks = ", ".join("?" for _ in versions)
        return self._rows(
            StoredMatch,
            f"SELECT * FROM matches WHERE first IN ({marks}) OR second IN ({marks}) "
            f"OR third IN ({marks}) ORDER BY id DESC",
            *versions,
            *versions,
            *versions,
        )

    def requests_of(self, match: int) -> list[MatchRequest]:
        """Return the requests that a match is for, in their order."""
        query = "SELECT * FROM requests WHERE match = ? ORDER BY id"
        return self._rows(MatchRequest, query, match)

    def askers(self, match: int) -> list[int]:
        """Return the versions whose requests a match is for, in the order of these."""
        query = "SELECT version FROM requests WHERE match = ? ORDER BY id"
        return [int(number) for (number,) in self._query(query, match)]

    def matches_asked_by(self, name: str, label: str) -> list[StoredMatch]:
        """Return the matches that versions of a bot of one label asked for, in their order."""
        return self._rows(
            StoredMatch,
            "SELECT * FROM matches WHERE id IN (SELECT r.match FROM requests r "
            "JOIN versions v ON v.id = r.version JOIN bots b ON b.id = v.bot "
            "WHERE b.name = ? AND v.label = ?) ORDER BY id",
            name,
            label,
        )

    def add_leg(self, leg: LegRecord) -> None:
        """Note how a leg ended; of one that is there already the first note stays."""
        with self._writing() as database:
            database.execute(
                "INSERT OR IGNORE INTO legs VALUES (?, ?, ?, ?, ?, ?)",
                tuple(_columns(leg).values()),
            )

    def legs(self, match: int) -> list[LegRecord]:
        """Return the legs of a match that are over, in order."""
        return self._rows(LegRecord, "SELECT * FROM legs WHERE match = ? ORDER BY number", match)

    def end_match(
        self,
        number: int,
        state: str,
        now: float,
        *,
        detail: str = "",
        culprit: int | None = None,
        hands: int = 0,
        result: dict[str, Any] | None = None,
    ) -> bool:
        """End a match that runs; return whether it did."""
        text = None if result is None else json.dumps(result, allow_nan=False)
        with self._writing() as database:
            changed = database.execute(
                "UPDATE matches SET state = ?, ended = ?, detail = ?, culprit = ?, "
                "hands_played = ?, result = ? WHERE id = ? AND state = 'running'",
                (state, now, detail, culprit, hands, text, number),
            )
        return changed.rowcount == 1

    def uncounted(self) -> list[StoredMatch]:
        """Return the finished matches without a result: they could not be counted."""
        query = "SELECT * FROM matches WHERE state = 'finished' AND result IS NULL ORDER BY id"
        return self._rows(StoredMatch, query)

    def aivat_pending(self) -> list[int]:
        """Return the matches whose result is still to get AIVAT, the oldest first."""
        query = (
            "SELECT id FROM matches WHERE state = 'finished' "
            "AND json_extract(result, '$.aivat.state') = 'pending' ORDER BY id"
        )
        return [int(number) for (number,) in self._query(query)]

    def set_result(self, number: int, result: dict[str, Any]) -> None:
        """Give a finished match its result."""
        text = json.dumps(result, allow_nan=False)
        with self._writing() as database:
            database.execute(
                "UPDATE matches SET result = ?, detail = '' WHERE id = ?", (text, number)
            )

    def hands_since(self, account: int, since: float) -> int:
        """Return how many hands were begun since a time in matches that an account asked for."""
        ((hands,),) = self._query(
            "SELECT coalesce(sum(CASE WHEN m.state = 'running' THEN m.hands * (1 + m.pairs) "
            "ELSE m.hands_played END), 0) FROM matches m JOIN requests r ON r.match = m.id "
            "JOIN versions v ON v.id = r.version JOIN bots b ON b.id = v.bot "
            "WHERE b.account = ? AND m.started >= ?",
            account,
            since,
        )
        return int(hands)

    def match_counts(self) -> dict[str, int]:
        """Return how many matches there are of each state."""
        query = "SELECT state, count(*) FROM matches GROUP BY state ORDER BY state"
        return {str(state): int(count) for state, count in self._query(query)}

    def hands_played(self) -> int:
        """Return how many hands were played in matches that are over."""
        ((hands,),) = self._query("SELECT coalesce(sum(hands_played), 0) FROM matches")
        return int(hands)

    # Notices.

    def notify(self, account: int, now: float, text: str) -> None:
        """Leave word for an account."""
        columns = {"account": account, "at": now, "text": text}
        with self._writing() as database:
            _insert(database, "notices", columns)

    def notices(self, account: int) -> list[tuple[float, str]]:
        """Return when an account was told what, the newest first."""
        query = "SELECT at, text FROM notices WHERE account = ? ORDER BY id DESC"
        return [tuple(row) for row in self._query(query, account)]

    # Notes of the server to those who look after it.

    def note(self, name: str, now: float, text: str) -> None:
        """Leave a note in place of the one of that name."""
        with self._writing() as database:
            database.execute("INSERT OR REPLACE INTO notes VALUES (?, ?, ?)", (name, now, text))

    def forget_note(self, name: str) -> None:
        """Take a note away; idempotent."""
        with self._writing() as database:
            database.execute("DELETE FROM notes WHERE name = ?", (name,))

    def noted(self, name: str) -> tuple[float, str] | None:
        """Return when a note was left and what it says, None where there is none."""
        query = "SELECT at, text FROM notes WHERE name = ?"
        rows = self._query(query, name)
        return (float(rows[0]["at"]), str(rows[0]["text"])) if rows else None


_SIBLINGS: Final = (
    "(SELECT v.id FROM versions v JOIN bots b ON b.id = v.bot WHERE b.account = "
    "(SELECT b.account FROM versions v JOIN bots b ON b.id = v.bot WHERE v.id = ?))"
)
"""All versions of all bots of the owner of a version."""


class _Outdated(Exception):
    """A request does not wait any more."""


def _columns(record: Any) -> dict[str, Any]:
    """Return the columns of a record, less its number, which the database gives."""
    return {
        field.name: getattr(record, field.name) for field in fields(record) if field.name != "id"
    }


def _insert(database: sqlite3.Connection, table: str, columns: dict[str, Any]) -> int:
    names, marks = ", ".join(columns), ", ".join("?" for _ in columns)
    row = database.execute(
        f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(columns.values())
    )
    assert row.lastrowid is not None
    return row.lastrowid
