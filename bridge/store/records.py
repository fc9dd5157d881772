"""What is kept of a battle: its start, and every step that reached it with the clock's reading (R8.2).

A battle that is loaded has its steps carried out again by the code that carried them out before. So
events, versions, open choices, what is scheduled and which ids are done need not be kept: they come out the
same. Records are MessagePack; fields are added with defaults, never renamed or given another meaning.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import msgspec


class StartRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What a battle was started with.

    Attributes:
        request: The StartBattleRequest, encoded, without `pack_json`.
        inline: Whether it had one: it is the pack's text.
        content_hash: The hash of the content.
        seed: The seed, drawn by the server or given.
        node_limit: How many flow nodes one root may run.
        database_inactive: Whether the pack's GES events were off.
        flags: The rule flags that it is played under (`runtime.battle.replay`).
        at: The time on its clock, in ms.
        version: The version of gcs, for people.
    """

    request: bytes
    inline: bool
    content_hash: str
    seed: int
    node_limit: int
    database_inactive: bool
    flags: tuple[int, ...]
    at: int
    version: str


class ActRecord(msgspec.Struct, frozen=True, tag="act"):
    """An accepted action: when, in ms on the battle's clock, and the encoded Action."""

    at: int
    action: bytes


class RaiseRecord(msgspec.Struct, frozen=True, tag="raise"):
    """A GES event raised from outside: `step` is the encoded ReplayStep."""

    at: int
    raise_id: str
    caller: str
    step: bytes


class ScheduleRecord(msgspec.Struct, frozen=True, tag="schedule"):
    """A raise scheduled by a caller, with its delay and interval in ms and its count."""

    at: int
    raise_id: str
    caller: str
    step: bytes
    delay: int
    interval: int
    count: int


class CancelRecord(msgspec.Struct, frozen=True, tag="cancel"):
    """A scheduled raise was cancelled."""

    at: int
    raise_id: str


class TimeRecord(msgspec.Struct, frozen=True, tag="time"):
    """Time has passed, and what was due by then was carried out."""

    at: int


class DatabaseRecord(msgspec.Struct, frozen=True, tag="database"):
    """The GES events of the pack were switched on or off (R6.6)."""

    at: int
    active: bool


class CallerRecord(msgspec.Struct, frozen=True, tag="caller"):
    """A caller that names itself has started or joined the battle."""

    at: int
    caller: str


Step: TypeAlias = ActRecord | RaiseRecord | ScheduleRecord | CancelRecord | TimeRecord | DatabaseRecord | CallerRecord


class Overview(msgspec.Struct, frozen=True, kw_only=True):
    """What has to be known of a battle before it is loaded.

    Attributes:
        summary: BattleSummary of the battle, encoded; compared with that of the battle that was loaded.
        running: Whether it goes on.
        callers: Who has started or joined it, as far as they name themselves.
        timed: Whether something is due in it on the server's clock, so that it cannot wait to be asked for.
    """

    summary: bytes
    running: bool
    callers: tuple[str, ...]
    timed: bool


@dataclass(frozen=True, slots=True)
class BattleStarted:
    """A battle has started; one of the same id that is there is replaced.

    Attributes:
        battle_id: Id of the battle.
        start: The encoded StartRecord.
        pack_key: The SHA-256 of the pack's text: a text is kept once.
        pack_text: The pack as one JSON object.
    """

    battle_id: str
    start: bytes
    pack_key: str
    pack_text: bytes


@dataclass(frozen=True, slots=True)
class StepTaken:
    """A step has reached a battle: its number, from 1, and the encoded Step."""

    battle_id: str
    number: int
    step: bytes


@dataclass(frozen=True, slots=True)
class OverviewChanged:
    """The encoded Overview of a battle is another one."""

    battle_id: str
    overview: bytes


@dataclass(frozen=True, slots=True)
class BattleDropped:
    """A battle was ended or dropped: nothing is kept of it, nor of a pack that no other battle has."""

    battle_id: str


@dataclass(frozen=True, slots=True)
class ServerChanged:
    """What is kept of the server itself.

    Attributes:
        clock: The time on its clock, in ms.
        inactive: The packs whose GES events are off (R6.6).
    """

    clock: int = 0
    inactive: tuple[str, ...] = ()


Change: TypeAlias = BattleStarted | StepTaken | OverviewChanged | BattleDropped | ServerChanged


@dataclass(frozen=True, slots=True)
class StoredBattle:
    """Everything that is kept of one battle; the fields are those of the changes, steps in order."""

    start: bytes
    pack_key: str
    pack_text: bytes
    steps: tuple[bytes, ...]


_encoder = msgspec.msgpack.Encoder()
_steps: msgspec.msgpack.Decoder[Step] = msgspec.msgpack.Decoder(Step)
_starts = msgspec.msgpack.Decoder(StartRecord)
_overviews = msgspec.msgpack.Decoder(Overview)


def encode(record: Step | StartRecord | Overview) -> bytes:
    """A record as it is kept."""
    return _encoder.encode(record)


def step_of(encoded: bytes) -> Step:
    """A step as it was recorded.

    Raises:
        msgspec.MsgspecError: The bytes are none.
    """
    return _steps.decode(encoded)


def start_of(encoded: bytes) -> StartRecord:
    """A start as it was recorded.

    Raises:
        msgspec.MsgspecError: The bytes are none.
    """
    return _starts.decode(encoded)


def overview_of(encoded: bytes) -> Overview:
    """An overview as it was recorded.

    Raises:
        msgspec.MsgspecError: The bytes are none.
    """
    return _overviews.decode(encoded)
