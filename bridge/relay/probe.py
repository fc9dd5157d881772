"""Whether the server behind a relay may be shown to other machines."""

from __future__ import annotations

import logging
from typing import Final

import grpc
from grpc import aio

from bridge.net.addresses import ListenError
from bridge.pb.gcs.v1 import service_pb2, service_pb2_grpc

_log: Final = logging.getLogger(__name__)

# A server that is being started beside the relay is waited for.
_SECONDS: Final = 15.0


async def check_token_demanded(to: str, listen: str) -> None:
    """Asks a server something without a token, which it must refuse.

    Args:
        to: ``HOST:PORT`` or ``unix:PATH`` of its plain port.
        listen: Where the relay is to listen, for messages.

    Raises:
        ListenError: It does not answer, or answers.
    """
    async with aio.insecure_channel(to) as channel:
        code = await _answer(channel, waits=False)
        if code is grpc.StatusCode.UNAVAILABLE:
            _log.info("waiting up to %g seconds for the server at %s", _SECONDS, to)
            code = await _answer(channel, waits=True)
    if code is grpc.StatusCode.UNAUTHENTICATED:
        return
    if code is not grpc.StatusCode.OK:
        raise ListenError(f"no gcs server answers at {to}: {code.name}")
    raise ListenError(
        f"the server at {to} takes calls without a token, and --listen {listen} can be reached from other machines: "
        "start the server with --token-file or GCS_TOKEN, or let the relay listen on 127.0.0.1"
    )


async def _answer(channel: aio.Channel, waits: bool) -> grpc.StatusCode:
    try:
        await service_pb2_grpc.BattleServiceStub(channel).GetServerInfo(
            service_pb2.GetServerInfoRequest(), timeout=_SECONDS, wait_for_ready=waits
        )
    except aio.AioRpcError as error:
        return error.code()
    return grpc.StatusCode.OK
