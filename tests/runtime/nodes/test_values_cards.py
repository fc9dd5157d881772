"""Values on cards (nodes.md, "Values")."""

from __future__ import annotations

from typing import Any

from tests.runtime.arena import Arena
from tests.runtime.nodes.probe import cards_of, note, notes, read, shows

_TEXTS = ("id", "name", "type", "pile")
_BOOLS = ("is_exhaust", "is_ethereal", "is_retain", "is_innate", "is_unplayable", "upgraded", "upgradable")
_ALL = (*(f"i.{port}:text" for port in _TEXTS), "i.cost:int", "i.paid:int", *(f"i.{port}:bool" for port in _BOOLS))


def _first_of(pile: str, card: str) -> str:
    return f"""
        p: cards_in_pile pile={pile} id={card}; x: pick_card how=first; p.cards x.cards; on > x > note
        x.card i.card
    """


@shows(
    "card_info: card id name type cost paid pile",
    "card_info: is_exhaust is_ethereal is_retain is_innate is_unplayable upgraded upgradable",
)
def test_card_info() -> None:
    keywords = ["exhaust", "ethereal", "retain", "innate", "unplayable"]
    other = {"name": "Odd one", "type": "curse", "cost": 2, "keywords": keywords, "upgrade": "probe"}
    values = read(f"i: card_info; {_first_of('hand', 'odd')}", *_ALL, cards={"odd": other})
    assert values == ["odd", "Odd one", "curse", "hand", 2, 0, *[True] * 5, False, True]


@shows(
    "card_info: card id name type cost paid pile",
    "card_info: is_exhaust is_ethereal is_retain is_innate is_unplayable upgraded upgradable",
)
def test_card_info_of_the_card_in_play_and_of_none() -> None:
    values = read("i: card_info; on.card i.card", *_ALL, card={"cost": 3, "name": "Probe"})
    assert values == ["probe", "Probe", "", "in_play", 3, 3, *[False] * 7]
    values = read(
        """
        i: card_info; x: pick_card; p: cards_in_pile pile=exhaust; p.cards x.cards; on > x > note; x.card i.card
    """,
        *_ALL,
    )
    assert values == ["", "", "", "", 0, 0, *[False] * 7]


@shows("card_info: card cost paid upgraded upgradable is_retain")
def test_card_info_is_live() -> None:
    text = f"""
        {_first_of("hand", "tool").replace("on > x > note", "on > x > up > cost > keep > note")}; i: card_info
        up: upgrade_card; cost: set_card_cost cost=1; keep: set_card_keyword keyword=retain
        x.card up.card; x.card cost.card; x.card keep.card
    """
    cards = {"tool": {"cost": 4, "upgrade": "tool_plus"}, "tool_plus": {"cost": 5}}
    wires = ("i.id:text", "i.cost:int", "i.upgraded:bool", "i.upgradable:bool", "i.is_retain:bool")
    assert read(text, *wires, cards=cards, deck=["probe", "tool"]) == ["tool_plus", 1, True, False, True]


@shows("card_info: card cost paid")
def test_card_info_of_cost_x() -> None:
    values = read(
        """
        i: card_info; on.card i.card
    """,
        "i.cost:int",
        "i.paid:int",
        card={"cost": "x"},
        player={"energy": 4},
    )
    assert values == [0, 4]


@shows("card_is: card result type tag id keyword")
def test_card_is_asks_for_all_that_is_given() -> None:
    asked = {
        "t": "type=skill",
        "g": "tag=sea",
        "i": "id=probe",
        "k": "keyword=retain",
        "all": "type=skill tag=sea id=probe keyword=retain",
        "not_t": "type=attack",
        "not_g": "tag=air",
        "not_i": "id=wait",
        "not_k": "keyword=exhaust",
        "some": "type=skill tag=air",
        "any": "",
    }
    text = "; ".join(f"{name}: card_is {params}; on.card {name}.card" for name, params in asked.items())
    card = {"type": "skill", "tags": ["sea"], "keywords": ["retain"]}
    assert read(text, *(f"{name}.result:bool" for name in asked), card=card) == [*[True] * 5, *[False] * 5, True]
    none = "c: card_is; x: pick_card; p: cards_in_pile pile=exhaust; p.cards x.cards; on > x > note; x.card c.card"
    assert read(none, "c.result:bool") == [False]


@shows("card_is: card result keyword", "set_card_keyword: keyword value")
def test_card_is_asks_for_the_keywords_in_force() -> None:
    text = """
        c: card_is keyword=retain; off: set_card_keyword keyword=retain value=false; on > off > note
        on.card c.card; on.card off.card
    """
    assert read(text, "c.result:bool", card={"keywords": ["retain"]}) == [False]


@shows("card_var: card result name", "current_card: card")
def test_card_var_of_the_current_and_of_a_given_card() -> None:
    text = """
        own: card_var name=n; p: cards_in_pile pile=hand; x: pick_card how=last; p.cards x.cards; on > x > note
        other: card_var name=n; x.card other.card; me: current_card; same: card_var name=n; me.card same.card
    """
    wires = ("own.result:int", "other.result:int", "same.result:int")
    assert read(text, *wires, card={"vars": {"n": 5}}, cards={"tool": {"vars": {"n": -7}}}) == [5, -7, 5]


@shows("cards_in_pile: cards count pile type tag id")
def test_cards_in_pile_in_order_and_filtered() -> None:
    cards: dict[str, Any] = {
        "a": {"type": "attack", "tags": ["sea"], "target": "none"},
        "b": {"type": "skill", "target": "none"},
        "c": {"type": "attack", "target": "none"},
    }
    deck = ["probe", "a", "b", "c", "a", "c"]
    hand = {"cards": cards, "deck": deck}
    for params, found in (
        ("pile=hand", ["a", "b", "c", "a", "c"]),
        ("pile=hand type=attack", ["a", "c", "a", "c"]),
        ("pile=hand tag=sea", ["a", "a"]),
        ("pile=hand id=c", ["c", "c"]),
        ("pile=hand type=attack id=a tag=sea", ["a", "a"]),
        ("pile=hand type=skill tag=sea", []),
        ("pile=discard", []),
        ("pile=exhaust", []),
    ):
        assert cards_of(f"p: cards_in_pile {params}", "p.cards", **hand) == found
        assert read(f"p: cards_in_pile {params}", "p.count:int", **hand) == [len(found)]
    # The other piles from the top: the draw pile as it is drawn, discard and exhaust pile the last one first.
    assert cards_of("p: cards_in_pile pile=draw", "p.cards", **hand, player={"draw": 1}) == deck[1:]
    for pile, keywords in (("discard", []), ("exhaust", ["exhaust"])):
        plain = {name: {**fields, "keywords": keywords} for name, fields in cards.items()}
        text = f"""
            on: on_card_played; p: cards_in_pile pile={pile}; all: for_each_card; p.cards all.cards; on > all
            all.body > note; {note("all.card:card")}
        """
        arena = Arena(cards={"probe": {"graph": text}, **plain}, deck=["a", "b", "probe"])
        for name in ("a", "b", "probe"):
            arena.play(name)
        assert [arena.battle.cards[told["all_card"]].definition.id for told in notes(arena)] == ["b", "a"]
