"""Limits end a root, other errors their branch, and nothing a pack does takes the process down (R2.5, R2.6)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from runtime.battle import EndTurn, PlayCard, act, read_events, shown_intent, start_battle
from runtime.battle.events import FAULT
from runtime.graph.bind import Binding
from runtime.graph.check.limits import MAX_LOOP_DEPTH, MAX_VALUE_DEPTH
from runtime.graph.compile import compile_pack
from runtime.graph.declare import ACTION, IN, OUT, VALUE, NodeType, Port
from runtime.graph.frame import Frame
from runtime.graph.program import ExecNode
from runtime.graph.types import INT
from runtime.loading import encounter_of, load_content
from runtime.nodes import library
from runtime.packs import load_pack
from tests.runtime.arena import Arena, graph, witness

ECHO = "up: on_armor_gained; more: gain_armor amount=1; up > more"
SPARK = (
    "on: on_card_played; up: gain_armor amount=1 target=player; after: set_variable name=after value=1; on > up > after"
)


def broken_action(binding: Binding) -> Callable[[Frame], ExecNode | None]:
    def run(frame: Frame) -> ExecNode | None:
        raise RuntimeError("no such luck")

    return run


def broken_number(binding: Binding, output: str) -> Callable[[Frame], int]:
    def get(frame: Frame) -> int:
        raise ZeroDivisionError("no number")

    return get


# What a package beside ours may bring: nodes that raise.
BROKEN = [
    NodeType(
        type="break_down",
        name="Break Down",
        category=ACTION,
        help="",
        inputs=(IN,),
        outputs=(OUT,),
        build=broken_action,
    ),
    NodeType(
        type="bad_number",
        name="Bad Number",
        category=VALUE,
        help="",
        outputs=(Port("result", INT),),
        build=broken_number,
    ),
]


def broken_content(pack: Mapping[str, Any]) -> Any:
    nodes = {**library(), **{node.type: node for node in BROKEN}}
    return compile_pack(load_pack(pack, nodes), nodes)


class BrokenArena(Arena):
    """An arena whose packs may use the broken nodes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, **parts: Any) -> None:
        monkeypatch.setattr("tests.runtime.arena.load_content", broken_content)
        super().__init__(**parts)


def faults(arena: Arena) -> list[dict[str, Any]]:
    return [event.fields for event in arena.events("fault")]


def test_r2_5_the_depth_is_counted_in_nested_dispatches() -> None:
    arena = Arena(cards={"spark": SPARK}, statuses={"echo": ECHO}, player={"statuses": {"echo": 1}}, depth_limit=5)
    lines = arena.play("spark")
    # The root and five dispatches nested in it.
    assert len(lines) == 1 + 5 + 1, "the dispatch that is refused has its line too, and no effect"
    assert arena.player.armor == 6


def test_r2_5_a_fault_tells_the_chain_of_entries_and_nodes() -> None:
    arena = Arena(cards={"spark": SPARK}, statuses={"echo": ECHO}, player={"statuses": {"echo": 1}}, depth_limit=2)
    arena.play("spark")
    (fault,) = faults(arena)
    assert fault["kind"] == "depth"
    assert fault["chain"] == (
        "card:spark on_card_played/up",
        "status:echo@player on_armor_gained/more",
        "status:echo@player on_armor_gained/more",
    )


def test_r2_5_all_branches_under_the_root_end_and_what_was_done_stays() -> None:
    arena = Arena(cards={"spark": SPARK}, statuses={"echo": ECHO}, player={"statuses": {"echo": 1}}, depth_limit=3)
    arena.play("spark")
    assert arena.variable("after") == 0
    assert arena.discard == ["spark"]
    assert arena.battle.running.chain == []
    assert act(arena.battle, EndTurn()) is None
    assert arena.battle.turn == 2


def test_r2_5_the_timeline_goes_on_with_its_next_step() -> None:
    """A runaway status at the turn's end takes neither the next status nor decay nor the enemy's step with it."""
    arena = Arena(
        statuses={
            "runaway": """
                end: on_turn_end; up: gain_armor amount=1; again: on_armor_gained; more: gain_armor amount=1
                end > up; again > more
            """,
            "next": {"decay": 1, "graph": witness("on_turn_end", "on_status_expired")},
        },
        enemies={"worm": {"statuses": {"next": 1}}},
        fight=("worm",),
        player={"statuses": {"runaway": 1, "next": 1}},
        depth_limit=8,
    )
    lines = arena.end_turn()
    assert [line for line in lines if "runaway" not in line] == [
        "on_turn_end status:next@player",
        "on_status_expired status:next@player status=next target=player",
        "on_turn_end status:next@enemy0",
        "on_status_expired status:next@enemy0 status=next target=enemy0",
    ]


def test_r2_5_a_card_in_play_still_goes_to_its_pile_with_its_entry() -> None:
    arena = Arena(
        cards={
            "spark": {
                "keywords": ["exhaust"],
                "graph": SPARK + "; gone: on_card_exhausted; x: change_variable name=gone value=1; gone > x",
            }
        },
        statuses={"echo": ECHO},
        player={"statuses": {"echo": 1}},
        depth_limit=3,
    )
    assert arena.play("spark")[-1] == "on_card_exhausted card:spark card=spark"
    assert arena.exhaust == ["spark"]


def test_r2_5_a_card_played_by_a_card_goes_to_its_pile_too() -> None:
    first = """
        on: on_card_played; hand: cards_in_pile pile=hand id=spark; one: pick_card how=first; go: play_card
        on > one > go; hand.cards one.cards; one.card go.card
    """
    arena = Arena(
        cards={"first": first, "spark": {"target": "none", "graph": SPARK}},
        statuses={"echo": ECHO},
        player={"statuses": {"echo": 1}},
        depth_limit=4,
    )
    arena.play("first")
    assert len(faults(arena)) == 1
    assert sorted(arena.discard) == ["first", "spark"]


@pytest.mark.parametrize("limit", [1, 10, 100])
def test_r2_5_flow_nodes_under_one_root_are_counted(limit: int) -> None:
    count = """
        on: on_card_played; loop: repeat count=1000000; add: change_variable name=rounds value=1; on > loop
        loop.body add.in
    """
    arena = Arena(cards={"spin": count}, node_limit=limit)
    arena.play("spin")
    (fault,) = faults(arena)
    assert fault["kind"] == "nodes"
    assert arena.variable("rounds") == limit - 1, "the loop node itself is one of them"


def test_r2_5_each_root_has_a_budget_of_its_own() -> None:
    ten = "loop: repeat count=10; add: change_variable name=rounds value=1; loop.body add.in; "
    arena = Arena(
        statuses={"busy": ten + "a: on_turn_end; b: on_turn_end; a > loop; b > loop"},
        player={"statuses": {"busy": 1}},
        node_limit=11,
    )
    arena.end_turn()
    assert faults(arena) == []
    assert arena.variable("rounds") == 20


def test_r2_5_one_node_must_not_run_for_ever_either() -> None:
    arena = Arena(
        cards={"storm": "on: on_card_played; hit: deal_damage amount=0 hits=2000000000; on > hit"}, node_limit=50
    )
    arena.play("storm")
    assert [fault["kind"] for fault in faults(arena)] == ["nodes"]


def test_r2_5_units_at_0_hp_die_when_their_root_is_abandoned() -> None:
    """The fatal hit's reactions run away: the enemy is dead all the same, with its E30, and the battle is won."""
    arena = Arena(
        cards={"strike": "on: on_card_played; hit: deal_damage amount=200; on > hit"},
        statuses={
            "panic": """
                hurt: on_attack_taken; say: raise_internal_event event=panic; hurt > say
                hear: on_internal_event event=panic; on: raise_internal_event event=panic; hear > on
            """,
            "last": witness("on_unit_died"),
        },
        enemies={"worm": {"statuses": {"panic": 1, "last": 1}}},
        fight=("worm",),
    )
    lines = arena.play("strike")
    assert lines[-1] == "on_unit_died status:last@enemy0 was_kill=false source=none target=enemy0"
    assert arena.outcome == "won"


def test_r2_5_r4_9_what_a_play_count_hook_spent_is_told_after_a_fault() -> None:
    arena = Arena(
        cards={"spark": SPARK},
        statuses={
            "echo": ECHO,
            "twice": "ask: play_count_hook; set: set_hook_amount amount=2 spend=1; ask > set\n"
            + witness("on_status_removed"),
        },
        player={"statuses": {"echo": 1, "twice": 1}},
        depth_limit=2,
    )
    assert arena.play("spark")[-1] == "on_status_removed status:twice@player status=twice stacks=0 target=player"
    assert len(faults(arena)) == 2, "each of the two runs is a root of its own"


@pytest.fixture
def recursion_limit() -> Iterator[None]:
    """A deep battle raises the interpreter's limit for good; hypothesis minds when it finds another."""
    before = sys.getrecursionlimit()
    yield
    sys.setrecursionlimit(before)


def nested_loops(body: str) -> str:
    """As many loops inside each other as the checker lets pass, around a node."""
    loops = [f"loop{number}: repeat count=1" for number in range(MAX_LOOP_DEPTH - 1)]
    links = [f"loop{number}.body loop{number + 1}.in" for number in range(MAX_LOOP_DEPTH - 2)]
    return "\n".join([*loops, *links, f"body: {body}", f"loop{MAX_LOOP_DEPTH - 2}.body body.in"])


def nested_values(first: str) -> tuple[str, str]:
    """As many pure nodes inside each other as the checker lets pass, and the last one's output."""
    values = [f"v{number}: int_math op=add b=0" for number in range(MAX_VALUE_DEPTH - 2)]
    links = [f"v{number}.result v{number + 1}.a" for number in range(MAX_VALUE_DEPTH - 3)]
    return "\n".join([f"v: {first}", *values, "v.result v0.a", *links]), f"v{MAX_VALUE_DEPTH - 3}.result"


@pytest.mark.usefixtures("recursion_limit")
@pytest.mark.parametrize("depth", [128, 200])
def test_r2_5_the_interpreters_own_limit_is_never_what_stops_it(depth: int) -> None:
    """The widest level there can be: loops inside loops, a hook with values inside values, at every depth."""
    values, last = nested_values("own_stacks")
    arena = Arena(
        cards={"spark": SPARK},
        statuses={
            "echo": "up: on_armor_gained; up > loop0\n" + nested_loops("gain_armor amount=1"),
            "deep": f"""
                ask: armor_gain_hook; ask > loop0; {nested_loops("set_hook_amount")}; {values}; {last} body.amount
            """,
        },
        player={"statuses": {"echo": 1, "deep": 1}},
        depth_limit=depth,
        node_limit=10_000_000,
    )
    arena.play("spark")
    assert [fault["kind"] for fault in faults(arena)] == ["depth"]
    assert len(faults(arena)[0]["chain"]) == depth + 1
    assert arena.player.armor == depth + 1


@pytest.mark.usefixtures("recursion_limit")
@pytest.mark.parametrize("depth", [128, 200])
def test_r2_5_nor_where_a_choice_may_be_asked(depth: int) -> None:
    """Such a pack's actions run in a greenlet; cards that play each other nest the most frames of our own."""
    again = """
        on: on_card_played; back: move_card to=hand; ask: choose_option options=["only"]; go: play_card
        on > back > ask > go; on.card back.card; on.card go.card
    """
    arena = Arena(cards={"again": {"target": "none", "graph": again}}, depth_limit=depth, node_limit=10_000_000)
    arena.play("again")
    assert [fault["kind"] for fault in faults(arena)] == ["depth"]
    assert arena.battle.places[0] < 4
    assert arena.battle.choice is None


def test_r2_6_an_error_ends_its_branch_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The action that raised it goes on: other reactions, the rest of the hit, the rest of the card."""
    arena = BrokenArena(
        monkeypatch,
        cards={
            "strike": """
                on: on_card_played; hit: deal_damage amount=6; after: set_variable name=after value=1
                on > hit > after
            """
        },
        statuses={
            "broken": "hurt: on_damage_taken; bad: break_down; no: set_variable name=no value=1; hurt > bad > no",
            "ear": witness("on_damage_taken", "on_attack_taken", "on_hp_lost"),
        },
        enemies={"worm": {"statuses": {"broken": 1, "ear": 1}}},
        fight=("worm",),
    )
    lines = arena.play("strike")
    assert [line.split()[0] for line in lines[1:]] == [
        "on_damage_taken",
        "on_damage_taken",
        "on_attack_taken",
        "on_hp_lost",
    ]
    assert (arena.variable("after"), arena.variable("no")) == (1, 0)
    (fault,) = faults(arena)
    assert (fault["kind"], fault["message"]) == ("error", "RuntimeError: no such luck")
    assert fault["chain"] == ("card:strike on_card_played/hit", "status:broken@enemy0 on_damage_taken/bad")
    assert arena.battle.running.hit_depth == 0


def test_r2_6_an_error_inside_a_kill_still_lets_the_battle_be_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    arena = BrokenArena(
        monkeypatch,
        cards={
            "strike": "on: on_card_played; hit: deal_damage amount=200; bad: break_down; on > hit; hit.on_kill bad.in"
        },
    )
    arena.play("strike")
    assert arena.outcome == "won"
    assert arena.discard == ["strike"]


def test_r2_6_an_error_restores_the_arguments_of_the_event_around_it(monkeypatch: pytest.MonkeyPatch) -> None:
    arena = BrokenArena(
        monkeypatch,
        cards={"say": 'on: on_card_played; say: raise_internal_event event=outer args={"n":"int"} n=7; on > say'},
        statuses={
            "outer": """
                a: on_internal_event event=outer; say: raise_internal_event event=inner args={"n":"int"} n=1
                n: event_arg name=n type=int; keep: set_variable name=kept; a > say > keep; n.value keep.value
            """,
            "inner": "a: on_internal_event event=inner; bad: break_down; a > bad",
        },
        player={"statuses": {"outer": 1, "inner": 1}},
    )
    arena.play("say")
    assert arena.variable("kept") == 7


@pytest.mark.parametrize("tracing", [False, True])
def test_r2_6_a_number_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch, tracing: bool) -> None:
    arena = BrokenArena(
        monkeypatch,
        cards={
            "strike": {
                "text": "Deal {hit.amount} damage.",
                "graph": "on: on_card_played; bad: bad_number; hit: deal_damage; on > hit; bad.result hit.amount",
            }
        },
        tracing=tracing,
    )
    assert arena.text("strike") == "Deal {hit.amount} damage."
    arena.play("strike")
    assert [fault["message"] for fault in faults(arena)] == ["ZeroDivisionError: no number"]
    assert arena.battle.logging, "a trace that cannot read an input goes on with its log"
    assert arena.discard == ["strike"]


def test_r2_6_a_leaf_whose_amount_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planning and acting tell the fault, reading the intent raises nothing, the enemy phase goes on."""
    bad = """
        start: on_enemy_behavior_start; bad: bad_number; leaf: leaf_intent kind=attack; hit: deal_damage
        start > leaf > hit; bad.result leaf.amount; leaf.amount hit.amount
    """
    arena = BrokenArena(
        monkeypatch,
        statuses={"ear": witness("on_turn_end")},
        enemies={"worm": {"statuses": {"ear": 1}, "graph": bad}},
        fight=("worm", "worm"),
    )
    intent = shown_intent(arena.battle, arena.enemy())
    assert (intent.kind, intent.amount) == ("attack", 0)
    assert len(faults(arena)) == 2
    assert arena.end_turn() == ["on_turn_end status:ear@enemy0", "on_turn_end status:ear@enemy1"]
    assert len(faults(arena)) == 4
    assert (arena.battle.turn, arena.player.hp) == (2, 50)
    assert faults(arena)[0]["chain"] == ("enemy:worm@enemy0 on_enemy_behavior_start/leaf",)


def test_r2_6_a_pattern_and_a_hook_that_raise(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = """
        start: on_enemy_behavior_start; bad: bad_number; is: compare op=gt b=0; way: pattern_branch
        leaf: leaf_intent kind=attack; start > way; bad.result is.a; is.result way.condition; way.true leaf.in
    """
    arena = BrokenArena(
        monkeypatch,
        cards={"strike": "on: on_card_played; hit: deal_damage amount=6; on > hit"},
        statuses={
            "hooked": "ask: damage_dealt_hook; bad: bad_number; set: set_hook_amount; ask > set; bad.result set.amount"
        },
        enemies={"worm": plan},
        fight=("worm",),
        player={"statuses": {"hooked": 1}},
    )
    assert len(faults(arena)) == 1
    arena.play("strike")
    assert arena.enemy().hp == 94, "a hook that fails leaves the amount"
    arena.end_turn()
    assert arena.battle.turn == 2


def test_r2_6_without_a_log_faults_end_the_same_things() -> None:
    pack = {
        "cards": [{"id": "spark", "cost": 0, "target": "none", "graph": graph(SPARK)}],
        "statuses": [{"id": "echo", "graph": graph(ECHO)}],
        "enemies": [{"id": "dummy", "hp": 9}],
        "decks": [{"id": "deck", "cards": ["spark"]}],
    }
    content = load_content(pack)
    encounter = encounter_of(
        content, {"enemies": ["dummy"], "deck": "deck", "player": {"hp": 9, "statuses": {"echo": 1}}}
    )
    quiet = start_battle(content, encounter, logging=False)
    loud = start_battle(content, encounter)
    for battle in (quiet, loud):
        assert act(battle, PlayCard(0)) is None
    assert quiet.log == []
    assert [event.number for event in read_events(loud)].count(FAULT) == 1
    assert quiet.player.armor == loud.player.armor
