"""A store in one SQLite file."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from bridge.store.file_lock import FileLock, LockedError, identity_of
from bridge.store.interface import DamagedError, StoreError
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
_FORMAT: Final = 2
_SCHEMA: Final = f"""
BEGIN IMMEDIATE;
CREATE TABLE packs (key TEXT PRIMARY KEY, text BLOB NOT NULL);
CREATE TABLE battles (
    battle TEXT PRIMARY KEY,
    pack TEXT NOT NULL REFERENCES packs (key),
    start BLOB NOT NULL,
    overview BLOB NOT NULL,
    start_checksum INTEGER NOT NULL,
    overview_checksum INTEGER NOT NULL
);
CREATE INDEX battles_by_pack ON battles (pack);
CREATE TABLE steps (
    battle TEXT NOT NULL,
    number INTEGER NOT NULL,
    step BLOB NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (battle, number)
) WITHOUT ROWID;
CREATE TABLE server (only INTEGER PRIMARY KEY CHECK (only = 1), clock INTEGER NOT NULL, inactive TEXT NOT NULL);
INSERT INTO server VALUES (1, 0, '[]');
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {_FORMAT};
COMMIT;
"""
# Format 1 had no checksums: what it has is taken as it is.
_FROM_FORMAT_1: Final = f"""
BEGIN IMMEDIATE;
ALTER TABLE battles ADD COLUMN start_checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE battles ADD COLUMN overview_checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE steps ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
UPDATE battles SET start_checksum = checksum(battle, 0, start), overview_checksum = checksum(battle, -1, overview);
UPDATE steps SET checksum = checksum(battle, number, step);
PRAGMA user_version = {_FORMAT};
COMMIT;
"""
# In place of a step's number.
_START: Final = 0
_OVERVIEW: Final = -1


class SqliteStore:
    """Battles in a SQLite file in WAL mode. It belongs to one server at a time.

    The lock is on the file itself (`bridge.store.file_lock`), and leaves it open to readers and backups. Every record
    has a checksum: a byte that has changed on disk is noticed when the battle is loaded.
    """

    def __init__(self, path: Path) -> None:
        """Opens a store, or makes it, for its owner alone to read and write.

        Args:
            path: The file; its folder must be there.

        Raises:
            StoreError: Another server has it, it is no store, or it cannot be opened or written.
        """
        self._path = path
        if path.is_dir():
            raise StoreError(f"cannot open the store {path}: it is a folder, expected a file")
        try:
            self._lock = FileLock(path)
        except LockedError as error:
            raise StoreError(f"another server has the store {path}: one store is for one server") from error
        except OSError as error:
            raise StoreError(f"cannot open the store {path} for writing: {error.strerror}") from error
        # Beside the file itself, whatever links lead to it.
        self._wal = Path(f"{path.resolve()}-wal")
        connections: list[sqlite3.Connection] = []
        try:
            with self._errors("open"):
                self._writing = self._connect()
                connections.append(self._writing)
                self._prepare()
                self._reading = self._connect()
                connections.append(self._reading)
                self._reading.execute("PRAGMA query_only = ON")
                # Shows that it can be written, and makes the WAL.
                self._writing.execute("UPDATE server SET clock = clock")
                self._wal_identity = identity_of(self._wal)
        except StoreError:
            for connection in connections:
                connection.close()
            self._lock.release()
            raise

    @contextmanager
    def _errors(self, what: str) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"cannot {what} the store {self._path}: {error}") from error

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
        if found == 1:
            connection.create_function("checksum", 3, _checksum, deterministic=True)
            connection.executescript(_FROM_FORMAT_1)
            found = _FORMAT
        if found != _FORMAT:
            raise StoreError(f"the store {self._path} has format {found}, this version of gcs reads format {_FORMAT}")

    def server(self) -> ServerChanged:
        """What is kept of the server."""
        with self._errors("read"):
            clock, inactive = self._reading.execute("SELECT clock, inactive FROM server").fetchone()
        return ServerChanged(clock, tuple(json.loads(inactive)))

    def overviews(self) -> Sequence[tuple[str, bytes]]:
        """The ids of all battles, each with its encoded Overview; empty where that is damaged."""
        with self._errors("read"):
            rows = self._reading.execute("SELECT battle, overview, overview_checksum FROM battles ORDER BY battle")
            return [(battle_id, _sound_overview(battle_id, *found)) for battle_id, *found in rows]

    def overview(self, battle_id: str) -> bytes | None:
        """The encoded Overview of one battle; empty when it is damaged."""
        with self._errors("read"):
            row = self._reading.execute(
                "SELECT overview, overview_checksum FROM battles WHERE battle = ?", (battle_id,)
            ).fetchone()
        return _sound_overview(battle_id, *row) if row is not None else None

    def load(self, battle_id: str) -> StoredBattle | None:
        """Everything that is kept of a battle."""
        with self._errors("read"):
            row = self._reading.execute(
                "SELECT start, start_checksum, pack, text FROM battles JOIN packs ON key = pack WHERE battle = ?",
                (battle_id,),
            ).fetchone()
            if row is None:
                return None
            steps = self._reading.execute(
                "SELECT number, step, checksum FROM steps WHERE battle = ? ORDER BY number", (battle_id,)
            ).fetchall()
        start, checksum, key, text = row
        if checksum != _checksum(battle_id, _START, start):
            raise DamagedError("its start is not as it was written")
        for expected, (number, step, checksum) in enumerate(steps, 1):
            if number != expected:
                raise DamagedError(f"its step {expected} is missing")
            if checksum != _checksum(battle_id, number, step):
                raise DamagedError(f"its step {number} is not as it was written")
        return StoredBattle(start, key, text, tuple([step for _, step, _ in steps]))

    def write(self, changes: Sequence[Change]) -> None:
        """Makes changes in one transaction."""
        connection = self._writing
        self._check_in_place()
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

    def _check_in_place(self) -> None:
        """What is written to a file that was removed is on disk for nobody, and SQLite does not notice.

        Raises:
            StoreError: The file, or its WAL, was removed or replaced.
        """
        for path, identity in ((self._path, self._lock.identity), (self._wal, self._wal_identity)):
            if identity_of(path) != identity:
                raise StoreError(f"cannot write the store {self._path}: {path} was removed or replaced")

    def close(self) -> None:
        """Lets go of the file and of its lock."""
        with self._errors("close"):
            self._reading.close()
            self._writing.close()
            self._lock.release()


def _checksum(battle_id: str, number: int, record: bytes) -> int:
    """Of a record and of whose it is: one that lies at another's place is noticed as well."""
    return zlib.crc32(record, zlib.crc32(f"{number} {battle_id}".encode()))


def _sound_overview(battle_id: str, overview: bytes, checksum: int) -> bytes:
    return overview if checksum == _checksum(battle_id, _OVERVIEW, overview) else b""


def _number(connection: sqlite3.Connection, query: str) -> int:
    value: int = connection.execute(query).fetchone()[0]
    return value


def _make(connection: sqlite3.Connection, change: Change) -> None:
    if isinstance(change, StepTaken):
        checksum = _checksum(change.battle_id, change.number, change.step)
        row = (change.battle_id, change.number, change.step, checksum)
        connection.execute("INSERT INTO steps VALUES (?, ?, ?, ?)", row)
    elif isinstance(change, OverviewChanged):
        connection.execute(
            "UPDATE battles SET overview = ?, overview_checksum = ? WHERE battle = ?",
            (change.overview, _checksum(change.battle_id, _OVERVIEW, change.overview), change.battle_id),
        )
    elif isinstance(change, ServerChanged):
        connection.execute("UPDATE server SET clock = ?, inactive = ?", (change.clock, json.dumps(change.inactive)))
    elif isinstance(change, BattleStarted):
        _drop(connection, change.battle_id)
        if not _number_of(connection, "SELECT count(*) FROM packs WHERE key = ?", change.pack_key):
            connection.execute("INSERT INTO packs VALUES (?, ?)", (change.pack_key, change.pack_text))
        connection.execute(
            "INSERT INTO battles VALUES (?, ?, ?, ?, ?, ?)",
            (
                change.battle_id,
                change.pack_key,
                change.start,
                b"",
                _checksum(change.battle_id, _START, change.start),
                _checksum(change.battle_id, _OVERVIEW, b""),
            ),
        )
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
