"""The SQLite file itself."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bridge.store import SqliteStore, StoreError
from bridge.store.interface import DamagedError
from bridge.store.records import BattleDropped, BattleStarted, OverviewChanged, ServerChanged, StepTaken
from tests.bridge.processes import gcs_server, run_gcs


def test_changes_are_all_made_or_none(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "battles.db")
    store.write([BattleStarted("one", b"start", "key", b"{}"), OverviewChanged("one", b"first")])
    with pytest.raises(StoreError, match="cannot write"):
        # The last one is a step that is there already.
        store.write([StepTaken("one", 1, b"a"), OverviewChanged("one", b"second"), StepTaken("one", 1, b"b")])
    found = store.load("one")
    assert found is not None
    assert found.steps == ()
    assert store.overview("one") == b"first"
    store.write([StepTaken("one", 1, b"a"), StepTaken("one", 2, b"b"), ServerChanged(70, ("wire",))])
    found = store.load("one")
    assert found is not None
    assert (found.start, found.pack_key, found.pack_text, found.steps) == (b"start", "key", b"{}", (b"a", b"b"))
    assert store.server() == ServerChanged(70, ("wire",))
    store.close()


def test_a_pack_is_kept_once_and_as_long_as_a_battle_has_it(tmp_path: Path) -> None:
    path = tmp_path / "battles.db"
    store = SqliteStore(path)
    for battle_id in ("one", "two", "three"):
        store.write([BattleStarted(battle_id, b"", "a" if battle_id != "three" else "b", b"{}")])

    def packs() -> list[str]:
        with sqlite3.connect(path) as connection:
            return [key for (key,) in connection.execute("SELECT key FROM packs ORDER BY key")]

    assert packs() == ["a", "b"]
    store.write([BattleDropped("one"), BattleDropped("three"), BattleDropped("three")])
    assert packs() == ["a"]
    # One that starts anew under its id leaves nothing of the old one behind.
    store.write([StepTaken("two", 1, b"old"), BattleStarted("two", b"new", "c", b"{}")])
    assert packs() == ["c"]
    found = store.load("two")
    assert found is not None
    assert (found.start, found.steps) == (b"new", ())
    store.close()


def test_a_commit_is_flushed_to_the_disk(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "battles.db")
    full, wal = 2, "wal"
    assert store._writing.execute("PRAGMA synchronous").fetchone() == (full,)
    assert store._writing.execute("PRAGMA journal_mode").fetchone() == (wal,)
    store.close()


def test_a_store_is_for_one_server_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "battles.db"
    with gcs_server("--store", str(path)):
        # Also in this process, and it can be looked at meanwhile.
        with pytest.raises(StoreError, match="another server has the store"):
            SqliteStore(path)
        with sqlite3.connect(path) as reading:
            assert reading.execute("SELECT count(*) FROM battles").fetchone() == (0,)
        refused = run_gcs("serve", "--address", "127.0.0.1:0", "--store", str(path))
    assert refused.returncode == 2
    assert f"another server has the store {path}" in " ".join(refused.stderr.split())
    assert "Traceback" not in refused.stderr
    SqliteStore(path).close()


def test_a_link_to_a_store_is_the_same_store(tmp_path: Path) -> None:
    link = tmp_path / "link.db"
    link.symlink_to(tmp_path / "battles.db")
    store = SqliteStore(tmp_path / "battles.db")
    with pytest.raises(StoreError, match="another server has the store"):
        SqliteStore(link)
    store.close()


@pytest.mark.parametrize("content", [b"no database at all, but long enough to be one" * 40, b""])
def test_what_is_no_store_is_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.db"
    if content:
        path.write_bytes(content)
    else:
        with sqlite3.connect(path) as other:
            other.execute("CREATE TABLE mine (number)")
        other.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"other\.db"):
        SqliteStore(path)
    assert path.read_bytes() == before


def test_another_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "battles.db"
    SqliteStore(path).close()
    with sqlite3.connect(path) as changed:
        changed.execute("PRAGMA user_version = 99")
    changed.close()
    with pytest.raises(StoreError, match="format 99"):
        SqliteStore(path)


def test_a_folder_in_place_of_a_file_leaves_nothing_beside_it(tmp_path: Path) -> None:
    folder = tmp_path / "battles.db"
    folder.mkdir()
    refused = run_gcs("serve", "--address", "127.0.0.1:0", "--store", str(folder))
    assert (refused.returncode, list(tmp_path.iterdir()), list(folder.iterdir())) == (2, [folder], [])
    assert refused.stderr == f"gcs: cannot open the store {folder}: it is a folder, expected a file\n"


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="nowhere"):
        SqliteStore(tmp_path / "nowhere" / "battles.db")


def test_a_store_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "battles.db"
    store = SqliteStore(path)
    store.write([BattleStarted("one", b"start", "key", b"{}")])
    made = {file.name: file.stat().st_mode & 0o077 for file in tmp_path.iterdir()}
    assert made == {"battles.db": 0, "battles.db-wal": 0, "battles.db-shm": 0}
    store.close()


def test_a_second_name_of_the_file_is_the_same_store(tmp_path: Path) -> None:
    """Issue 10.10: neither a hard link nor a removed file beside it lets a second server in."""
    path, other = tmp_path / "battles.db", tmp_path / "other.db"
    with gcs_server("--store", str(path)):
        other.hardlink_to(path)
        for left in tmp_path.glob("*lock*"):
            left.unlink()
        for name in (path, other):
            refused = run_gcs("serve", "--address", "127.0.0.1:0", "--store", str(name))
            assert refused.returncode == 2
            assert f"another server has the store {name}" in " ".join(refused.stderr.split())


def test_a_lock_outlasts_others_that_open_the_file(tmp_path: Path) -> None:
    path = tmp_path / "battles.db"
    store = SqliteStore(path)
    with sqlite3.connect(path) as reading:
        reading.execute("SELECT * FROM server").fetchall()
    reading.close()
    with path.open("rb"):
        pass
    refused = run_gcs("serve", "--address", "127.0.0.1:0", "--store", str(path))
    assert "another server has the store" in " ".join(refused.stderr.split())
    store.close()


@contextmanager
def unprivileged() -> Iterator[Path]:
    """A folder, and no right to write what is written by nobody: the superuser has it for every file."""
    superuser = os.name == "posix" and os.geteuid() == 0
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        if superuser:
            os.seteuid(65_534)
        try:
            yield Path(folder)
        finally:
            if superuser:
                os.seteuid(0)


def test_a_file_that_cannot_be_written_is_told_at_once() -> None:
    with unprivileged() as folder:
        path = folder / "battles.db"
        SqliteStore(path).close()
        path.chmod(0o444)
        with pytest.raises(StoreError, match=r"cannot open the store .*battles\.db for writing: Permission denied"):
            SqliteStore(path)
        path.chmod(0o600)
        SqliteStore(path).close()


@pytest.mark.parametrize("name", ["battles.db", "battles.db-wal"])
@pytest.mark.parametrize("replaced", [False, True])
def test_a_file_that_is_gone_is_noticed_by_the_next_write(tmp_path: Path, name: str, replaced: bool) -> None:
    store = SqliteStore(tmp_path / "battles.db")
    store.write([ServerChanged(1)])
    gone = tmp_path / name
    moved = gone.rename(tmp_path / "moved")
    if replaced:
        gone.write_bytes(moved.read_bytes())
    with pytest.raises(StoreError, match=rf"{name} was removed or replaced"):
        store.write([ServerChanged(2)])
    store.close()


DAMAGE = {
    "its step 2 is not as it was written": "UPDATE steps SET step = X'63' WHERE number = 2",
    "its step 1 is not as it was written": "UPDATE steps SET step = (SELECT step FROM steps WHERE number = 2)",
    "its step 2 is missing": "DELETE FROM steps WHERE number = 2",
    "its start is not as it was written": "UPDATE battles SET start = X'00'",
}


@pytest.mark.parametrize("message", DAMAGE)
def test_a_changed_byte_is_noticed(tmp_path: Path, message: str) -> None:
    path = tmp_path / "battles.db"
    store = SqliteStore(path)
    steps = [StepTaken("one", number, bytes([96 + number])) for number in (1, 2, 3)]
    store.write([BattleStarted("one", b"start", "key", b"{}"), *steps, OverviewChanged("one", b"known")])
    store.close()
    with sqlite3.connect(path) as damaging:
        damaging.execute(DAMAGE[message])
    damaging.close()
    store = SqliteStore(path)
    with pytest.raises(DamagedError, match=message):
        store.load("one")
    assert store.overview("one") == b"known"
    store.close()


def test_a_changed_overview_is_empty(tmp_path: Path) -> None:
    path = tmp_path / "battles.db"
    store = SqliteStore(path)
    store.write([BattleStarted("one", b"", "key", b"{}"), OverviewChanged("one", b"known")])
    store.write([BattleStarted("two", b"", "key", b"{}"), OverviewChanged("two", b"known")])
    store.close()
    with sqlite3.connect(path) as damaging:
        damaging.execute("UPDATE battles SET overview = X'00' WHERE battle = 'one'")
    damaging.close()
    store = SqliteStore(path)
    assert store.overviews() == [("one", b""), ("two", b"known")]
    assert store.overview("one") == b""
    store.close()


def test_a_store_of_format_1_gets_its_checksums(tmp_path: Path) -> None:
    path = tmp_path / "battles.db"
    store = SqliteStore(path)
    store.write([BattleStarted("one", b"start", "key", b"{}"), StepTaken("one", 1, b"a"), OverviewChanged("one", b"x")])
    store.close()
    with sqlite3.connect(path) as older:
        older.execute("ALTER TABLE battles DROP COLUMN start_checksum")
        older.execute("ALTER TABLE battles DROP COLUMN overview_checksum")
        older.execute("ALTER TABLE steps DROP COLUMN checksum")
        older.execute("PRAGMA user_version = 1")
    older.close()
    store = SqliteStore(path)
    found = store.load("one")
    assert found is not None
    assert (found.start, found.steps, store.overview("one")) == (b"start", (b"a",), b"x")
    store.close()
    SqliteStore(path).close()
