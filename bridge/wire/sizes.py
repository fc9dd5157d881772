"""How large texts and lists of requests may be, in one place: a test asks for a size for each field.

These are bounds on what a message may make the server look at or keep. What a field may say within them is checked
where it is read.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from bridge.errors import invalid


class Size(NamedTuple):
    """The largest value of a field.

    Attributes:
        characters: Characters of a text, or of each text in a list or map; 0: as many as the message may have bytes.
        entries: Entries of a list or map.
    """

    characters: int
    entries: int = 0


# Whatever has no more bytes than this is within all sizes: the usual message need not be looked through.
SMALL: Final = 1_000
# Ids and names: of battles, assets, units, cards and callers.
_NAME: Final = Size(1_000)
# The largest message is a limit of the server.
_DOCUMENT: Final = Size(0)

SIZES: Final[dict[str, Size]] = {
    "gcs.v1.StartBattleRequest.battle_id": _NAME,
    "gcs.v1.StartBattleRequest.pack": _NAME,
    "gcs.v1.StartBattleRequest.pack_json": _DOCUMENT,
    "gcs.v1.StartBattleRequest.encounter": _NAME,
    "gcs.v1.StartBattleRequest.encounter_json": _DOCUMENT,
    "gcs.v1.PlayerOverride.statuses": Size(1_000, 10_000),
    "gcs.v1.PlayerOverride.variables": Size(1_000, 10_000),
    "gcs.v1.DeckOverride.cards": Size(1_000, 100_000),
    "gcs.v1.JoinBattle.battle_id": _NAME,
    "gcs.v1.Action.action_id": _NAME,
    "gcs.v1.PlayCard.card": _NAME,
    "gcs.v1.PlayCard.target": _NAME,
    "gcs.v1.AnswerChoice.cards": Size(1_000, 100_000),
    "gcs.v1.SetState.values": Size(1_000, 10_000),
    "gcs.v1.ActRequest.battle_id": _NAME,
    "gcs.v1.GetBattleRequest.battle_id": _NAME,
    "gcs.v1.EndBattleRequest.battle_id": _NAME,
    "gcs.v1.ListBattlesRequest.page_token": _NAME,
    "gcs.v1.GetReplayRequest.battle_id": _NAME,
    "gcs.v1.WatchRequest.battle_id": _NAME,
    "gcs.v1.PreviewRequest.battle_id": _NAME,
    "gcs.v1.PreviewRequest.card": _NAME,
    "gcs.v1.PreviewRequest.target": _NAME,
    "gcs.v1.SimulateRequest.bot": _NAME,
    "gcs.v1.RaiseRequest.battle_id": _NAME,
    "gcs.v1.RaiseRequest.guid": _NAME,
    "gcs.v1.RaiseRequest.raise_id": _NAME,
    "gcs.v1.Payload.text_value": Size(100_000),
    "gcs.v1.Payload.unit_value": _NAME,
    "gcs.v1.Payload.card_value": _NAME,
    "gcs.v1.Payload.status_value": _NAME,
    "gcs.v1.StructValue.fields": Size(1_000, 1_000),
    "gcs.v1.CancelRequest.battle_id": _NAME,
    "gcs.v1.CancelRequest.raise_id": _NAME,
    "gcs.v1.AdvanceClockRequest.battle_id": _NAME,
    "gcs.v1.ListenRequest.battle_id": _NAME,
    "gcs.v1.ListenRequest.guids": Size(1_000, 10_000),
    "gcs.v1.ListEventsRequest.pack": _NAME,
    "gcs.v1.SetDatabaseActiveRequest.pack": _NAME,
    "gcs.v1.GetPackRequest.pack": _NAME,
    "gcs.v1.CheckRequest.pack": _NAME,
    "gcs.v1.CheckRequest.pack_json": _DOCUMENT,
    "gcs.v1.ReloadRequest.pack": _NAME,
    "grpc.health.v1.HealthCheckRequest.service": _NAME,
}


def require_sizes(message: Message, place: str = "") -> None:
    """Refuses a message in which a text, a list or a map is too large.

    Args:
        message: The message.
        place: What stands before the names of its fields in an error: ``action.``.

    Raises:
        CallError: Something is too large; the details name the field.
    """
    for field, value in message.ListFields():
        name = f"{place}{field.name}"
        size = SIZES.get(field.full_name)
        if field.is_repeated:
            if size is not None and len(value) > size.entries:
                raise invalid(name, f"at most {size.entries} entries", len(value))
            _require_entries(value, name, size)
        elif field.type == FieldDescriptor.TYPE_MESSAGE:
            require_sizes(value, f"{name}.")
        elif size is not None and isinstance(value, str | bytes):
            _require_length(value, name, size)


def _require_entries(values: Any, name: str, size: Size | None) -> None:
    entries: Iterable[object] = values
    if hasattr(values, "items"):
        entries = [part for entry in values.items() for part in entry]
    for each in entries:
        if isinstance(each, Message):
            require_sizes(each, f"{name}[].")
        elif size is not None and isinstance(each, str | bytes):
            _require_length(each, name, size)


def _require_length(value: str | bytes, name: str, size: Size) -> None:
    if size.characters and len(value) > size.characters:
        raise invalid(name, f"at most {size.characters} characters", len(value))
