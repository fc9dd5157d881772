"""The request that started a battle, kept for repeated requests and for replays (R8.2)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from bridge.battles.battle_options import BattleOptions
from bridge.battles.packs import LoadedPack
from bridge.pb.gcs.v1 import battle_pb2, service_pb2
from runtime.battle.state import Battle


class RecordedStart:
    """The request that a battle was started with.

    Attributes:
        request_hash: Hash of the request: whether a repeated request is the same.
    """

    __slots__ = ("_request", "_sent_pack", "request_hash")

    def __init__(self, request: bytes) -> None:
        """Keeps a request.

        Args:
            request: The encoded StartBattleRequest.
        """
        self.request_hash = hash_of(request)
        # Without the pack that a client has sent: all its battles share that.
        bare = service_pb2.StartBattleRequest.FromString(request)
        self._sent_pack = bare.HasField("pack_json")
        bare.ClearField("pack_json")
        self._request = bare.SerializeToString()

    def replay(
        self, battle_id: str, battle: Battle, loaded: LoadedPack, options: BattleOptions, steps: Iterable[bytes]
    ) -> service_pb2.GetReplayResponse:
        """What makes the same battle again (R8.2).

        Args:
            battle_id: Id of the battle.
            battle: The battle.
            loaded: The pack that it was started with.
            options: Options of the battle.
            steps: What has reached it, as encoded steps.
        """
        start = service_pb2.StartBattleRequest.FromString(self._request)
        if self._sent_pack:
            start.pack_json = loaded.sent
        start.battle_id = battle_id
        start.seed = battle.seed
        start.rules = battle_pb2.RULES_EXTENDED if battle.extended else battle_pb2.RULES_DOCUMENTED
        replay = service_pb2.GetReplayResponse(
            start=start, content_hash=battle.content.hash, database_inactive=options.database_inactive
        )
        for step in steps:
            replay.steps.add().MergeFromString(step)
        return replay


def hash_of(request: bytes) -> bytes:
    """What tells an encoded request from others."""
    return hashlib.sha256(request).digest()
