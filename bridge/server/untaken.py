"""Answers that have been made and that the client does not take: bounded for each connection."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final, Protocol

from bridge.error_reasons import ErrorReason
from bridge.errors import exhausted
from bridge.net.addresses import UNIX

# Smaller ones are bounded by the number of calls that may be open.
_LARGE: Final = 16_384


class Taker(Protocol):
    """What is needed of a call's context."""

    def peer(self) -> str:
        """The address of its connection."""

    def add_done_callback(self, callback: Any) -> None:
        """Calls something once the call is over: the answer was taken, or nobody will."""


class UntakenAnswers:
    """Counts the bytes of large answers by connection until they have been taken.

    gRPC keeps an answer until the client's window takes it, which may be never.
    """

    def __init__(self, most_bytes: int) -> None:
        """Makes it for a server that is about to start.

        Args:
            most_bytes: How many bytes may wait on one connection; a single answer may be larger.
        """
        self._most = most_bytes
        self._waiting: Counter[str] = Counter()

    def hold(self, context: Taker, size: int) -> None:
        """Counts an answer that is about to be sent.

        Connections over a unix socket cannot be told apart, and are this machine's: they are not counted.

        Args:
            context: The call.
            size: Bytes of the answer.

        Raises:
            CallError: Too much waits on its connection already.
        """
        if size < _LARGE:
            return
        peer = context.peer()
        if peer.startswith(UNIX):
            return
        waiting = self._waiting[peer]
        if waiting and waiting + size > self._most:
            message = f"{waiting} bytes of answers wait to be taken on this connection; take them first"
            raise exhausted(ErrorReason.ANSWERS_NOT_TAKEN, message, self._most)
        self._waiting[peer] = waiting + size
        context.add_done_callback(lambda _: self._release(peer, size))

    def _release(self, peer: str, size: int) -> None:
        self._waiting[peer] -= size
        if not self._waiting[peer]:
            del self._waiting[peer]
