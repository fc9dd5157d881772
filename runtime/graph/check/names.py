"""Warnings of names that lead nowhere within a pack: events, variables and filters that nothing answers to.

Texts that name something say so in their declaration (`Param.names`), so nodes of installed packages are checked, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Final

from runtime.content.draft import Draft
from runtime.content.notices import PREFIX
from runtime.content.problems import Place, Report, shown
from runtime.graph.check.view import Node, View
from runtime.graph.declare import NodeType, Param
from runtime.graph.timings import ON_INTERNAL_EVENT

# A name at one place, with how messages call the node there.
Use = tuple[str, Place, str]

_POOL_FIELDS: Final = ("type", "tag", "rarity")


@dataclass(slots=True)
class NameUses:
    """Where a pack's graphs use names.

    Attributes:
        raised: Internal events that are raised.
        heard: Internal events that are listened to.
        written: Variables that are written.
        read: Variables that are read.
        arguments: The names of the arguments of each raised internal event.
    """

    raised: list[Use] = field(default_factory=list)
    heard: list[Use] = field(default_factory=list)
    written: list[Use] = field(default_factory=list)
    read: list[Use] = field(default_factory=list)
    arguments: dict[str, set[str]] = field(default_factory=dict)


def collect_names(view: View, uses: NameUses) -> None:
    """Adds the names that a graph uses."""
    for node in view.nodes:
        if node.type is None:
            continue
        for param in node.type.params:
            name = node.asset.params.get(param.name)
            if not isinstance(name, str) or not name:
                continue
            use = (name, node.place.at("params", param.name), node.label)
            if param.names == "internal_event":
                _collect_event(node, node.type, use, uses)
            elif param.names == "variable":
                (uses.written if node.type.changes_state else uses.read).append(use)


def _collect_event(node: Node, declared: NodeType, use: Use, uses: NameUses) -> None:
    name = use[0]
    if name.startswith(PREFIX):
        return
    if declared.timing == ON_INTERNAL_EVENT:
        uses.heard.append(use)
        return
    uses.raised.append(use)
    given = node.asset.params.get(declared.argument_inputs) if declared.argument_inputs is not None else None
    uses.arguments.setdefault(name, set()).update(given if isinstance(given, dict) else ())


def warn_of_names(uses: NameUses, draft: Draft, report: Report) -> None:
    """Warns of internal events that nobody raises or hears, and of variables that are read and never written.

    Args:
        uses: The names that the graphs of the pack use.
        draft: The pack: encounters give the player variables.
        report: Collects the warnings.
    """
    raised = dict.fromkeys(name for name, _, _ in uses.raised)
    heard = dict.fromkeys(name for name, _, _ in uses.heard)
    for name, place, label in uses.heard:
        if name not in raised:
            report.warning(place, f"{label} never runs: nobody raises {shown(name)}", hint=report.nearest(name, raised))
    for name, place, label in uses.raised:
        if name not in heard:
            report.warning(
                place, f"{label} reaches nobody: no graph listens to {shown(name)}", hint=report.nearest(name, heard)
            )
    written = dict.fromkeys(name for name, _, _ in uses.written)
    for encounter in draft.encounters.values():
        written.update(dict.fromkeys(encounter.asset.player.variables))
    for name, place, label in uses.read:
        if name not in written:
            message = f"{label} always reads 0: nothing writes the variable {shown(name)}"
            hint = report.nearest(name, written)
            report.warning(place, message, expected="a node or an encounter that sets it", hint=hint)


Pool = tuple[str | None, str | None, str | None]


@dataclass(slots=True)
class Filters:
    """What filters may name: what the cards and enemies of a pack have.

    Attributes:
        pools: Each type, rarity and tag that some card has together; None where a pool leaves one open.
        words: The words of each kind that a filter may name (`Param.names`), and rarities.
    """

    pools: set[Pool]
    words: Mapping[str, Mapping[str, None]]


def filters_of(draft: Draft) -> Filters:
    """What the filters in the graphs of a pack may name."""
    cards = [located.asset for located in draft.cards.values()]
    enemies = [located.asset for located in draft.enemies.values()]
    pools: set[Pool] = set()
    for card in cards:
        for tag in (None, *card.tags):
            pools.update(product((None, card.type), (None, card.rarity), (tag,)))
    return Filters(
        pools,
        {
            "card_type": dict.fromkeys(card.type for card in cards if card.type),
            "card_tag": dict.fromkeys(tag for card in cards for tag in card.tags),
            "card_rarity": dict.fromkeys(card.rarity for card in cards if card.rarity),
            "enemy_tag": dict.fromkeys(tag for enemy in enemies for tag in enemy.tags),
        },
    )


def warn_of_filters(view: View, filters: Filters) -> None:
    """Warns of filters that no card, or no enemy, of the pack fits."""
    for node in view.nodes:
        if node.type is None:
            continue
        for param in node.type.params:
            value = node.asset.params.get(param.name)
            place = node.place.at("params", param.name)
            if isinstance(value, str):
                _warn_of_word(view, node, param, value, place, filters)
            elif param.type == "card_pool" and isinstance(value, dict):
                _warn_of_pool(view, node, value, place, filters)


def _warn_of_word(view: View, node: Node, param: Param, value: str, place: Place, filters: Filters) -> None:
    known = filters.words.get(param.names)
    if known is None or value in known:
        return
    owner, _, trait = param.names.partition("_")
    hint = view.report.nearest(value, known)
    message = f"{node.label} never fits: no {owner} of the pack has the {trait} {shown(value)}"
    view.report.warning(place, message, hint=hint)


def _warn_of_pool(view: View, node: Node, pool: Mapping[str, object], place: Place, filters: Filters) -> None:
    wanted = {name: text for name in _POOL_FIELDS if isinstance(text := pool.get(name), str)}
    if (wanted.get("type"), wanted.get("rarity"), wanted.get("tag")) in filters.pools:
        return
    hint = ""
    for name, text in wanted.items():
        known = filters.words[f"card_{name}"]
        if not hint and text not in known:
            hint = view.report.nearest(text, known)
    view.report.warning(place, f"{node.label} finds no card: the pack has none in this pool", hint=hint)
