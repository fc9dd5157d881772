"""Chance, picks and choices, units and events (nodes.md, "Actions"; R5.5, R5.6, R5.7, R6)."""

from __future__ import annotations

import pytest

from runtime.battle import Answer, Rejection, act
from tests.runtime.arena import Answers, Arena
from tests.runtime.nodes.probe import note, notes, played, read, shows


@shows("roll_random: min max value")
@pytest.mark.parametrize(
    ("params", "values"),
    [
        ("max=2", {0, 1, 2}),
        ("min=0 max=2", {0, 1, 2}),
        ("min=-1 max=1", {-1, 0, 1}),
        ("min=4 max=4", {4}),
        ("min=4 max=1", {4}),
    ],
)
def test_roll_random_includes_both_ends(params: str, values: set[int]) -> None:
    text = f"r: repeat count=60; x: roll_random {params}; on > r; r.body > x > note"
    arena = played(text, "x.value:int")
    assert {told["x_value"] for told in notes(arena)} == values


@shows("pick_unit: units unit how")
@pytest.mark.parametrize(
    ("how", "found"),
    [
        ("how=lowest_hp", {"enemy1"}),
        ("how=highest_hp", {"enemy0"}),
        ("how=first", {"enemy0"}),
        ("how=last", {"enemy2"}),
        ("how=random", {"enemy0", "enemy1", "enemy2"}),
        ("", {"enemy0", "enemy1", "enemy2"}),
    ],
)
def test_pick_unit(how: str, found: set[str]) -> None:
    # Of equals the first: enemy1 and enemy2 have the lowest HP.
    text = f"r: repeat count=40; x: pick_unit units=all_enemies {how}; on > r; r.body > x > note"
    arena = played(text, "x.unit:unit", fight=[("dummy", {"hp": 9}), ("dummy", {"hp": 5}), ("dummy", {"hp": 5})])
    assert {told["x_unit"] for told in notes(arena)} == found
    assert read(f"x: pick_unit units=none {how}; on > x > note", "x.unit:unit") == ["none"]


@shows("pick_card: cards card how")
@pytest.mark.parametrize(
    ("how", "found"), [("how=first", {1}), ("how=last", {3}), ("how=random", {1, 2, 3}), ("", {1, 2, 3})]
)
def test_pick_card(how: str, found: set[int]) -> None:
    text = f"""
        p: cards_in_pile pile=hand; r: repeat count=40; x: pick_card {how}; p.cards x.cards; on > r
        r.body > x > note
    """
    arena = played(text, "x.card:card", deck=["probe", "wait", "wait", "wait"])
    assert {told["x_card"] for told in notes(arena)} == found
    none = f"p: cards_in_pile pile=exhaust; x: pick_card {how}; p.cards x.cards; on > x > note"
    assert read(none, "x.card:card") == [-1]


_CHOOSE = """
    p: cards_in_pile pile=hand id=wait; x: choose_card {params}; p.cards x.cards; on > x > note > all
    all: for_each_card; x.cards all.cards; all.body > told
    told: raise_internal_event event=note args={{"card":"card"}}; all.card told.card
"""


@shows("choose_card: cards min max card prompt")
@pytest.mark.parametrize(
    ("params", "candidates", "bounds"),
    [
        ("", 3, (1, 1)),
        ("min=0", 3, (0, 1)),
        ("min=2", 3, (2, 2)),
        ("min=0 max=9", 3, (0, 3)),
        ("min=1 max=2 prompt=Which?", 3, (1, 2)),
        ("min=-3", 2, (0, 1)),
    ],
)
def test_r5_7_choose_card_asks(params: str, candidates: int, bounds: tuple[int, int]) -> None:
    arena = played(_CHOOSE.format(params=params), "x.card:card", deck=["probe", *["wait"] * candidates])
    choice = arena.battle.choice
    assert choice is not None
    assert (choice.kind, choice.cards, (choice.min, choice.max)) == (
        "card",
        list(range(1, candidates + 1)),
        bounds,
    )
    assert choice.prompt == ("Which?" if "prompt" in params else "")
    for wrong in ([0], [1, 1], [1, 2, 3, 4], [99]):
        assert isinstance(act(arena.battle, Answer(wrong)), Rejection)
    picks = [2, 1][: bounds[1]]
    arena.do(Answer(picks))
    # The first picked, then all of them, in the order of the answer.
    assert notes(arena) == [{"x_card": 2}, *({"card": pick} for pick in picks)]
    assert arena.battle.choice is None


@shows("choose_card: cards min max card")
@pytest.mark.parametrize(
    ("params", "candidates", "picked"),
    [
        ("", 0, []),
        ("", 1, [1]),
        ("min=2 max=2", 2, [1, 2]),
        ("min=3", 2, [1, 2]),
        ("min=0 max=0", 2, []),
        ("min=0", 0, []),
    ],
)
def test_r5_7_choose_card_takes_unasked(params: str, candidates: int, picked: list[int]) -> None:
    arena = played(_CHOOSE.format(params=params), "x.card:card", deck=["probe", *["wait"] * candidates])
    assert arena.battle.choice is None
    assert not arena.events("choice_requested")
    assert notes(arena) == [{"x_card": picked[0] if picked else -1}, *({"card": card} for card in picked)]


@shows("choose_card: cards min card")
def test_r5_7_an_optional_choice_is_asked_even_for_one_card() -> None:
    arena = played(_CHOOSE.format(params="min=0"), "x.card:card", deck=["probe", "wait"])
    assert arena.battle.choice is not None
    arena.do(Answer([]))
    assert notes(arena) == [{"x_card": -1}]


@shows("choose_option: index options prompt")
def test_r5_7_choose_option() -> None:
    text = 'x: choose_option options=["Burn","Freeze","Wait"] prompt=How?; on > x > note'
    arena = played(text, "x.index:int")
    choice = arena.battle.choice
    assert choice is not None
    assert (choice.kind, choice.options, choice.prompt) == ("option", ["Burn", "Freeze", "Wait"], "How?")
    for wrong in ([], [3], [-1], [0, 1]):
        assert isinstance(act(arena.battle, Answer(wrong, "option")), Rejection)
    arena.do(Answer([2], "option"))
    assert notes(arena) == [{"x_index": 2}]
    assert notes(played('x: choose_option options=["Only"]; on > x > note', "x.index:int")) == [{"x_index": 0}]
    assert notes(played(text, "x.index:int", agent=Answers([[1]]))) == [{"x_index": 1}]


@shows("end_turn")
def test_end_turn_when_the_running_action_is_done() -> None:
    arena = played("x: end_turn; on > x > note", "on.card:card", cards={"tool": {}})
    assert (len(notes(arena)), arena.battle.turn, arena.battle.cards_played) == (1, 2, 0)
    # Nothing in the enemy phase.
    enemy = "start: on_enemy_behavior_start; leaf: leaf_intent kind=special; x: end_turn; start > leaf > x"
    arena = Arena(enemies={"foe": enemy}, fight=("foe",))
    arena.end_turn()
    assert arena.battle.turn == 2


_MOVES = """
    start: on_enemy_behavior_start; seq: pattern_sequence count=2; a: leaf_intent kind=attack
    b: leaf_intent kind=defend; start > seq; seq.step_0 > a; seq.step_1 > b
"""


@shows("replan_intent: unit")
def test_replan_intent() -> None:
    arena = played(
        """
        x: replan_intent unit=chosen; y: replan_intent unit=none; z: replan_intent; i: unit_info unit=chosen
        on > note > x > y > z > after; after: raise_internal_event event=note args={"kind":"text"}
        i.intent after.kind
    """,
        "i.intent:text",
        enemies={"foe": _MOVES},
        fight=("foe",),
    )
    assert notes(arena) == [{"i_intent": "attack"}, {"kind": "defend"}]
    # By default the acting unit: the enemy that plans anew in its own step plans once more at the phase's end.
    text = "start: on_enemy_behavior_start; seq: pattern_sequence count=3; start > seq;" + ";".join(
        f"l{n}: leaf_intent kind=special amount={n}; seq.step_{n} > l{n}" for n in range(3)
    )
    arena = Arena(enemies={"foe": text + "; x: replan_intent; l0 > x"}, fight=("foe",))
    arena.end_turn()
    assert arena.intent() == 2


@shows("spawn_unit: hp unit enemy")
@pytest.mark.parametrize(("params", "hp"), [("", {3, 4, 5}), ("hp=9", {9}), ("hp=0", {1}), ("hp=-2", {1})])
def test_r5_5_spawn_unit(params: str, hp: set[int]) -> None:
    seen = set()
    for seed in range(12):
        arena = played(
            f"x: spawn_unit enemy=whelp {params}; on > x > note",
            "x.unit:unit",
            seed=seed,
            enemies={"whelp": {"hp": [3, 5], "armor": 2, "graph": _MOVES}},
        )
        assert notes(arena) == [{"x_unit": "enemy1"}]
        unit = arena.enemy(1)
        assert (unit.hp, unit.armor, unit.leaf is not None) == (unit.max_hp, 2, True)
        seen.add(unit.hp)
    assert seen == hp


@shows("spawn_unit: unit enemy")
def test_r5_5_at_the_limit_nothing_happens_but_a_warning() -> None:
    text = """
        kill: kill_unit target=chosen; a: spawn_unit enemy=dummy; b: spawn_unit enemy=dummy
        on > kill > a > b > note
    """
    arena = played(text, "a.unit:unit", "b.unit:unit", fight=("dummy", "dummy"), encounter={"max_enemies": 2})
    # The limit counts the living; the dead one's number is never used again.
    assert notes(arena) == [{"a_unit": "enemy2", "b_unit": "none"}]
    assert [event.fields["kind"] for event in arena.events("warning")] == ["no_intent", "max_enemies"]


@shows("raise_internal_event: receivers event args")
def test_raise_internal_event_counts_its_receivers() -> None:
    hears = "heard: on_internal_event event=shout; v: change_variable name=heard value=1; heard > v"
    text = """
        x: raise_internal_event event=shout; y: raise_internal_event event=Shout; z: raise_internal_event event=
        on > x > y > z > note
    """
    arena = played(
        text,
        "x.receivers:int",
        "y.receivers:int",
        "z.receivers:int",
        cards={"ear": hears},
        deck=["probe", "ear", "ear"],
        statuses={
            "ear": hears,
            "deaf": """
            heard: on_internal_event event=; v: set_variable name=never value=1; heard > v
        """,
        },
        enemies={"ear": hears},
        fight=("ear",),
        player={"statuses": {"ear": 1, "deaf": 1}},
    )
    # Two cards, a status and an enemy; exact and case-sensitive, and the empty name matches nothing (R6.2).
    assert notes(arena) == [{"x_receivers": 4, "y_receivers": 0, "z_receivers": 0}]
    assert (arena.variable("heard"), arena.variable("never")) == (4, 0)


@shows("on_internal_event: event", "raise_internal_event: event")
def test_an_internal_event_is_heard_once_for_each_linked_entry() -> None:
    hears = f"a: on_internal_event event=shout; b: on_internal_event event=shout; a > note; b > note; {note()}"
    arena = Arena(
        cards={
            "raise": """
        on: on_card_played; x: raise_internal_event event=shout; on > x
    """
        },
        statuses={"ear": hears},
        player={"statuses": {"ear": 1}},
    )
    arena.play("raise")
    assert len(notes(arena)) == 2
