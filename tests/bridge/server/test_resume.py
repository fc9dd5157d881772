"""A stream that is cut at any byte is taken up again: nothing missing, nothing twice (issue 4, points 2 and 11)."""

from __future__ import annotations

from itertools import count
from random import Random

import grpc
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bridge.pb.gcs.v1 import battle_pb2, service_pb2
from bridge.testing.client import Client, reason_of
from bridge.testing.mirror import Mirror
from bridge.testing.process import ServerProcess
from tests.bridge.cutting_proxy import CuttingProxy
from tests.bridge.players import choose
from tests.bridge.streams import PlayStream

NUMBERS = count()
ACTIONS = 30
# Each connection anew: gRPC would share it between channels, and wait ever longer before it tries again.
OPTIONS = [("grpc.use_local_subchannel_pool", 1)]
# A connection's first few hundred bytes are HTTP/2's own and the join; an action has a hundred more, an update some
# hundreds, the first one thousands.
CUTS = st.lists(st.tuples(st.integers(1, 1_500), st.integers(1, 9_000)), min_size=1, max_size=10)


class Player:
    """A client that plays a battle and comes back whenever its connection is gone, as the addon does."""

    def __init__(self, address: str, start: service_pb2.StartBattleRequest, seed: int, ahead: int) -> None:
        self.address = address
        self.start = start
        self.random = Random(seed)
        # How many actions it sends before it waits for an answer.
        self.ahead = ahead
        self.mirror = Mirror()
        self.sent = 0
        self.unanswered: dict[str, battle_pb2.Action] = {}
        self.sent_again: set[str] = set()
        self.accepted: list[str] = []
        self.rejected: list[str] = []
        self.connections = 0
        self.errors: set[tuple[grpc.StatusCode, str]] = set()

    def play(self) -> None:
        while not self._done():
            self.connections += 1
            assert self.connections < 50
            with Client(self.address, options=OPTIONS) as client:
                try:
                    self._play_on(client)
                except grpc.RpcError as error:
                    # The line's error, not the server's.
                    self.errors.add((error.code(), reason_of(error)))

    def _done(self) -> bool:
        over = self.mirror.version > 0 and self.mirror.state.outcome != battle_pb2.OUTCOME_RUNNING
        return not self.unanswered and (over or self.sent >= ACTIONS)

    def _play_on(self, client: Client) -> None:
        join = service_pb2.JoinBattle(
            battle_id=self.start.battle_id, start=self.start, last_sequence=self.mirror.last_sequence
        )
        with PlayStream(client, join) as stream:
            self.mirror.take(stream.update())
            for action_id, action in self.unanswered.items():
                self.sent_again.add(action_id)
                stream.send(action=action)
            while not self._done():
                self._send(stream)
                response = stream.next()
                if response.WhichOneof("kind") == "rejection":
                    self._answered(response.rejection.action_id, self.rejected)
                    continue
                self.mirror.take(response.update)
                if response.update.action_id:
                    self._answered(response.update.action_id, self.accepted)

    def _answered(self, action_id: str, answers: list[str]) -> None:
        del self.unanswered[action_id]
        answers.append(action_id)

    def _send(self, stream: PlayStream) -> None:
        while len(self.unanswered) < self.ahead and self.sent < ACTIONS:
            action = choose(self.random, self.mirror.state)
            action.action_id = f"a{self.sent}"
            self.sent += 1
            self.unanswered[action.action_id] = action
            stream.send(action=action)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(cuts=CUTS, seed=st.integers(0, 2**32), ahead=st.integers(1, 3))
def test_a_battle_over_a_line_that_breaks_at_any_byte(
    gcs_server: ServerProcess, cuts: list[tuple[int, int]], seed: int, ahead: int
) -> None:
    with Client(gcs_server.address) as direct, CuttingProxy(gcs_server.address, cuts) as proxy:
        start = service_pb2.StartBattleRequest(
            battle_id=f"cut-{next(NUMBERS)}", pack="starter", encounter="first_fight", seed=seed, manual_clock=True
        )
        player = Player(proxy.address, start, seed, ahead)
        player.play()
        request = service_pb2.GetBattleRequest(battle_id=start.battle_id, last_sequence=0)
        whole = direct.battles.GetBattle(request).update
        replay = direct.battles.GetReplay(service_pb2.GetReplayRequest(battle_id=start.battle_id))
        direct.battles.EndBattle(service_pb2.EndBattleRequest(battle_id=start.battle_id))
    assert player.errors <= {(grpc.StatusCode.UNAVAILABLE, "")}
    assert player.mirror.state == whole.snapshot
    assert player.mirror.version == whole.state_version
    assert player.mirror.events == list(whole.events)
    # What was accepted was carried out once, in the order of sending; what was refused not at all.
    carried_out = [step.action.action_id for step in replay.steps]
    assert len(carried_out) == len(set(carried_out))
    # One whose refusal was lost with the line, and that was sent again behind another one, may have been accepted then.
    in_order = [action_id for action_id in carried_out if ahead == 1 or action_id not in player.sent_again]
    assert in_order == sorted(in_order, key=lambda action_id: int(action_id[1:]))
    assert set(player.accepted) == set(carried_out)
    assert sorted([*player.accepted, *player.rejected]) == sorted(f"a{number}" for number in range(player.sent))


def test_the_line_does_break(gcs_server: ServerProcess) -> None:
    """The proxy of the test above cuts: within the handshake, within a request, within an answer."""
    cuts = [(10, 9_000), (200, 9_000), (600, 9_000), (9_000, 50), (9_000, 1_500), (9_000, 4_000)]
    with CuttingProxy(gcs_server.address, cuts) as proxy:
        start = service_pb2.StartBattleRequest(
            battle_id="does-break", pack="starter", encounter="first_fight", seed=1, manual_clock=True
        )
        player = Player(proxy.address, start, 1, 1)
        player.play()
        assert proxy.cuts == len(cuts)
        # Not one channel for each cut: a call that no server has seen is tried again by gRPC itself, unnoticed by us.
        assert 1 < player.connections <= len(cuts) + 1
        assert player.errors == {(grpc.StatusCode.UNAVAILABLE, "")}


def test_none_of_this_is_an_error_of_the_server(gcs_server: ServerProcess) -> None:
    """Runs behind the others: clients that have gone without a word are no news."""
    assert "Traceback" not in gcs_server.output
    assert " failed" not in gcs_server.output
