"""Every reason for which a call ends with an error: its gRPC status code and what it means.

The reasons are part of the wire: clients compare them. docs/reference/errors.md and the constants of the Godot addon
are generated from this list.
"""

from __future__ import annotations

from enum import Enum

import grpc

_Code = grpc.StatusCode


class ErrorReason(Enum):
    """A reason: its name is the word on the wire.

    Attributes:
        code: The gRPC status code that a call with this reason ends with.
        meaning: What has happened and what a client can do, in a line.
    """

    code: grpc.StatusCode
    meaning: str

    def __init__(self, code: grpc.StatusCode, meaning: str) -> None:
        self.code = code
        self.meaning = meaning

    # The request.
    INVALID_FIELD = (_Code.INVALID_ARGUMENT, "A field of the request is wrong; the details name it.")
    MALFORMED_MESSAGE = (_Code.INVALID_ARGUMENT, "The bytes are no message of the type that the method takes.")
    BAD_CONTENT = (
        _Code.INVALID_ARGUMENT,
        "A pack, an encounter, a deck or a player has errors; the details tell them.",
    )
    UNKNOWN_EVENT = (_Code.INVALID_ARGUMENT, "No GES event of the battle's pack has this GUID.")

    # What is not there.
    UNKNOWN_BATTLE = (_Code.NOT_FOUND, "The server has no battle of this id: it was never started, or was dropped.")
    UNKNOWN_PACK = (_Code.NOT_FOUND, "The server has no pack of this id.")
    UNKNOWN_ENCOUNTER = (_Code.NOT_FOUND, "The pack has no encounter of this id.")
    UNKNOWN_SERVICE = (_Code.NOT_FOUND, "The health service knows no service of this name.")
    UNKNOWN_SEQUENCE = (_Code.OUT_OF_RANGE, "The battle has not had an event of this number yet.")
    EVENTS_GONE = (
        _Code.OUT_OF_RANGE,
        "Events behind this number are forgotten by now; join again with `last_sequence` 0.",
    )
    RAISE_GONE = (_Code.OUT_OF_RANGE, "The raise that is answered was too long ago: only the last 1,000 can be.")

    # Who calls.
    TOKEN_REQUIRED = (_Code.UNAUTHENTICATED, "The server takes calls with a token alone, and the call shows none.")
    TOKEN_REFUSED = (_Code.UNAUTHENTICATED, "The token that the call shows is not the server's.")
    INLINE_PACKS_NOT_ALLOWED = (_Code.PERMISSION_DENIED, "The server takes no packs from clients.")

    # The state of things.
    BATTLE_EXISTS = (_Code.ALREADY_EXISTS, "A battle of this id was started with another request.")
    BATTLE_RUNNING = (
        _Code.FAILED_PRECONDITION,
        "The replay would tell the order of the hidden draw pile; ask again when the battle is over.",
    )
    BATTLE_NOT_RESTORED = (
        _Code.FAILED_PRECONDITION,
        "The battle is in the store and cannot be loaded by this version of the server.",
    )
    NO_MANUAL_CLOCK = (_Code.FAILED_PRECONDITION, "The battle goes by the server's clock, which nobody can advance.")

    # Limits; the details name the limit.
    TOO_MANY_BATTLES = (_Code.RESOURCE_EXHAUSTED, "The server has as many battles as it takes.")
    TOO_MANY_STREAMS = (_Code.RESOURCE_EXHAUSTED, "As many streams as may be are open already.")
    TOO_MANY_ACTIONS = (_Code.RESOURCE_EXHAUSTED, "The client sends more actions and raises in a second than it may.")
    TOO_MANY_CARDS = (_Code.RESOURCE_EXHAUSTED, "The deck has more cards than a battle may be started with.")
    ANSWERS_NOT_TAKEN = (
        _Code.RESOURCE_EXHAUSTED,
        "So many bytes of answers wait on the connection to be taken that no more large ones are made.",
    )
    TOO_MANY_ENEMIES = (
        _Code.RESOURCE_EXHAUSTED,
        "The encounter has more enemies, or a larger `max_enemies`, than a battle may be started with.",
    )
    TOO_MANY_STATUSES = (
        _Code.RESOURCE_EXHAUSTED,
        "Player and enemies begin with more statuses than a battle may be started with.",
    )
    TOO_MANY_VARIABLES = (_Code.RESOURCE_EXHAUSTED, "The battle begins with more variables than it may.")
    TOO_MANY_QUEUED = (_Code.RESOURCE_EXHAUSTED, "As many raises as may be wait behind the open choice.")
    TOO_MANY_SCHEDULED = (_Code.RESOURCE_EXHAUSTED, "The battle has as many scheduled raises as it may have.")
    TOO_MANY_REPEATS = (_Code.RESOURCE_EXHAUSTED, "Repeating raises would come more often in a second than they may.")
    TOO_MANY_RAISES = (
        _Code.RESOURCE_EXHAUSTED,
        "So many raises have landed that the clock stands still again; call again to go on.",
    )
    BATTLE_TOO_LARGE = (
        _Code.RESOURCE_EXHAUSTED,
        "The battle keeps as many bytes of actions and raises as it may; end it and start another.",
    )
    SLOW_READER = (
        _Code.RESOURCE_EXHAUSTED,
        "More messages wait for this reader than may; the stream is cut off, join again.",
    )

    # The server.
    SERVER_STOPPING = (_Code.UNAVAILABLE, "The server stops; join again later.")
    STORE_FAILED = (_Code.UNAVAILABLE, "The store has failed, and what was asked may not have been done; ask again.")
    INTERNAL = (_Code.INTERNAL, "An error in the server; its log tells more.")
