"""From a battle that has been set up to what a store keeps of its start; `bridge.store.restoring` reads it (R8.2)."""

from __future__ import annotations

import hashlib

from bridge import __version__
from bridge.pb.gcs.v1 import service_pb2
from bridge.session_options import SessionOptions
from bridge.starting import Beginning
from bridge.store.journal import BattleJournal
from bridge.store.records import Start
from runtime.battle.replay import RULE_FLAGS
from runtime.battle.state import Battle


def record_start(
    journal: BattleJournal,
    battle: Battle,
    beginning: Beginning,
    options: SessionOptions,
    request: service_pb2.StartBattleRequest,
    at: int,
) -> None:
    """Records that a battle has started.

    Args:
        journal: The battle's journal.
        battle: The battle, set up.
        beginning: What it was started with.
        options: What it is told and allowed.
        request: The request that has started it.
        at: The time on the server's clock, in ms.
    """
    inline = request.HasField("pack_json")
    text = request.pack_json.encode() if inline else beginning.loaded.text
    bare = request
    if inline:
        bare = service_pb2.StartBattleRequest()
        bare.CopyFrom(request)
        bare.ClearField("pack_json")
    start = Start(
        request=bare.SerializeToString(),
        inline=inline,
        content_hash=battle.content.hash,
        seed=battle.seed,
        node_limit=beginning.node_limit,
        database_inactive=options.database_inactive,
        flags=RULE_FLAGS,
        at=0 if options.manual_clock else at,
        version=__version__,
    )
    journal.start(start, hashlib.sha256(text).hexdigest(), text)
