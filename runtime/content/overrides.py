"""What a battle may be started with besides a pack: an encounter object, player overrides, another deck.

Each function takes JSON text (bytes) or plain values, and raises one error with everything that is wrong.
"""

from __future__ import annotations

from typing import Any

from runtime.content.assets import EncounterAsset, Pack, PlayerAsset
from runtime.content.json_text import parse_json, plain_copy
from runtime.content.problems import MAX_CALL_HINT_WORK, PackError, Place, Report, shown
from runtime.content.references import check_encounter_references, check_hp, check_ids
from runtime.content.shape import build, build_fields


def check_encounter(pack: Pack, encounter: object) -> EncounterAsset:
    """The encounter to play.

    Args:
        pack: The pack that it names assets of.
        encounter: The id of an encounter of the pack (a text), or an encounter object, which needs no id.

    Raises:
        PackError: There is no such encounter, or the object is wrong.
    """
    if isinstance(encounter, str) and encounter in pack.encounters:
        return pack.encounters[encounter]
    report = Report(MAX_CALL_HINT_WORK)
    place = Place()
    if isinstance(encounter, str):
        report.unknown(place, "encounter", encounter, pack.encounters)
        raise PackError(report.problems())
    asset = build(EncounterAsset, _plain(encounter, place, report), place, report)
    check_encounter_references(asset, place, pack, report)
    _raise_errors(report)
    return asset


def check_player(pack: Pack, player: object) -> dict[str, Any]:
    """Fields of an encounter's player to override: any of them, none is required.

    Args:
        pack: The pack whose statuses it may name.
        player: An object.

    Raises:
        PackError: A field is unknown or wrong, a status is unknown, or ``hp`` is above a ``max_hp`` given with it.
    """
    report = Report(MAX_CALL_HINT_WORK)
    place = Place()
    fields = build_fields(PlayerAsset, _plain(player, place, report), place, report)
    check_ids(fields.get("statuses", {}), pack.statuses, "status", place.at("statuses"), report)
    if "hp" in fields and "max_hp" in fields:
        check_hp(fields["hp"], fields["max_hp"], place.at("hp"), report)
    _raise_errors(report)
    return fields


def check_deck(pack: Pack, deck: object) -> list[str]:
    """The card ids of a deck to play with instead of the encounter's.

    Args:
        pack: The pack that has the cards.
        deck: A list of at least one card id.

    Raises:
        PackError: It is no such list, or a card is unknown.
    """
    report = Report(MAX_CALL_HINT_WORK)
    place = Place()
    cards = _plain(deck, place, report)
    if not isinstance(cards, list) or not cards:
        report.error(place, "no deck", expected="a list of at least one card id", found=shown(cards))
        raise PackError(report.problems())
    for index, card in enumerate(cards):
        if not isinstance(card, str):
            report.malformed(place.at(index), "wrong type", expected="a card id", found=shown(card))
    check_ids([card if isinstance(card, str) else "" for card in cards], pack.cards, "card", place, report)
    _raise_errors(report)
    return cards


def _plain(value: object, place: Place, report: Report) -> Any:
    return parse_json(value, place, report) if isinstance(value, bytes) else plain_copy(value, place, report)


def _raise_errors(report: Report) -> None:
    if report.failed:
        raise PackError(report.problems())
