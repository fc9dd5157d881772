"""From what a battle is started with to its session: the battle is set up, and recorded where there is a store."""

from __future__ import annotations

import hashlib
import secrets

from bridge import __version__
from bridge.battles.battle_options import BattleOptions, options_of
from bridge.battles.battle_setup import BattleSetup
from bridge.battles.counters import Counters
from bridge.battles.session import Session
from bridge.battles.telemetry import BattleTelemetry
from bridge.ges import Ges
from bridge.pb.gcs.v1 import service_pb2
from bridge.settings import ServerSettings
from bridge.store.journal import BattleJournal
from bridge.store.records import StartRecord
from runtime.battle.random_streams import DRAWN_SEEDS
from runtime.battle.replay import RULE_FLAGS
from runtime.battle.state import Battle


def start_session(
    battle_id: str,
    request: service_pb2.StartBattleRequest,
    encoded: bytes,
    setup: BattleSetup,
    settings: ServerSettings,
    ges: Ges,
    counters: Counters,
    journal: BattleJournal | None,
) -> Session:
    """Starts a battle. Plugins hear what its set-up raises.

    Args:
        battle_id: Id of the battle.
        request: What was asked for; without a seed it is given one that nobody can guess.
        encoded: The same, encoded.
        setup: What that stands for.
        settings: Those of the server.
        ges: The bridge that it belongs to.
        counters: What happens in it is counted in them.
        journal: Where it is recorded; None: nowhere.
    """
    options = options_of(request, settings, not ges.is_active(setup.loaded.content.id))
    seed = request.seed if options.seed_known else secrets.randbelow(DRAWN_SEEDS)
    ges.begin_action()
    try:
        battle = setup.start(seed, listeners=ges.listeners_of(battle_id), database_active=not options.database_inactive)
        # Read once: what the store has of the start and the battle's own time must not differ.
        began = ges.clock.now()
        if journal is not None:
            _record_start(journal, battle, setup, options, request, began)
        telemetry = BattleTelemetry(battle_id, counters)
        return Session(battle_id, battle, setup.loaded, options, encoded, ges, telemetry, journal, began)
    finally:
        ges.end_action()


def _record_start(
    journal: BattleJournal,
    battle: Battle,
    setup: BattleSetup,
    options: BattleOptions,
    request: service_pb2.StartBattleRequest,
    at: int,
) -> None:
    """Records that a battle has started.

    Args:
        journal: The battle's journal.
        battle: The battle, set up.
        setup: What it was started with.
        options: What it is told and allowed.
        request: The request that has started it.
        at: The time on the server's clock, in ms.
    """
    inline = request.HasField("pack_json")
    text = request.pack_json.encode() if inline else setup.loaded.text
    bare = request
    if inline:
        bare = service_pb2.StartBattleRequest()
        bare.CopyFrom(request)
        bare.ClearField("pack_json")
    start = StartRecord(
        request=bare.SerializeToString(),
        inline=inline,
        content_hash=battle.content.hash,
        seed=battle.seed,
        node_limit=setup.node_limit,
        database_inactive=options.database_inactive,
        flags=RULE_FLAGS,
        at=0 if options.manual_clock else at,
        version=__version__,
    )
    journal.start(start, hashlib.sha256(text).hexdigest(), text)
