"""From a service's descriptor to gRPC handlers: requests are read, errors become status codes.

Messages cross gRPC as bytes and are read and written here. So a message that cannot be read is a typed
error as well, and a method may answer with bytes that were made once for many clients.
"""

from __future__ import annotations

import keyword
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, Generic, NoReturn, TypeVar

import grpc
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from grpc import aio

from bridge.battles.counters import Counters
from bridge.error_reasons import ErrorReason
from bridge.errors import INTERNAL, MOST_MESSAGE, CallError
from bridge.server.untaken import UntakenAnswers
from bridge.store import durable
from bridge.wire.sizes import SMALL, require_sizes

Context = aio.ServicerContext[bytes, bytes]
M = TypeVar("M", bound=Message)

_log: Final = logging.getLogger(__name__)
_DETAILS: Final = "grpc-status-details-bin"
# What reading from and writing to a call raise whose client has gone without a word.
PEER_GONE: Final = (aio.InternalError, aio.UsageError)


@dataclass(slots=True)
class Calls:
    """What all calls of a server have in common.

    Attributes:
        counters: What failed calls and open streams are counted in.
        untaken: Answers that clients have not taken yet.
        closed: What every new call is answered with; None: calls are taken.
    """

    untaken: UntakenAnswers
    counters: Counters = field(default_factory=Counters)
    closed: CallError | None = None


def handlers(service: ServiceDescriptor, servicer: object, calls: Calls) -> grpc.GenericRpcHandler:
    """The handlers of a service.

    Args:
        service: Descriptor of the service.
        servicer: An object with a method for each rpc: `start_battle` for StartBattle,
            `raise_` for Raise. A unary method is a
            coroutine function ``(request, context)`` that returns a message or its bytes, which go out once what
            they rest on is on disk (`bridge.store.durability`); one that streams
            responses writes their bytes to the context; one that streams both ways gets `Requests`. An rpc without
            a method is unimplemented: those of the standard services may get more of them.
        calls: What it has in common with the other services.
    """
    methods = {
        method.name: _handler(method, getattr(servicer, _function_name(method)), calls)
        for method in service.methods
        if hasattr(servicer, _function_name(method))
    }
    return grpc.method_handlers_generic_handler(service.full_name, methods)


def _function_name(method: MethodDescriptor) -> str:
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", method.name).lower()
    return f"{name}_" if keyword.iskeyword(name) else name


def _handler(
    method: MethodDescriptor, behavior: Callable[..., Any], calls: Calls
) -> grpc.RpcMethodHandler[bytes, bytes]:
    message = GetMessageClass(method.input_type)
    if method.client_streaming:
        return grpc.stream_stream_rpc_method_handler(_both_streaming(behavior, message, method.name, calls))
    if method.server_streaming:
        return grpc.unary_stream_rpc_method_handler(_streaming(behavior, message, method.name, calls))
    return grpc.unary_unary_rpc_method_handler(_unary(behavior, message, method.name, calls))


def _unary(
    behavior: Callable[[Message, Context], Awaitable[Message | bytes]],
    message: type[Message],
    method: str,
    calls: Calls,
) -> Callable[[bytes, Context], Awaitable[bytes]]:
    async def call(data: bytes, context: Context) -> bytes:
        async with _errors_as_status(context, method, calls):
            answer = await durable(behavior(read(message, data), context))
            encoded = answer if isinstance(answer, bytes) else answer.SerializeToString()
            calls.untaken.hold(context, len(encoded))
        return encoded

    return call


def _streaming(
    behavior: Callable[[Message, Context], Awaitable[None]], message: type[Message], method: str, calls: Calls
) -> Callable[[bytes, Context], Awaitable[None]]:
    async def call(data: bytes, context: Context) -> None:
        async with _errors_as_status(context, method, calls):
            with _counted(calls.counters, method):
                await behavior(read(message, data), context)

    return call


def _both_streaming(
    behavior: Callable[[Requests[Any], Context], Awaitable[None]], message: type[Message], method: str, calls: Calls
) -> Callable[[object, Context], Awaitable[None]]:
    async def call(_: object, context: Context) -> None:
        async with _errors_as_status(context, method, calls):
            with _counted(calls.counters, method):
                await behavior(Requests(message, context), context)

    return call


@contextmanager
def _counted(counters: Counters, method: str) -> Iterator[None]:
    counters.open_streams[method] += 1
    try:
        yield
    finally:
        counters.open_streams[method] -= 1


@asynccontextmanager
async def _errors_as_status(context: Context, method: str, calls: Calls) -> AsyncIterator[None]:
    """Ends the call with a status when anything goes wrong in it: a call never takes the process down."""
    try:
        if calls.closed is not None:
            raise calls.closed
        yield
    except CallError as error:
        calls.counters.failed_calls[method, error.reason.name] += 1
        if _log.isEnabledFor(logging.DEBUG):
            _log.debug("%s failed: %s", method, error.reason.name, extra={"peer": context.peer()})
        await fail(context, error)
    except PEER_GONE:
        # gRPC knows as well, and tells nobody.
        raise
    except Exception:  # noqa: BLE001 - logged, and answered
        calls.counters.failed_calls[method, INTERNAL.reason.name] += 1
        _log.exception("%s failed", method)
        await fail(context, INTERNAL)


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
        CallError: The bytes are no such message, or something in it is too large.
    """
    try:
        request = message.FromString(data)
    except DecodeError as error:
        name = message.DESCRIPTOR.full_name
        raise CallError(ErrorReason.MALFORMED_MESSAGE, f"not a {name}", {"message": name}) from error
    # What this server does not know would be kept along with the rest, in replays and in the store.
    request.DiscardUnknownFields()
    if len(data) > SMALL:
        require_sizes(request)
    return request


async def fail(context: Context, error: CallError) -> NoReturn:
    """Ends a call with an error's status, message and details."""
    await context.abort(error.reason.code, error.message[:MOST_MESSAGE], ((_DETAILS, error.details()),))
