"""What a battle on a server is told and allowed, beside its rules."""

from __future__ import annotations

from dataclasses import dataclass

from bridge.pb.gcs.v1 import service_pb2
from bridge.settings import ServerSettings


@dataclass(frozen=True, slots=True)
class BattleOptions:
    """What a battle is told and allowed beside its rules.

    Attributes:
        open_draw_pile: Whether the order of the draw pile may be told.
        seed_known: Whether the client chose the seed.
        allow_set_state: Whether state may be written.
        events_kept: How many events are kept for clients that come back.
        event_bytes: How many bytes of them, encoded.
        battle_bytes: How many bytes of steps are kept for its replay.
        streams: How many streams may be open.
        queued_messages: How many messages may wait for one stream.
        scheduled_raises: How many raises callers may have scheduled.
        repeats_per_second: How often its repeating raises may come in a second, with the server's clock.
        queued_raises: How many raises from outside may wait behind its open choice.
        advanced_raises: After how many scheduled raises one advance of its clock stops.
        manual_clock: Whether its time stands still but for `BattleRaises.advance_clock`.
        database_inactive: Whether the pack's GES events were off when it was started.
    """

    open_draw_pile: bool = False
    seed_known: bool = False
    allow_set_state: bool = False
    events_kept: int = 20_000
    event_bytes: int = 4 * 1024 * 1024
    battle_bytes: int = 64 * 1024 * 1024
    streams: int = 32
    queued_messages: int = 512
    scheduled_raises: int = 1_000
    repeats_per_second: int = 1_000
    queued_raises: int = 1_000
    advanced_raises: int = 10_000
    manual_clock: bool = False
    database_inactive: bool = False


def options_of(
    request: service_pb2.StartBattleRequest, settings: ServerSettings, database_inactive: bool
) -> BattleOptions:
    """The options of a battle.

    Args:
        request: What it is started with.
        settings: Those of the server.
        database_inactive: Whether the pack's GES events are off when it starts.
    """
    limits = settings.limits
    return BattleOptions(
        open_draw_pile=request.open_draw_pile,
        seed_known=request.HasField("seed"),
        allow_set_state=settings.allow_set_state,
        events_kept=limits.events_kept,
        event_bytes=limits.event_bytes,
        battle_bytes=limits.battle_bytes,
        streams=limits.streams_per_battle,
        queued_messages=limits.queued_messages,
        scheduled_raises=limits.scheduled_raises,
        repeats_per_second=limits.repeats_per_second,
        queued_raises=limits.queued_raises,
        advanced_raises=limits.advanced_raises,
        manual_clock=request.manual_clock,
        database_inactive=database_inactive,
    )
