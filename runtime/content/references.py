"""What assets say of each other: ids that must exist, ranges and figures that must fit together."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, Protocol

from msgspec import UNSET

from runtime.content import guids
from runtime.content.assets import EncounterAsset, EventAsset
from runtime.content.draft import Draft, graph_owners
from runtime.content.flow_rules import check_flows
from runtime.content.notices import NOTICES, PREFIX
from runtime.content.problems import Place, Report, shown

MAX_HP: Final = 2**31 - 1


class Assets(Protocol):
    """Where ids are looked up: a draft, or a pack that has been checked."""

    @property
    def cards(self) -> Mapping[str, object]:
        """Cards by id."""

    @property
    def statuses(self) -> Mapping[str, object]:
        """Statuses by id."""

    @property
    def enemies(self) -> Mapping[str, object]:
        """Enemies by id."""

    @property
    def decks(self) -> Mapping[str, object]:
        """Decks by id."""


def check_references(draft: Draft, report: Report) -> None:
    """Reports what is wrong between the assets of a pack; graphs are `runtime.graph.check.check`'s."""
    _check_cards(draft, report)
    for enemy in draft.enemies.values():
        _check_hit_points(enemy.asset.hp, enemy.place.at("hp"), report)
        check_ids(enemy.asset.statuses, draft.statuses, "status", enemy.place.at("statuses"), report)
    for deck in draft.decks.values():
        check_ids(deck.asset.cards, draft.cards, "card", deck.place.at("cards"), report)
    for encounter in draft.encounters.values():
        if not encounter.asset.id:
            report.malformed(encounter.place.at("id"), 'missing field "id"', expected="the encounter's id")
        check_encounter_references(encounter.asset, encounter.place, draft, report)
    _check_events(draft, report)
    check_flows(draft, report)


def check_encounter_references(encounter: EncounterAsset, place: Place, assets: Assets, report: Report) -> None:
    """Reports ids that an encounter names and the pack lacks, and figures that do not fit together."""
    check_ids(encounter.enemies, assets.enemies, "enemy", place.at("enemies"), report)
    check_id(encounter.deck, assets.decks, "deck", place.at("deck"), report)
    player = encounter.player
    check_ids(player.statuses, assets.statuses, "status", place.at("player", "statuses"), report)
    if player.max_hp is not UNSET:
        check_hp(player.hp, player.max_hp, place.at("player", "hp"), report)
    for index, reward in enumerate(encounter.rewards):
        check_ids(reward.cards, assets.cards, "card", place.at("rewards", index, "cards"), report)


def check_hp(hp: int, max_hp: int, place: Place, report: Report) -> None:
    """Reports HP above the maximum that is given with it."""
    if hp > max_hp:
        report.error(place, "out of range", expected=f"at most max_hp, {max_hp}", found=shown(hp))


def check_id(name: str, known: Collection[str], what: str, place: Place, report: Report) -> None:
    """Reports a name that is not among the known ids."""
    if name not in known:
        report.unknown(place, what, name, known)


def check_ids(names: Collection[str], known: Collection[str], what: str, place: Place, report: Report) -> None:
    """Reports the names of a list, or the keys of an object, that are not among the known ids."""
    keyed = isinstance(names, dict)
    for index, name in enumerate(names):
        if name not in known:
            report.unknown(place.at(name if keyed else index), what, name, known)


def _check_cards(draft: Draft, report: Report) -> None:
    owners = graph_owners(draft)
    for name, located in draft.cards.items():
        card, place = located.asset, located.place
        if card.upgrade is not None:
            check_id(card.upgrade, draft.cards, "card", place.at("upgrade"), report)
        if card.graph_of is None:
            continue
        check_id(card.graph_of, draft.cards, "card", place.at("graph_of"), report)
        if card.graph is not UNSET:
            report.error(place.at("graph_of"), "a card has a graph or uses another card's, never both")
        if draft.cards[owners[name]].asset.graph_of in draft.cards:
            report.error(place.at("graph_of"), "goes in a circle", expected="a card that has a graph")


def _check_hit_points(hp: int | tuple[int, int], place: Place, report: Report) -> None:
    expected = f"an integer from 1 to {MAX_HP}"
    if isinstance(hp, int):
        if not 1 <= hp <= MAX_HP:
            report.error(place, "out of range", expected=expected, found=shown(hp))
        return
    low, high = hp
    if low > high:
        report.error(place, "the low end is above the high end", expected="[low, high]", found=f"[{low}, {high}]")


def _check_events(draft: Draft, report: Report) -> None:
    places: dict[str, Place] = {}
    for event in draft.events.values():
        place = event.place.at("guid")
        guid = guids.normalize_guid(event.asset.guid)
        if guid is None:
            report.malformed(place, "malformed GUID", expected=guids.EXPECTED, found=shown(event.asset.guid))
        elif guid in places:
            first = places[guid]
            where = f"{first.file}: {first.path}" if first.file else first.path
            report.error(place, f"duplicate GUID {guid}", expected="a GUID of its own", hint=f"also at {where}")
        else:
            places[guid] = place
        _check_fields(event.asset, event.place.at("fields"), report)
    info = draft.info
    for notice, text in info.asset.notify.items():
        place = info.place.at("notify", notice)
        if notice not in NOTICES:
            bare = notice.removeprefix(PREFIX)
            hint = f"did you mean {shown(bare)}?" if bare in NOTICES else report.nearest(notice, NOTICES)
            report.error(place, f"unknown notice {shown(notice)}", found=shown(notice), hint=hint)
        check_guid(text, places, place, report)


def _check_fields(event: EventAsset, place: Place, report: Report) -> None:
    if event.fields is UNSET:
        return
    if event.argument != "struct":
        report.error(place, f"an event that carries {event.argument} has no fields", expected='"argument": "struct"')
    for name in event.fields:
        if not name or (name == "sender" and event.sender):
            expected = "a name that the sender does not have already" if name else "a name"
            report.error(place.at(name), "wrong name of a field", expected=expected, found=shown(name))


def check_guid(text: str, known: Collection[str], place: Place, report: Report) -> str | None:
    """Reports a text that is no GUID or that of no event of the pack; else gives it normalized."""
    guid = guids.normalize_guid(text)
    if guid is None:
        report.error(place, "malformed GUID", expected=guids.EXPECTED, found=shown(text))
        return None
    if guid not in known:
        hint = report.nearest(guid, known)
        report.error(place, f"unknown event {guid}", expected="the GUID of an event of the pack", hint=hint)
        return None
    return guid
