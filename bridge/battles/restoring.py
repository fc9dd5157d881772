"""From what a store has kept of a battle to the battle: its steps are carried out again (R8.2).

`prepare` reads and compiles, which for a large pack takes seconds, and may be done in another thread. What
`restoring` then does belongs to the thread of the event loop, in steps as short as the battle's actions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import Final

import msgspec

from bridge import __version__
from bridge.battles.battle_options import options_of
from bridge.battles.battle_setup import BattleSetup, setup_with
from bridge.battles.packs import PackLibrary
from bridge.battles.session import Session
from bridge.errors import CallError
from bridge.ges import Ges
from bridge.ges.clock import ManualClock, Wake
from bridge.pb.gcs.v1 import battle_pb2, service_pb2
from bridge.settings import ServerSettings
from bridge.store.records import (
    ActRecord,
    CallerRecord,
    Overview,
    StartRecord,
    Step,
    StoredBattle,
    TimeRecord,
    start_of,
    step_of,
)
from runtime.battle.ges_listeners import BattleListeners, Listeners
from runtime.battle.replay import RULE_FLAGS
from runtime.content.problems import PackError


class RestoreError(Exception):
    """A battle cannot be loaded; the message says why."""


class _StandingClock:
    """A clock that stands where the recorded step was, and calls nobody: what was due is a step, too."""

    def __init__(self) -> None:
        self.time = 0

    def now(self) -> int:
        return self.time

    def call_at(self, due: int, call: Callable[[], None]) -> Wake:
        return _NEVER


class _Never:
    def cancel(self) -> None:
        pass


_NEVER: Final = _Never()


@dataclass(frozen=True, slots=True)
class Prepared:
    """All that a battle is loaded from.

    Attributes:
        start: How it was started.
        request: The request that started it, with the pack that a client sent.
        setup: What that asks for, its pack compiled.
        steps: What has reached it, in order.
    """

    start: StartRecord
    request: service_pb2.StartBattleRequest
    setup: BattleSetup
    steps: list[Step]


def prepare(stored: StoredBattle, library: PackLibrary) -> Prepared:
    """Reads what a store has of a battle, and compiles its pack.

    Args:
        stored: What the store has of it.
        library: The packs.

    Raises:
        RestoreError: It is damaged, or nothing that this version of gcs can play.
    """
    try:
        start = start_of(stored.start)
        steps = [step_of(step) for step in stored.steps]
    except msgspec.MsgspecError as error:
        raise RestoreError(f"a record is damaged: {error}") from error
    if hashlib.sha256(stored.pack_text).hexdigest() != stored.pack_key:
        raise RestoreError(f"the store is damaged: the text of its pack is not the one with the hash {stored.pack_key}")
    unknown = [flag for flag in start.flags if flag not in RULE_FLAGS]
    if unknown:
        raise RestoreError(f"it is played by gcs {start.version} with rule flags {unknown}, which are not known here")
    request, setup = _setup_of(start, stored.pack_text, library)
    return Prepared(start, request, setup, steps)


def restoring(
    battle_id: str, prepared: Prepared, overview: Overview, settings: ServerSettings
) -> Generator[None, None, Session]:
    """Brings a battle back to where it was, and yields after each step; `Session.attach` has to follow.

    Nobody hears of it: plugins, clients and operators have heard all of it once. Nothing else sees the session
    before it is returned, and it sees nothing else.

    Args:
        battle_id: The battle.
        prepared: What it is loaded from.
        overview: What it has to come to.
        settings: Those of the server; state may be written until the battle goes live.

    Raises:
        RestoreError: It cannot be loaded.
    """
    start, steps = prepared.start, prepared.steps
    clock = _StandingClock()
    session = _begin(battle_id, prepared, clock, settings)
    yield
    for number, step in enumerate(steps, 1):
        _let_time_pass(session, clock, step)
        try:
            rejected = _apply(session, step)
        except CallError as error:
            raise RestoreError(f"step {number} of {len(steps)} cannot be done: {error.message}") from error
        if rejected:
            raise RestoreError(f"step {number} of {len(steps)} is rejected: {rejected}")
        yield
    restored = session.overview().summary
    if restored != overview.summary:
        expected = service_pb2.BattleSummary.FromString(overview.summary)
        raise RestoreError(
            f"gcs {__version__} plays it another way than gcs {start.version}, which started it: "
            f"expected {_shown(expected)}, got {_shown(session.summary())}"
        )
    return session


def _setup_of(
    start: StartRecord, text: bytes, library: PackLibrary
) -> tuple[service_pb2.StartBattleRequest, BattleSetup]:
    try:
        request = service_pb2.StartBattleRequest.FromString(start.request)
        if start.inline:
            request.pack_json = text.decode()
        loaded = library.stored(request.pack, text)
        setup = setup_with(loaded, request, start.node_limit)
    except PackError as error:
        raise RestoreError(f"this version of gcs refuses its pack: {error}") from error
    except CallError as error:
        raise RestoreError(f"this version of gcs refuses its start: {error.message}") from error
    if loaded.content.hash != start.content_hash:
        raise RestoreError(f"its content has the hash {loaded.content.hash}, not {start.content_hash}")
    return request, setup


def _begin(battle_id: str, prepared: Prepared, clock: _StandingClock, settings: ServerSettings) -> Session:
    start, request, setup = prepared.start, prepared.request, prepared.setup
    clock.time = start.at
    quiet = Ges(clock=clock)
    listeners = BattleListeners(battle_id, Listeners(quiet.monitor.failed))
    battle = setup.start(start.seed, listeners=listeners, database_active=not start.database_inactive)
    options = replace(options_of(request, settings, start.database_inactive), allow_set_state=True)
    encoded = request.SerializeToString(deterministic=True)
    return Session(battle_id, battle, setup.loaded, options, encoded, quiet, telemetry=None)


def _let_time_pass(session: Session, clock: _StandingClock, step: Step) -> None:
    own = session.raises.clock
    if not isinstance(own, ManualClock):
        clock.time = step.at
    elif step.at > own.now() or isinstance(step, TimeRecord):
        # A raise with no delay lands when somebody advances the clock or acts, not because another step follows.
        own.advance(max(0, step.at - own.now()))


def _apply(session: Session, step: Step) -> str:
    """Does what was recorded; says why it is refused, if it is."""
    if isinstance(step, ActRecord):
        done = session.act(battle_pb2.Action.FromString(step.action))
        return done.message if isinstance(done, battle_pb2.Rejection) else ""
    if isinstance(step, CallerRecord):
        session.add_caller(step.caller)
    else:
        session.raises.apply(step)
    return ""


def _shown(summary: service_pb2.BattleSummary) -> str:
    return f"version {summary.state_version}, event {summary.last_sequence}, turn {summary.turn}"
