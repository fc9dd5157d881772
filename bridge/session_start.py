"""From what a battle is started with to its session: the battle is set up, and recorded where there is a store."""

from __future__ import annotations

import secrets
from typing import Final

from bridge.ges import Ges
from bridge.operation.counters import Counters
from bridge.operation.telemetry import BattleTelemetry
from bridge.pb.gcs.v1 import service_pb2
from bridge.session import Session
from bridge.session_options import options_of
from bridge.settings import ServerSettings
from bridge.starting import Beginning
from bridge.store import BattleJournal
from bridge.store.recording import record_start

_SEED_BITS: Final = 64


def start_session(
    battle_id: str,
    request: service_pb2.StartBattleRequest,
    encoded: bytes,
    beginning: Beginning,
    settings: ServerSettings,
    ges: Ges,
    counters: Counters,
    journal: BattleJournal | None,
) -> Session:
    """Starts a battle. Plugins hear what its set-up raises.

    Args:
        battle_id: Its id.
        request: What was asked for; without a seed it is given one that nobody can guess.
        encoded: The same, encoded.
        beginning: What that stands for.
        settings: Those of the server.
        ges: The bridge that it belongs to.
        counters: What happens in it is counted in them.
        journal: Where it is recorded; None: nowhere.
    """
    options = options_of(request, settings, not ges.is_active(beginning.loaded.content.id))
    seed = request.seed if options.seed_known else secrets.randbits(_SEED_BITS)
    ges.begin_action()
    try:
        battle = beginning.start(
            seed, listeners=ges.listeners_of(battle_id), database_active=not options.database_inactive
        )
        # Read once: what the store has of the start and the battle's own time must not differ.
        began = ges.clock.now()
        if journal is not None:
            record_start(journal, battle, beginning, options, request, began)
        telemetry = BattleTelemetry(battle_id, counters)
        return Session(battle_id, battle, beginning.loaded, options, encoded, ges, telemetry, journal, began)
    finally:
        ges.end_action()
