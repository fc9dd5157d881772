"""For whom actions are counted (issue 4, point 6): nobody gets more by another name, and nobody less by others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, cast

import grpc
import pytest

from bridge.errors import CallError
from bridge.pb.gcs.v1 import battle_pb2, ges_pb2, service_pb2
from bridge.server.callers import counted_for, stream_counted_for
from bridge.server.rpc import Context
from bridge.settings import ServerLimits, ServerSettings
from bridge.testing.client import Client, reason_of
from bridge.testing.process import FREE_PORT, ServerProcess
from tests.bridge.packs import GUIDS, wire_pack
from tests.bridge.streams import PlayStream, join

LIMITS = ServerLimits(actions_per_second=5)
# Far more than any machine lets through at five in a second.
MANY = 500
END_TURN = battle_pb2.Action(end_turn=battle_pb2.EndTurn())
# Channels of one process share a connection unless they are told not to.
APART = [("grpc.use_local_subchannel_pool", 1)]


class Called:
    """A call as far as it tells who calls."""

    def __init__(self, peer: str, name: str = "") -> None:
        self._peer = peer
        self._metadata = (("gcs-caller", name),) if name else ()

    def peer(self) -> str:
        return self._peer

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return self._metadata


def call(peer: str, name: str = "") -> Context:
    return cast("Context", Called(peer, name))


def test_over_tcp_the_connection_counts_and_the_name_besides() -> None:
    peer = "ipv4:127.0.0.1:5"
    assert counted_for(call(peer), ()) == stream_counted_for(call(peer)) == (peer,)
    assert counted_for(call(peer, "me"), ()) == stream_counted_for(call(peer, "me")) == (peer, "caller/me")


def test_over_a_unix_socket_a_name_counts_where_it_has_joined() -> None:
    assert counted_for(call("unix:"), ("unix:",)) == counted_for(call("unix:", "new"), ("caller/me",)) == ("unix:",)
    assert counted_for(call("unix:", "me"), ("caller/me",)) == stream_counted_for(call("unix:", "me")) == ("caller/me",)
    # Each stream without a name stands for itself.
    assert len({stream_counted_for(call("unix:")) for _ in range(3)}) == 3


@pytest.mark.parametrize("counted", [lambda context: counted_for(context, ()), stream_counted_for])
def test_a_name_that_is_none(counted: Callable[[Context], tuple[str, ...]]) -> None:
    with pytest.raises(CallError, match="gcs-caller"):
        counted(call("unix:", "not a name"))


@pytest.fixture(scope="module")
def unix_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder: Path = tmp_path_factory.mktemp("counted")
    with ServerProcess(ServerSettings(address=f"unix:{folder}/gcs.sock", limits=LIMITS)) as server:
        yield server


def start(client: Client, name: str) -> str:
    request = service_pb2.StartBattleRequest(pack="starter", encounter="first_fight")
    return str(client.battles.StartBattle(request, metadata=[("gcs-caller", name)]).update.battle_id)


def act(client: Client, battle_id: str, name: str) -> None:
    request = service_pb2.ActRequest(battle_id=battle_id, action=END_TURN)
    client.battles.Act(request, metadata=[("gcs-caller", name)])


def check_refused(call: Callable[[], Any]) -> None:
    """A call is refused at some time, as there are too many."""
    with pytest.raises(grpc.RpcError) as refused:
        _ = [call() for _ in range(MANY)]
    assert reason_of(refused.value) == "TOO_MANY_ACTIONS"


def test_those_who_name_themselves_share_no_limit_over_a_unix_socket(unix_server: ServerProcess) -> None:
    with Client(unix_server.address) as client:
        battles = {name: start(client, name) for name in ("one", "two")}
        check_refused(lambda: act(client, battles["one"], "one"))
        act(client, battles["two"], "two")


def test_streams_without_a_name_share_no_limit_over_a_unix_socket(unix_server: ServerProcess) -> None:
    with Client(unix_server.address) as client:
        battle = client.start(player={"hp": 1_000_000})
        with PlayStream(client, join(battle.battle_id)) as greedy, PlayStream(client, join(battle.battle_id)) as other:
            for _ in range(MANY):
                greedy.act(end_turn=battle_pb2.EndTurn())
            with pytest.raises(grpc.RpcError) as refused:
                greedy.rest()
            assert reason_of(refused.value) == "TOO_MANY_ACTIONS"
            other.act("mine", end_turn=battle_pb2.EndTurn())
            while other.update().action_id != "mine":
                pass


@pytest.mark.parametrize("kind", ["act", "raise", "raise to all"])
def test_another_name_with_each_call_gains_nothing(unix_server: ServerProcess, kind: str) -> None:
    with ServerProcess(ServerSettings(address=FREE_PORT, limits=LIMITS)) as tcp_server:
        for server in (unix_server, tcp_server):
            with Client(server.address, options=APART) as client:
                names = count()
                battle = client.start(wire_pack(), "fight").battle_id
                raising = ges_pb2.RaiseRequest(guid=GUIDS["none"], battle_id=battle if kind == "raise" else "")

                def again(client: Client = client, battle: str = battle, names: Iterator[int] = names) -> None:
                    name = f"name{next(names)}"
                    if kind == "act":
                        act(client, battle, name)
                    else:
                        client.ges.Raise(raising, metadata=[("gcs-caller", name)])  # noqa: B023

                check_refused(again)
