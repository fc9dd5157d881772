"""No two cards of the starter pack differ in numbers alone, except a card and its upgrade."""

from __future__ import annotations

import json
from typing import Any

from runtime.content.assets import CardAsset, GraphAsset, NodeAsset
from runtime.packs import load_pack


def without_numbers(value: Any) -> Any:
    """A param with every number in it replaced by one and the same."""
    if isinstance(value, bool | str) or value is None:
        return value
    if isinstance(value, int):
        return 0
    if isinstance(value, list):
        return [without_numbers(item) for item in value]
    return {key: without_numbers(item) for key, item in sorted(value.items())}


def shape(card: CardAsset, graph: GraphAsset) -> str:
    """What a card does apart from numbers: nodes by type and params, and links, whatever the nodes are called.

    A var is a number wherever it is read, so Card Var and a literal are the same.
    """
    names: dict[str, str] = {}
    kinds = {node.id: node.type for node in graph.nodes}
    nodes = []
    for node in graph.nodes:
        if node.type == "card_var":
            continue
        params = {name: without_numbers(value) for name, value in node.params.items() if not is_number(value)}
        nodes.append((node.type, json.dumps(params, sort_keys=True), node.id))
    for place, (_, _, node_id) in enumerate(sorted(nodes)):
        names[node_id] = str(place)
    links = []
    for source, target in graph.links:
        source_id, output = source.split(".")
        target_id, port = target.split(".")
        if kinds[source_id] != "card_var":
            links.append(f"{names[source_id]}.{output}>{names[target_id]}.{port}")
    described = [(type_, params) for type_, params, _ in sorted(nodes)]
    keywords = sorted(card.keywords)
    return json.dumps([card.target, card.cost == "x", keywords, described, sorted(links)])


def is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def graph_of(cards: dict[str, CardAsset], card: CardAsset) -> GraphAsset:
    while card.graph_of is not None:
        card = cards[card.graph_of]
    assert isinstance(card.graph, GraphAsset)
    return card.graph


def test_no_two_cards_differ_in_numbers_alone() -> None:
    cards = load_pack("starter").cards
    upgrades = {card.upgrade for card in cards.values()}
    seen: dict[str, str] = {}
    for card in cards.values():
        if card.id in upgrades:
            continue
        twin = seen.setdefault(shape(card, graph_of(cards, card)), card.id)
        assert twin == card.id, f"{card.id} is {twin} with other numbers"


def test_the_comparison_sees_through_names_and_vars() -> None:
    """The test above would find a copy of Strike with other ids and a literal in the place of the var."""
    cards = load_pack("starter").cards
    strike = cards["strike"]
    nodes = [NodeAsset(id="a", type="on_card_played"), NodeAsset(id="b", type="deal_damage", params={"amount": 99})]
    graph = GraphAsset(nodes=nodes, links=[("a.out", "b.in")])
    assert shape(strike, graph) == shape(strike, graph_of(cards, strike))
    assert shape(strike, graph_of(cards, cards["mallet"])) != shape(strike, graph_of(cards, strike))


def test_an_upgrade_shares_its_cards_graph_and_is_better_in_something() -> None:
    cards = load_pack("starter").cards
    upgradable = [card for card in cards.values() if card.upgrade is not None]
    assert len(upgradable) >= 20
    for card in upgradable:
        assert card.upgrade is not None
        upgrade = cards[card.upgrade]
        assert upgrade.graph_of == card.id
        assert upgrade.upgrade is None
        assert (upgrade.vars, upgrade.cost, upgrade.keywords) != (card.vars, card.cost, card.keywords)
