"""A battle keeps no more bytes than it may, of events and of steps for its replay."""

from __future__ import annotations

import pytest

from bridge.battles.battles import Battles
from bridge.battles.event_window import EventWindow
from bridge.battles.packs import PackLibrary
from bridge.battles.session import Session
from bridge.errors import CallError
from bridge.ges import Ges, ManualClock
from bridge.pb.gcs.v1 import battle_pb2, events_pb2, ges_pb2, service_pb2
from bridge.settings import ServerLimits, ServerSettings

END_TURN = battle_pb2.Action(end_turn=battle_pb2.EndTurn())


def started(limits: ServerLimits, clock: ManualClock | None = None) -> tuple[Battles, Session]:
    ges = Ges(limits, clock)
    battles = Battles(ServerSettings(limits=limits), PackLibrary(), ges)
    request = service_pb2.StartBattleRequest(battle_id="one", pack="reference", encounter="reference")
    request.seed = 7
    return battles, battles.start(request)


def end_turns(session: Session, count: int) -> None:
    for _ in range(count):
        session.act(END_TURN)


def piece(first: int, last: int) -> bytes:
    events = [events_pb2.Event(sequence=number) for number in range(first, last + 1)]
    return events_pb2.Update(events=events).SerializeToString()


def test_events_are_forgotten_by_their_bytes() -> None:
    size = len(piece(1, 10))
    window = EventWindow(1_000, 2 * size + 5)
    for first in range(1, 41, 10):
        window.add(first + 9, piece(first, first + 9))
    first, encoded = window.after(20)
    assert first == 21
    assert [event.sequence for event in events_pb2.Update.FromString(encoded).events] == [*range(21, 41)]
    with pytest.raises(CallError) as failed:
        window.after(15)
    assert failed.value.reason.name == "EVENTS_GONE"


def test_the_last_piece_stays_whatever_its_size() -> None:
    window = EventWindow(1_000, 10)
    window.add(10, piece(1, 10))
    window.add(30, piece(11, 30))
    assert window.after(10) == (11, piece(11, 30))


def test_a_battle_that_keeps_too_much_takes_no_more_and_can_be_ended() -> None:
    battles, session = started(ServerLimits(battle_bytes=1_024))
    with pytest.raises(CallError) as failed:
        end_turns(session, 100)
    assert (failed.value.reason.name, failed.value.metadata) == ("BATTLE_TOO_LARGE", {"limit": "1024"})
    version = session.version
    with pytest.raises(CallError):
        session.raises.raise_event(ges_pb2.RaiseRequest(battle_id="one", guid="0" * 32), "me")
    assert session.version == version
    assert 0 < len(session.replay().steps) < 100
    update = events_pb2.Update.FromString(battles.end("one"))
    assert update.snapshot.outcome == battle_pb2.OUTCOME_ABORTED


def test_what_a_small_battle_keeps_is_within_the_bounds() -> None:
    _, session = started(ServerLimits())
    end_turns(session, 20)
    assert session.replay().steps
