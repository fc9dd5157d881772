"""An error of the server itself ends one call, with a typed status, and nothing else."""

from __future__ import annotations

import logging

import grpc
import pytest
from grpc import aio

from bridge.battles.session import Session
from bridge.pb.gcs.v1 import battle_pb2, content_pb2, ges_pb2, service_pb2, service_pb2_grpc
from bridge.server.server import Server
from bridge.settings import ServerSettings
from bridge.testing.client import Client, reason_of
from bridge.testing.process import FREE_PORT, ServerProcess
from tests.bridge.cutting_proxy import CuttingProxy
from tests.bridge.streams import PlayStream, join


def _broken(self: Session, action: battle_pb2.Action) -> bytes:
    raise ZeroDivisionError("secret")


async def test_an_error_of_the_server_is_told_as_such(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    server = Server(ServerSettings(address=FREE_PORT))
    await server.start()
    try:
        async with aio.insecure_channel(server.address) as channel:
            stub = service_pb2_grpc.BattleServiceStub(channel)
            start = service_pb2.StartBattleRequest(battle_id="b", pack="starter", encounter="first_fight")
            await stub.StartBattle(start)
            action = battle_pb2.Action(end_turn=battle_pb2.EndTurn())
            with monkeypatch.context() as patch, caplog.at_level(logging.ERROR):
                patch.setattr(Session, "act", _broken)
                with pytest.raises(grpc.RpcError) as unary:
                    await stub.Act(service_pb2.ActRequest(battle_id="b", action=action))
                stream = stub.Play()
                await stream.write(service_pb2.PlayRequest(join=service_pb2.JoinBattle(battle_id="b")))
                await stream.read()
                await stream.write(service_pb2.PlayRequest(action=action))
                with pytest.raises(grpc.RpcError) as streamed:
                    await stream.read()
            for refused in (unary.value, streamed.value):
                assert (refused.code(), reason_of(refused)) == (grpc.StatusCode.INTERNAL, "INTERNAL")
                assert "secret" not in str(refused)
            assert caplog.text.count("ZeroDivisionError: secret") == 2
            response = await stub.Act(service_pb2.ActRequest(battle_id="b", action=action))
            assert response.update.state_version == 2
    finally:
        await server.stop()


@pytest.mark.parametrize(
    "method",
    [
        f"/{service.full_name}/{method.name}"
        for file in (service_pb2, ges_pb2, content_pb2)
        for service in file.DESCRIPTOR.services_by_name.values()
        for method in service.methods
    ],
)
def test_every_method_is_there_and_refuses_what_it_cannot_read(gcs_client: Client, method: str) -> None:
    # On the wire all kinds of calls look alike.
    call = gcs_client.channel.stream_stream(method)(iter([b"\xff"]), timeout=gcs_client.seconds)
    with pytest.raises(grpc.RpcError) as refused:
        next(call)
    assert (refused.value.code(), reason_of(refused.value)) == (
        grpc.StatusCode.INVALID_ARGUMENT,
        "MALFORMED_MESSAGE",
    )


def test_clients_that_go_in_the_middle_are_no_error_of_the_server() -> None:
    """They have sent more than is answered yet, and the line is reset: nothing of it is in the log."""
    with ServerProcess() as server, Client(server.address) as direct:
        battle = direct.start(battle_id="left", player={"hp": 2_000_000_000})
        for number in range(20):
            # The answer to the join goes through, those to the actions are cut short.
            cut = (100_000, 9_000 + 200 * number)
            with (
                CuttingProxy(server.address, [cut]) as proxy,
                Client(proxy.address) as client,
                PlayStream(client, join("left", battle.mirror.last_sequence)) as stream,
            ):
                stream.next()
                for _ in range(40):
                    stream.act(end_turn=battle_pb2.EndTurn())
                with pytest.raises(grpc.RpcError):
                    stream.rest()
            request = service_pb2.GetBattleRequest(battle_id="left", last_sequence=battle.mirror.last_sequence)
            battle.mirror.take(direct.battles.GetBattle(request).update)
        assert server.terminate() == 0
        assert "Traceback" not in server.output
        assert " failed" not in server.output
