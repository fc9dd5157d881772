"""The token that calls need: where it comes from, and the check.

A call shows it as the metadata ``authorization: Bearer TOKEN``. Only the health service goes without, so that load
balancers can ask.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, Final

import grpc
from grpc import aio

from bridge.error_reasons import ErrorReason
from bridge.errors import CallError
from bridge.server.rpc import fail
from bridge.settings import TOKEN_METADATA, TOKEN_VARIABLE, CannotServeError

_BEARER: Final = "Bearer "
_HEALTH: Final = "/grpc.health.v1.Health/"
# RFC 6750's characters of a bearer token; at least 16, which nobody guesses over a network.
_TOKEN: Final = re.compile(r"[A-Za-z0-9._~+/-]{16,}=*")

_MISSING: Final = CallError(
    ErrorReason.TOKEN_REQUIRED,
    "this server takes calls with a token alone: send the metadata 'authorization: Bearer TOKEN'",
)
_WRONG: Final = CallError(ErrorReason.TOKEN_REFUSED, "the token is not this server's")


class TokenError(CannotServeError):
    """There is no token where one should be, or it is none."""


def read_tokens(file: Path | None, environment: str = "") -> tuple[str, ...]:
    """The tokens that a server takes.

    Args:
        file: A file with one token on each line; a second one lets clients change over one by one. It goes before
            the environment.
        environment: The value of ``GCS_TOKEN``; empty: there is none.

    Returns:
        The tokens; none when neither is given.

    Raises:
        TokenError: The file cannot be read or holds no token, or something is no token.
    """
    if file is None:
        return (_checked(environment, TOKEN_VARIABLE),) if environment else ()
    try:
        text = file.read_text(encoding="ascii")
    except OSError as error:
        raise TokenError(f"no token in {file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise TokenError(f"no token in {file}: not ASCII text") from error
    tokens = tuple(
        _checked(line.strip(), f"{file}, line {number}")
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip()
    )
    if not tokens:
        raise TokenError(f"no token in {file}: the file is empty")
    return tokens


def _checked(token: str, place: str) -> str:
    if not _TOKEN.fullmatch(token):
        raise TokenError(
            f"{place}: no token; expected 16 or more letters, digits or any of - . _ ~ + /, then perhaps ="
        )
    return token


class TokenCheck(aio.ServerInterceptor):
    """Lets calls through that show a token: once a call, however many messages it has."""

    def __init__(self, tokens: Sequence[str]) -> None:
        """Takes the tokens; each of them is good."""
        self._tokens = [token.encode("ascii") for token in tokens]
        self._missing = _failing(_MISSING)
        self._wrong = _failing(_WRONG)

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[grpc.RpcMethodHandler[Any, Any] | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> grpc.RpcMethodHandler[Any, Any] | None:
        """The call's own handler, or one that refuses it."""
        shown = next(
            (value for key, value in handler_call_details.invocation_metadata or () if key == TOKEN_METADATA), None
        )
        if isinstance(shown, str) and shown.startswith(_BEARER) and self._is_good(shown.removeprefix(_BEARER)):
            return await continuation(handler_call_details)
        if handler_call_details.method.startswith(_HEALTH):
            return await continuation(handler_call_details)
        return self._missing if shown is None else self._wrong

    def _is_good(self, token: str) -> bool:
        shown = token.encode("utf-8")
        # All are compared, each in constant time: how long it takes tells nothing about any.
        found = False
        for good in self._tokens:
            found |= hmac.compare_digest(shown, good)
        return found


def _failing(error: CallError) -> grpc.RpcMethodHandler[bytes, bytes]:
    async def call(_: object, context: aio.ServicerContext[bytes, bytes]) -> None:
        await fail(context, error)

    # On the wire a unary call and a stream that sends nothing look alike.
    return grpc.stream_stream_rpc_method_handler(call)
