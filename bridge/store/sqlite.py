"""A store in one SQLite file."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from bridge.store.interface import StoreError
from bridge.store.records import (
    BattleStarted,
    Change,
    OverviewChanged,
    ServerChanged,
    StepTaken,
    StoredBattle,
)

# "GCSB": tells the file from other SQLite files.
_APPLICATION: Final = 0x47435342
_FORMAT: Final = 1
_SCHEMA: Final = f"""
BEGIN IMMEDIATE;
CREATE TABLE packs (key TEXT PRIMARY KEY, text BLOB NOT NULL);
CREATE TABLE battles (
    battle TEXT PRIMARY KEY,
    pack TEXT NOT NULL REFERENCES packs (key),
    start BLOB NOT NULL,
    overview BLOB NOT NULL
);
CREATE INDEX battles_by_pack ON battles (pack);
CREATE TABLE steps (
    battle TEXT NOT NULL,
    number INTEGER NOT NULL,
    step BLOB NOT NULL,
    PRIMARY KEY (battle, number)
) WITHOUT ROWID;
CREATE TABLE server (only INTEGER PRIMARY KEY CHECK (only = 1), clock INTEGER NOT NULL, inactive TEXT NOT NULL);
INSERT INTO server VALUES (1, 0, '[]');
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {_FORMAT};
COMMIT;
"""


class SqliteStore:
    """Battles in a SQLite file in WAL mode. It belongs to one server at a time.

    The lock is a second file beside it, ``-lock`` at the end, on which SQLite holds a lock of the operating
    system: it goes with the process, however that ends, and leaves the store itself open to backups.
    """

    def __init__(self, path: Path) -> None:
        """Opens a store, or makes it.

        Args:
            path: The file; its folder must be there.

        Raises:
            StoreError: Another server has it, it is no store, or it cannot be opened.
        """
        self._path = path
        # The lock beside it would be made, and would stay.
        if path.is_dir():
            raise StoreError(f"cannot open the store {path}: it is a folder, expected a file")
        self._lock = self._take_lock()
        try:
            with self._errors("open"):
                self._writing = self._connect()
                self._prepare()
                self._reading = self._connect()
                self._reading.execute("PRAGMA query_only = ON")
        except StoreError:
            self._lock.close()
            raise

    @contextmanager
    def _errors(self, what: str) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"cannot {what} the store {self._path}: {error}") from error

    def _take_lock(self) -> sqlite3.Connection:
        with self._errors("lock"):
            # Beside the file itself, whatever links lead to it: where SQLite has its WAL as well.
            lock = sqlite3.connect(
                f"{self._path.resolve()}-lock", timeout=0, isolation_level=None, check_same_thread=False
            )
            try:
                lock.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError as error:
                lock.close()
                if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                    raise StoreError(
                        f"another server has the store {self._path}: one store is for one server"
                    ) from error
                raise
        return lock

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
        # A commit is on disk when it returns: with NORMAL, a crash of the machine may take the last ones along.
        connection.execute("PRAGMA synchronous = FULL")
        # macOS keeps what is flushed in the drive's cache unless it is asked twice; elsewhere this does nothing.
        connection.execute("PRAGMA fullfsync = ON")
        return connection

    def _prepare(self) -> None:
        connection = self._writing
        application = _number(connection, "PRAGMA application_id")
        tables = _number(connection, "SELECT count(*) FROM sqlite_master")
        if not application and not tables:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.executescript(_SCHEMA)
        elif application != _APPLICATION:
            raise StoreError(f"{self._path} is a database of something else, not a store of battles")
        found = _number(connection, "PRAGMA user_version")
        if found != _FORMAT:
            raise StoreError(f"the store {self._path} has format {found}, this version of gcs reads format {_FORMAT}")

    def server(self) -> ServerChanged:
        """What is kept of the server."""
        with self._errors("read"):
            clock, inactive = self._reading.execute("SELECT clock, inactive FROM server").fetchone()
        return ServerChanged(clock, tuple(json.loads(inactive)))

    def overviews(self) -> Sequence[tuple[str, bytes]]:
        """The ids of all battles, each with its encoded Overview."""
        with self._errors("read"):
            return self._reading.execute("SELECT battle, overview FROM battles ORDER BY battle").fetchall()

    def overview(self, battle_id: str) -> bytes | None:
        """The encoded Overview of one battle."""
        with self._errors("read"):
            row = self._reading.execute("SELECT overview FROM battles WHERE battle = ?", (battle_id,)).fetchone()
        return row[0] if row is not None else None

    def load(self, battle_id: str) -> StoredBattle | None:
        """Everything that is kept of a battle."""
        with self._errors("read"):
            row = self._reading.execute(
                "SELECT start, pack, text FROM battles JOIN packs ON key = pack WHERE battle = ?", (battle_id,)
            ).fetchone()
            if row is None:
                return None
            steps = self._reading.execute("SELECT step FROM steps WHERE battle = ? ORDER BY number", (battle_id,))
            start, key, text = row
            return StoredBattle(start, key, text, tuple([step for (step,) in steps]))

    def write(self, changes: Sequence[Change]) -> None:
        """Makes changes in one transaction."""
        connection = self._writing
        with self._errors("write"):
            connection.execute("BEGIN IMMEDIATE")
            try:
                for change in changes:
                    _make(connection, change)
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Lets go of the file and of its lock."""
        with self._errors("close"):
            self._reading.close()
            self._writing.close()
            self._lock.close()


def _number(connection: sqlite3.Connection, query: str) -> int:
    value: int = connection.execute(query).fetchone()[0]
    return value


def _make(connection: sqlite3.Connection, change: Change) -> None:
    if isinstance(change, StepTaken):
        connection.execute("INSERT INTO steps VALUES (?, ?, ?)", (change.battle_id, change.number, change.step))
    elif isinstance(change, OverviewChanged):
        connection.execute("UPDATE battles SET overview = ? WHERE battle = ?", (change.overview, change.battle_id))
    elif isinstance(change, ServerChanged):
        connection.execute("UPDATE server SET clock = ?, inactive = ?", (change.clock, json.dumps(change.inactive)))
    elif isinstance(change, BattleStarted):
        _drop(connection, change.battle_id)
        if not _number_of(connection, "SELECT count(*) FROM packs WHERE key = ?", change.pack_key):
            connection.execute("INSERT INTO packs VALUES (?, ?)", (change.pack_key, change.pack_text))
        row = (change.battle_id, change.pack_key, change.start, b"")
        connection.execute("INSERT INTO battles VALUES (?, ?, ?, ?)", row)
    else:
        _drop(connection, change.battle_id)


def _number_of(connection: sqlite3.Connection, query: str, key: str) -> int:
    value: int = connection.execute(query, (key,)).fetchone()[0]
    return value


def _drop(connection: sqlite3.Connection, battle_id: str) -> None:
    row = connection.execute("SELECT pack FROM battles WHERE battle = ?", (battle_id,)).fetchone()
    if row is None:
        return
    connection.execute("DELETE FROM battles WHERE battle = ?", (battle_id,))
    connection.execute("DELETE FROM steps WHERE battle = ?", (battle_id,))
    if not _number_of(connection, "SELECT count(*) FROM battles WHERE pack = ?", row[0]):
        connection.execute("DELETE FROM packs WHERE key = ?", (row[0],))
