"""Battles that outlive the server: ``gcs serve --store PATH``.

- `bridge.store.interface`: `Store`, what a server needs of one, for others to be written;
- `bridge.store.sqlite`: `SqliteStore`, one SQLite file;
- `bridge.store.records`: the records of a battle, and the changes that a store makes;
- `bridge.store.journal`: the way there: in groups, by a thread, nothing told before it is on disk;
- `bridge.store.durability`: answers of calls go out when what they rest on is on disk.
"""

from bridge.store.durability import durable, rests_on
from bridge.store.interface import Store, StoreError
from bridge.store.journal import BattleJournal, Journal
from bridge.store.records import Overview
from bridge.store.sqlite import SqliteStore

__all__ = ["BattleJournal", "Journal", "Overview", "SqliteStore", "Store", "StoreError", "durable", "rests_on"]
