"""Actions on cards, node by node (nodes.md, "Actions"; R3.2, R3.4, R5.4, R4.10)."""

from __future__ import annotations

from typing import Any

import pytest

from runtime.battle import PlayCard, check
from runtime.battle.state import DISCARD, DRAW, EXHAUST_PILE, HAND
from tests.runtime.arena import Arena, witness
from tests.runtime.nodes.probe import note, notes, played, shows

FREE = {"target": "none"}


@shows("draw_cards: count drawn")
@pytest.mark.parametrize(
    ("params", "drawn"), [("", 1), ("count=3", 3), ("count=9", 4), ("count=0", 0), ("count=-1", 0)]
)
def test_draw_cards(params: str, drawn: int) -> None:
    arena = played(
        f"x: draw_cards {params}; on > x > note", "x.drawn:int", deck=["probe", *["wait"] * 4], player={"draw": 1}
    )
    assert notes(arena) == [{"x_drawn": drawn}]
    assert arena.hand == ["wait"] * drawn


@shows("draw_cards: count drawn")
def test_draw_cards_counts_only_what_came_into_the_hand() -> None:
    text = "x: draw_cards count=3; on > x > note"
    arena = played(
        text, "x.drawn:int", deck=["probe", "wait", "wait", "wait", "wait"], player={"draw": 2, "hand_limit": 2}
    )
    # One card is in hand, so one more has room; two overflow.
    assert (notes(arena), arena.hand, arena.discard) == ([{"x_drawn": 1}], ["wait"] * 2, ["probe", "wait", "wait"])


@shows("draw_cards: count drawn")
def test_r3_2_the_normal_draw_sees_what_a_shuffle_has_drawn() -> None:
    """No Entry hears cards drawn, so that they are drawn at once; E7 may fill the hand in between all the same."""
    greedy = """
        on: on_draw_pile_shuffled; t: battle_info; c: compare op=ge b=3; t.turn c.a; b: branch; c.result b.condition
        d: draw_cards count=3; on > b; b.true > d
    """
    arena = Arena(
        cards={"greedy": {"graph": greedy, **FREE}},
        deck=["greedy", *["wait"] * 9],
        player={"draw": 5, "hand_limit": 5},
    )
    arena.end_turn()
    lines = arena.end_turn()
    assert lines == ["on_draw_pile_shuffled card:greedy"]
    # Three by the reaction and two of the five; the other three overflow.
    assert (len(arena.hand), len(arena.discard), len(arena.draw)) == (5, 3, 2)


@shows("shuffle_draw_pile")
def test_shuffle_draw_pile_shuffles_and_its_cards_react() -> None:
    cards = {f"c{number}": {"graph": witness("on_draw_pile_shuffled"), **FREE} for number in range(8)}
    orders = set()
    for seed in range(4):
        arena = Arena(
            cards={"mix": "on: on_card_played; mix: shuffle_draw_pile; on > mix", **cards},
            deck=["mix", *cards],
            player={"draw": 9},
            seed=seed,
        )
        battle = arena.battle
        battle.shuffling = True
        for card in [number for number in battle.piles[HAND] if battle.cards[number].definition.id != "mix"]:
            battle.piles[HAND].remove(card)
            battle.piles[DRAW].append(card)
            battle.places[card] = DRAW
        lines = arena.play("mix")
        assert lines[1:] == [f"on_draw_pile_shuffled card:{card}" for card in arena.draw]
        assert sorted(arena.draw) == sorted(cards)
        orders.add(tuple(arena.draw))
    assert len(orders) > 1


PILES = {
    "add_card_to_hand": HAND,
    "add_card_to_draw_pile": DRAW,
    "add_card_to_discard_pile": DISCARD,
    "add_card_to_exhaust_pile": EXHAUST_PILE,
}
ENTRY = {"add_card_to_hand": "on_card_added_to_hand", "add_card_to_draw_pile": "on_card_added_to_deck"}
NEW = {"graph": witness("on_card_added_to_hand", "on_card_added_to_deck", "on_card_discarded", "on_card_exhausted")}


@shows(
    "add_card_to_hand: count card",
    "add_card_to_draw_pile: count card",
    "add_card_to_discard_pile: count card",
    "add_card_to_exhaust_pile: count card",
)
@pytest.mark.parametrize(("params", "count"), [("", 1), ("count=3", 3), ("count=0", 0), ("count=-5", 0)])
@pytest.mark.parametrize("node", PILES)
def test_r5_4_add_a_card_by_definition(node: str, params: str, count: int) -> None:
    arena = played(f"x: {node} card=new {params}; on > x > note", "x.card:card", cards={"new": NEW}, deck=["probe"])
    assert arena.pile(PILES[node]).count("new") == count
    assert [line for line in arena.lines() if "card:new" in line] == (
        [f"{ENTRY[node]} card:new card=new"] * count if node in ENTRY else []
    )
    # The output is the last new card.
    assert notes(arena) == [{"x_card": count if count else -1}]


@shows(
    "add_card_to_hand: like",
    "add_card_to_draw_pile: like",
    "add_card_to_discard_pile: like",
    "add_card_to_exhaust_pile: like",
)
@pytest.mark.parametrize("node", PILES)
def test_r5_4_add_a_copy_of_an_instance(node: str) -> None:
    text = f"""
        p: cards_in_pile pile=hand id=tool; t: pick_card how=first; p.cards t.cards; up: upgrade_card
        cost: set_card_cost cost=0 until=battle
        v: set_variable name=n scope=card value=5; x: {node} count=2; t.card up.card; t.card cost.card
        t.card v.card; t.card x.like
        n: get_variable name=n scope=card; x.card n.card; i: card_info; x.card i.card; on > t > up > cost > v > x > note
    """
    cards = {"tool": {"cost": 3, "upgrade": "tool_plus"}, "tool_plus": {"cost": 2}}
    arena = played(
        text, "i.id:text", "i.cost:int", "n.result:int", "i.upgraded:bool", cards=cards, deck=["probe", "tool"]
    )
    assert [list(told.values()) for told in notes(arena)] == [["tool_plus", 0, 5, True]]
    assert len({*arena.battle.piles[HAND], *arena.battle.piles[PILES[node]]} - {0, 1}) == 2


@shows("add_card_to_hand: like card")
def test_add_a_copy_of_no_card_does_nothing() -> None:
    text = """
        p: cards_in_pile pile=exhaust; t: pick_card; p.cards t.cards; x: add_card_to_hand; t.card x.like
        on > t > x > note
    """
    arena = played(text, "x.card:card", deck=["probe"])
    assert (notes(arena), arena.hand) == ([{"x_card": -1}], [])


@shows(
    "add_card_to_hand: pool count",
    "add_card_to_draw_pile: pool",
    "add_card_to_discard_pile: pool",
    "add_card_to_exhaust_pile: pool",
)
@pytest.mark.parametrize("node", PILES)
@pytest.mark.parametrize(
    ("pool", "found"),
    [
        ('{"type":"skill"}', {"a", "b"}),
        ('{"rarity":"rare"}', {"b", "c"}),
        ('{"tag":"sea"}', {"a", "c"}),
        ('{"type":"skill","rarity":"rare"}', {"b"}),
        ('{"type":"skill","tag":"sea","rarity":"common"}', {"a"}),
    ],
)
def test_r5_4_add_random_cards_of_a_pool(node: str, pool: str, found: set[str]) -> None:
    cards = {
        "a": {"type": "skill", "rarity": "common", "tags": ["sea"]},
        "b": {"type": "skill", "rarity": "rare"},
        "c": {"type": "attack", "rarity": "rare", "tags": ["sea"]},
    }
    text = f"x: {node} count=30 pool={pool}; on > x > note"
    arena = played(text, "x.card:card", cards=cards, deck=["probe"], player={"hand_limit": 50})
    made = [card for card in arena.pile(PILES[node]) if card != "probe"]
    assert (len(made), set(made)) == (30, found)


@shows("add_card_to_hand: count card")
def test_r5_4_e13_a_full_hand_sends_the_new_card_to_discard() -> None:
    text = "x: add_card_to_hand card=new count=2; on > x > note"
    arena = played(text, "x.card:card", cards={"new": NEW}, deck=["probe", "wait"], player={"hand_limit": 2})
    assert (arena.hand, arena.discard) == (["wait", "new"], ["probe", "new"])
    assert [line for line in arena.lines() if "card:new" in line] == ["on_card_added_to_hand card:new card=new"] * 2


@shows("add_card_to_draw_pile: position")
def test_r5_4_positions_in_the_draw_pile() -> None:
    for params, place in (("", 0), ("position=top", 0), ("position=bottom", 4)):
        text = f"x: add_card_to_draw_pile card=new {params}; on > x > note"
        arena = played(text, "x.card:card", cards={"new": {}}, deck=["probe", *["wait"] * 4], player={"draw": 1})
        assert arena.draw.index("new") == place
        assert arena.draw.count("new") == 1
    places = set()
    for seed in range(40):
        text = "x: add_card_to_draw_pile card=new position=random; on > x > note"
        arena = played(
            text, "x.card:card", cards={"new": {}}, deck=["probe", *["wait"] * 4], player={"draw": 1}, seed=seed
        )
        places.add(arena.draw.index("new"))
    # Uniform over all places, both ends included.
    assert places == {0, 1, 2, 3, 4}


_PILE = {"hand": HAND, "draw": DRAW, "discard": DISCARD, "exhaust": EXHAUST_PILE}


@shows("move_card: card to position")
@pytest.mark.parametrize("to", _PILE)
def test_r3_4_move_card_fires_no_entry(to: str) -> None:
    entries = (
        "on_card_drawn",
        "on_card_discarded",
        "on_card_exhausted",
        "on_card_added_to_hand",
        "on_card_added_to_deck",
        "on_card_retained",
    )
    text = f"""
        p: cards_in_pile pile=hand id=tool; t: pick_card; p.cards t.cards; x: move_card to={to}; t.card x.card
        on > t > x > note
    """
    arena = played(text, "t.card:card", cards={"tool": witness(*entries)}, deck=["probe", "tool", "wait"])
    assert "tool" in arena.pile(_PILE[to])
    assert [line for line in arena.lines() if "card:tool" in line] == []


@shows("move_card: card to position")
def test_move_card_to_a_position_and_into_a_full_hand() -> None:
    for params, order in (("", ["tool", "wait", "wait"]), ("position=bottom", ["wait", "wait", "tool"])):
        text = f"""
            p: cards_in_pile pile=hand id=tool; t: pick_card; p.cards t.cards; x: move_card to=draw {params}
            t.card x.card; on > t > x > note
        """
        arena = played(
            text, "t.card:card", cards={"tool": {}}, deck=["probe", "tool", "wait", "wait"], player={"draw": 2}
        )
        assert arena.draw == order
    text = f"""
        on: on_card_played; p: cards_in_pile pile=draw; t: pick_card how=first; p.cards t.cards
        x: move_card to=hand; t.card x.card
        on > t > x > note; {note("t.card:card")}
    """
    for limit, hand, draw in ((2, ["wait", "tool"], []), (1, ["wait"], ["tool"])):
        arena = Arena(cards={"probe": text, "tool": {}}, deck=["probe", "wait", "tool"], player={"draw": 2})
        arena.battle.hand_limit = limit
        arena.play("probe")
        # Full hand: it stays where it is.
        assert (arena.hand, arena.draw) == (hand, draw)


@shows("move_card: card to")
def test_move_card_of_no_card_and_of_the_card_in_play() -> None:
    text = """
        x: move_card to=hand; on.card x.card; p: cards_in_pile pile=exhaust; t: pick_card; p.cards t.cards
        y: move_card to=draw; t.card y.card; on > x > t > y > note
    """
    arena = played(text, "t.card:card", deck=["probe"])
    # The card in play comes back to the hand; T3 then leaves it there.
    assert (arena.hand, arena.draw, arena.discard) == (["probe"], [], [])


_PLAY = """
    p: cards_in_pile pile={pile} id=tool; t: pick_card how=first; p.cards t.cards; x: play_card {params}
    t.card x.card; on > t > x > note
"""


@shows("play_card: card target x played")
@pytest.mark.parametrize("pile", ["hand", "draw", "discard", "exhaust"])
def test_play_card_from_any_pile_without_paying(pile: str) -> None:
    tool = {"graph": "on: on_card_played; hit: deal_damage amount=7; on > hit", "cost": 9}
    arena = Arena(
        cards={
            "probe": f"""
            on: on_card_played; {_PLAY.format(pile=pile, params="target=chosen")}; {note("x.played:bool")}
        """,
            "tool": tool,
        },
        fight=("dummy", "dummy"),
    )
    number = arena.card("tool")
    arena.battle.piles[HAND].remove(number)
    arena.battle.piles[_PILE[pile]].append(number)
    arena.battle.places[number] = _PILE[pile]
    arena.play("probe", 1)
    assert (notes(arena), arena.enemy(1).hp, arena.battle.energy) == ([{"x_played": True}], 93, 3)
    assert (arena.discard, arena.battle.cards_played) == (["probe", "tool"], 2)


@shows("play_card: card target played")
@pytest.mark.parametrize(
    ("params", "fields", "played_", "kills"),
    [
        ("", {}, True, False),
        ("target=none", {}, False, False),
        ("target=player", {}, False, False),
        ("target=player", {"target": "any"}, True, False),
        ("target=none", {"target": "none"}, True, False),
        ("target=player", {"target": "none"}, True, False),
        ("", {"target": "self"}, True, False),
        ("", {"keywords": ["unplayable"]}, False, False),
    ],
)
def test_play_card_that_can_and_cannot_be_played(
    params: str, fields: dict[str, Any], played_: bool, kills: bool
) -> None:
    tool = {"graph": "on: on_card_played; c: change_variable name=runs value=1; on > c", **fields}
    arena = played(
        _PLAY.format(pile="hand", params=params), "x.played:bool", cards={"tool": tool}, deck=["probe", "tool"]
    )
    assert notes(arena) == [{"x_played": played_}]
    assert (arena.variable("runs"), arena.hand) == (int(played_), [] if played_ else ["tool"])


@shows("play_card: target played card")
def test_play_card_without_a_target_takes_a_random_valid_one() -> None:
    tool = {"graph": "on: on_card_played; hit: deal_damage amount=7; on > hit"}
    hit = set()
    for seed in range(20):
        arena = played(
            _PLAY.format(pile="hand", params=""),
            "x.played:bool",
            cards={"tool": tool},
            deck=["probe", "tool"],
            fight=("dummy",) * 3,
            seed=seed,
        )
        hit |= {unit.name for unit in arena.battle.units if unit.hp == 93}
        assert arena.player.hp == 50
    assert hit == {"enemy0", "enemy1", "enemy2"}
    # Of no card and of the card in play itself: nothing happens.
    assert notes(played("x: play_card; on.card x.card; on > x > note", "x.played:bool")) == [{"x_played": False}]
    none = """
        p: cards_in_pile pile=exhaust; t: pick_card; p.cards t.cards; x: play_card; t.card x.card
        on > t > x > note
    """
    assert notes(played(none, "x.played:bool")) == [{"x_played": False}]


@shows("play_card: x played")
def test_r4_10_play_card_gives_x() -> None:
    tool = {
        "cost": "x",
        "graph": """
        on: on_card_played; i: card_info; on.card i.card; v: set_variable name=paid; i.paid v.value; on > v
    """,
    }
    for params, x in (("", 0), ("x=4", 4), ("x=-4", 0)):
        arena = played(
            _PLAY.format(pile="hand", params=params), "x.played:bool", cards={"tool": tool}, deck=["probe", "tool"]
        )
        assert (arena.variable("paid"), arena.battle.energy) == (x, 3)


@shows("upgrade_card: card")
def test_upgrade_card_for_the_rest_of_the_battle() -> None:
    cards = {"tool": {"upgrade": "tool_plus", "cost": 3}, "tool_plus": {"cost": 1, "keywords": ["retain"]}}
    text = """
        p: cards_in_pile pile=hand id=tool; t: pick_card; p.cards t.cards; x: upgrade_card; t.card x.card
        own: upgrade_card; on.card own.card; on > t > x > own > note
    """
    arena = played(text, "t.card:card", cards=cards, deck=["probe", "tool"])
    assert (arena.hand, arena.cost("tool_plus"), arena.discard) == (["tool_plus"], 1, ["probe"])
    arena.end_turn()
    assert "tool_plus" in arena.hand


@shows("upgrade_card: card", "set_card_cost: card cost until")
@pytest.mark.parametrize("until", ["turn", "played", "battle"])
def test_a_set_cost_outlives_an_upgrade_and_then_the_upgrade_counts(until: str) -> None:
    cards = {"tool": {"upgrade": "tool_plus", "cost": 3, "keywords": ["retain"]}, "tool_plus": {"cost": 2}}
    cards["tool_plus"] |= {"target": "none", "keywords": ["retain"]}
    text = f"""
        p: cards_in_pile pile=hand id=tool; t: pick_card; p.cards t.cards; x: set_card_cost cost=1 until={until}
        t.card x.card; up: upgrade_card; t.card up.card; on > t > x > up > note
    """
    arena = played(text, "t.card:card", cards=cards, deck=["probe", "tool"])
    assert arena.cost("tool_plus") == 1
    number = arena.card("tool_plus")
    if until == "turn":
        arena.end_turn()
    else:
        arena.play("tool_plus")
        assert arena.battle.energy == 2
    assert arena.battle.cards[number].cost == (1 if until == "battle" else 2)


_SET = """
    p: cards_in_pile pile=hand id=tool; t: pick_card; p.cards t.cards; x: {node}; t.card x.card
    on > t > x > note
"""


@shows("set_card_cost: card cost until")
@pytest.mark.parametrize(
    ("until", "after_play", "after_turn"),
    [("", 1, 3), ("until=turn", 1, 3), ("until=played", 3, 1), ("until=battle", 1, 1)],
)
def test_set_card_cost_until(until: str, after_play: int, after_turn: int) -> None:
    cards = {"tool": {"cost": 3, "keywords": ["retain"], "target": "none"}}
    for playing, expected in ((True, after_play), (False, after_turn)):
        arena = played(
            _SET.format(node=f"set_card_cost cost=1 {until}"), "t.card:card", cards=cards, deck=["probe", "tool"]
        )
        assert arena.cost("tool") == 1
        if playing:
            number = arena.card("tool")
            arena.play("tool")
            assert arena.battle.energy == 2
            assert arena.battle.cards[number].cost == expected
        else:
            arena.end_turn()
            assert arena.cost("tool") == expected


@shows("set_card_cost: cost card")
def test_set_card_cost_is_at_least_0_and_the_last_one_counts() -> None:
    cards = {"tool": {"cost": 3}}
    text = (
        _SET.format(node="set_card_cost cost=-5 until=battle").replace("> note", "> y > note")
        + """
        y: set_card_cost cost=2 until=battle; t.card y.card
    """
    )
    assert (
        played(_SET.format(node="set_card_cost cost=-5"), "t.card:card", cards=cards, deck=["probe", "tool"]).cost(
            "tool"
        )
        == 0
    )
    assert played(text, "t.card:card", cards=cards, deck=["probe", "tool"]).cost("tool") == 2


@shows("set_card_keyword: card keyword value until")
@pytest.mark.parametrize("value", ["", "value=true", "value=false"])
@pytest.mark.parametrize("keyword", ["exhaust", "ethereal", "retain", "unplayable"])
def test_set_card_keyword(keyword: str, value: str) -> None:
    given = value != "value=false"
    cards = {"tool": {"target": "none", "keywords": [] if given else [keyword]}}
    arena = played(
        _SET.format(node=f"set_card_keyword keyword={keyword} {value}"),
        "t.card:card",
        cards=cards,
        deck=["probe", "tool"],
    )
    refused = check(arena.battle, PlayCard(arena.card("tool")))
    assert (refused is not None) is (given and keyword == "unplayable")
    if keyword == "exhaust":
        arena.play("tool")
        assert ("tool" in arena.exhaust) is given
    elif keyword != "unplayable":
        # Until the turn's end, through T4's hand resolution.
        arena.end_turn()
        left = {"ethereal": [EXHAUST_PILE], "retain": []}[keyword] if given else [DISCARD]
        assert _left_hand(arena) == left
        if keyword == "retain" and given:
            arena.end_turn()
            assert _left_hand(arena) == [DISCARD]


def _left_hand(arena: Arena) -> list[int]:
    """Where the tool went from the hand at the turn's end; a new turn may have drawn it again."""
    moves = [event.fields for event in arena.events("card_moved")]
    return [move["to_pile"] for move in moves if move["card_id"] == "tool" and move["reason"] == "turn_end"]


@shows("set_card_keyword: until")
@pytest.mark.parametrize(
    ("until", "lasts"), [("", False), ("until=turn", False), ("until=played", True), ("until=battle", True)]
)
def test_set_card_keyword_until(until: str, lasts: bool) -> None:
    cards = {"tool": {"target": "none"}}
    arena = played(
        _SET.format(node=f"set_card_keyword keyword=retain {until}"), "t.card:card", cards=cards, deck=["probe", "tool"]
    )
    for turn in range(2):
        number = arena.card("tool")
        arena.end_turn()
        assert _left_hand(arena) == ([] if lasts or turn == 0 else [DISCARD])
    if lasts:
        arena.play("tool")
        assert (arena.battle.cards[number].keywords != 0) is (until == "until=battle")
