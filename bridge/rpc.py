"""From a service's descriptor to gRPC handlers: requests are read, errors become status codes.

Messages cross gRPC as bytes and are read and written here. So a message that cannot be read is a typed
refusal as well, and a method may answer with bytes that were made once for many clients.
"""

from __future__ import annotations

import keyword
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final, Generic, NoReturn, TypeVar

import grpc
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from grpc import aio

from bridge.errors import INTERNAL, MOST_MESSAGE, CallError

Context = aio.ServicerContext[bytes, bytes]
M = TypeVar("M", bound=Message)

_log: Final = logging.getLogger(__name__)
_DETAILS: Final = "grpc-status-details-bin"


def handlers(service: ServiceDescriptor, servicer: object) -> grpc.GenericRpcHandler:
    """The handlers of a service.

    Args:
        service: Its descriptor.
        servicer: An object with a method for each rpc: `start_battle` for StartBattle,
            `raise_` for Raise. A unary method is a
            coroutine function ``(request, context)`` that returns a message or its bytes; one that streams
            responses writes their bytes to the context; one that streams both ways gets `Requests`.
    """
    methods = {method.name: _handler(method, getattr(servicer, _function_name(method))) for method in service.methods}
    return grpc.method_handlers_generic_handler(service.full_name, methods)


def _function_name(method: MethodDescriptor) -> str:
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", method.name).lower()
    return f"{name}_" if keyword.iskeyword(name) else name


def _handler(method: MethodDescriptor, behavior: Callable[..., Any]) -> grpc.RpcMethodHandler[bytes, bytes]:
    message = GetMessageClass(method.input_type)
    if method.client_streaming:
        return grpc.stream_stream_rpc_method_handler(_both_streaming(behavior, message))
    if method.server_streaming:
        return grpc.unary_stream_rpc_method_handler(_streaming(behavior, message))
    return grpc.unary_unary_rpc_method_handler(_unary(behavior, message))


def _unary(
    behavior: Callable[[Message, Context], Awaitable[Message | bytes]], message: type[Message]
) -> Callable[[bytes, Context], Awaitable[bytes]]:
    async def call(data: bytes, context: Context) -> bytes:
        async with _errors_as_status(context):
            answer = await behavior(read(message, data), context)
        return answer if isinstance(answer, bytes) else answer.SerializeToString()

    return call


def _streaming(
    behavior: Callable[[Message, Context], Awaitable[None]], message: type[Message]
) -> Callable[[bytes, Context], Awaitable[None]]:
    async def call(data: bytes, context: Context) -> None:
        async with _errors_as_status(context):
            await behavior(read(message, data), context)

    return call


def _both_streaming(
    behavior: Callable[[Requests[Any], Context], Awaitable[None]], message: type[Message]
) -> Callable[[object, Context], Awaitable[None]]:
    async def call(_: object, context: Context) -> None:
        async with _errors_as_status(context):
            await behavior(Requests(message, context), context)

    return call


@asynccontextmanager
async def _errors_as_status(context: Context) -> AsyncIterator[None]:
    """Ends the call with a status when anything goes wrong in it: a call never takes the process down."""
    try:
        yield
    except CallError as error:
        await refuse(context, error)
    except Exception:  # noqa: BLE001 - logged, and answered
        _log.exception("a call failed")
        await refuse(context, INTERNAL)


class Requests(Generic[M]):
    """The messages that a client streams."""

    __slots__ = ("_context", "_message")

    def __init__(self, message: type[M], context: Context) -> None:
        self._message = message
        self._context = context

    async def next(self) -> M | None:
        """The next message; None when the client has sent its last one.

        Raises:
            CallError: It cannot be read.
        """
        data: object = await self._context.read()
        # At the end gRPC gives a mark of its own.
        return read(self._message, data) if isinstance(data, bytes) else None


def read(message: type[M], data: bytes) -> M:
    """A message from its bytes.

    Raises:
        CallError: The bytes are no such message.
    """
    try:
        return message.FromString(data)
    except DecodeError as error:
        name = message.DESCRIPTOR.full_name
        raise CallError(
            grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED_MESSAGE", f"not a {name}", {"message": name}
        ) from error


async def refuse(context: Context, error: CallError) -> NoReturn:
    """Ends a call with an error's status, message and details."""
    await context.abort(error.code, error.message[:MOST_MESSAGE], ((_DETAILS, error.details()),))
