"""R4.9: intents, costs and texts are shown after dry runs, which change nothing; what is shown is what is paid."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime.battle import PlayCard, check, legal_actions, targets_of, unplayable_reason
from tests.runtime.arena import Arena, attacker
from tests.runtime.battle.fingerprint import fingerprint

GONE = """
    gone: on_status_removed; less: on_status_stacks_changed; v: change_variable name=seen value=1; gone > v
    less > v
"""


def hook(timing: str, op: str, number: int, phase: int = 0, spend: int = 0, name: str = "hook") -> str:
    """A hook that reckons with a number, or, where that is 0, with its own status' stacks, live."""
    wire = f"{name}_own: own_stacks; {name}_own.result {name}_math.b" if number == 0 else ""
    given = "" if number == 0 else f"b={number}"
    return f"""
        {name}: {timing} phase={phase}; {name}_math: int_math op={op} {given}; {name}_set: set_hook_amount spend={spend}
        {name} > {name}_set; {name}.amount {name}_math.a; {name}_math.result {name}_set.amount; {wire}
    """


STRIKE = {
    "text": "Deal {hit.amount}, gain {up.amount}, heal {heal.amount}, take off {down.amount}, {half.a}.",
    "cost": 2,
    "graph": """
        on: on_card_played; hit: deal_damage; up: gain_armor amount=5; heal: gain_hp amount=4
        down: lose_armor amount=3 target=chosen; on > hit > up > heal > down
        half: int_math op=divide a=6 b=0; sum: int_math op=add b=6; half.result sum.a; sum.result hit.amount
    """,
}
TIMINGS = (
    "damage_dealt_hook",
    "damage_taken_hook",
    "hp_loss_hook",
    "hp_gain_hook",
    "armor_gain_hook",
    "armor_loss_hook",
    "card_cost_hook",
)
HOOK = st.tuples(
    st.sampled_from(TIMINGS),
    st.sampled_from(["add", "subtract", "multiply", "divide", "min", "max"]),
    st.integers(-3, 9),
    st.integers(-2, 2),
    st.integers(0, 2),
)


def look(arena: Arena) -> None:
    """Everything that can be read of a battle between two actions."""
    battle = arena.battle
    arena.intent()
    legal_actions(battle)
    for number in battle.piles[0]:
        card = battle.cards[number]
        arena.cost(card.definition.id)
        unplayable_reason(battle, card)
        targets_of(battle, card)
        for unit in (None, *battle.units):
            arena.text(card.definition.id, unit)
        check(battle, PlayCard(number, 1))


def _table(hooks: list[list[tuple[str, str, int, int, int]]], stacks: int) -> Arena:
    """A battle where both sides carry a status for each list of hooks."""
    statuses = {
        f"s{place}": GONE + "; " + "".join(hook(*given, name=f"h{number}") for number, given in enumerate(several))
        for place, several in enumerate(hooks)
    }
    carried = dict.fromkeys(statuses, stacks)
    brute = {**attacker(7, statuses=carried), "hp": 2_000_000_000}
    return Arena(
        cards={"strike": STRIKE},
        statuses=statuses,
        enemies={"brute": brute},
        fight=["brute"],
        player={"hp": 2_000_000_000, "energy": 2_000_000_000, "armor": 3, "statuses": carried},
    )


# The first battle raises the interpreter's recursion limit, which must not happen in the middle of an example.
Arena()


@settings(max_examples=60, deadline=None)
@given(hooks=st.lists(st.lists(HOOK, min_size=1, max_size=3), min_size=1, max_size=4), stacks=st.integers(1, 3))
def test_r4_9_reading_changes_nothing_and_what_is_shown_is_paid(
    hooks: list[list[tuple[str, str, int, int, int]]], stacks: int
) -> None:
    arena = _table(hooks, stacks)
    before = fingerprint(arena.battle)
    look(arena)
    assert fingerprint(arena.battle) == before
    cost, energy = arena.cost("strike"), arena.battle.energy
    arena.play("strike")
    assert energy - arena.battle.energy == cost
    # Paying may spend what a hook of the damage reads; so the damage is compared where paying asks nobody.
    arena = _table([[given for given in several if given[0] != "card_cost_hook"] for several in hooks], stacks)
    shown = arena.text("strike", arena.enemy()).removeprefix("Deal ").split(",")[0]
    arena.play("strike")
    (hit,) = arena.events("damage_resolved")
    assert hit.fields["amount"] == int(shown)
    # Playing may have spent what the intent was reckoned with: it is shown anew (R5.6), then paid.
    intent = arena.intent()
    arena.end_turn()
    (hit,) = arena.events("damage_resolved")
    assert hit.fields["amount"] == intent


def test_r4_9_a_dry_run_neither_spends_nor_warns_nor_draws() -> None:
    arena = Arena(
        cards={"strike": STRIKE},
        statuses={
            "thrift": hook("card_cost_hook", "subtract", 1, spend=1),
            "odd": """
                hook: damage_dealt_hook; m: int_math op=divide b=0; s: set_hook_amount; hook > s
                m.result s.amount; hook.amount m.a
            """,
        },
        enemies={
            "brute": """
                start: on_enemy_behavior_start; leaf: leaf_intent kind=attack; hit: deal_damage; start > leaf > hit
                        leaf.amount hit.amount; half: int_math op=modulo a=1 b=0; half.result leaf.amount"""
        },
        fight=["brute"],
        player={"statuses": {"thrift": 2, "odd": 1}},
    )
    before = fingerprint(arena.battle)
    for _ in range(3):
        look(arena)
    assert fingerprint(arena.battle) == before
    assert arena.stacks("thrift") == 2
    arena.play("strike")
    assert arena.stacks("thrift") == 1
    assert {event.fields["kind"] for event in arena.events("warning")} == {"division_by_zero"}


def test_r4_9_hooks_behind_a_spend_see_the_same_in_the_dry_run() -> None:
    # The first hook spends the last stack, so the second is asked neither in the real use nor in the dry run.
    two = hook("damage_dealt_hook", "add", 4, spend=1, name="a") + hook("damage_dealt_hook", "multiply", 2, name="b")
    # Another status asks whether the first is there.
    asks = """
        hook: damage_taken_hook; i: unit_is unit=player status=two; b: branch; i.result b.condition; hook > b
        s: set_hook_amount amount=50; b.true > s
    """
    arena = Arena(
        cards={
            "strike": {
                "text": "{hit.amount}",
                "graph": """
            on: on_card_played; hit: deal_damage amount=6; on > hit
        """,
            }
        },
        statuses={"two": two, "asks": asks},
        fight=[("dummy", {"statuses": {"asks": 1}})],
        player={"statuses": {"two": 1}},
    )
    before = fingerprint(arena.battle)
    assert arena.text("strike", arena.enemy()) == "10"
    assert fingerprint(arena.battle) == before
    arena.play("strike")
    assert arena.enemy().hp == 90


def test_r4_9_a_status_that_has_spent_itself_asks_no_plain_hook_either() -> None:
    """In the same operation; the real use and the dry run agree, whatever else the card asks."""
    costs = hook("card_cost_hook", "add", -1, spend=1) + hook("card_cost_hook", "add", 5, 1, name="more")
    own = "on: on_card_played; own: card_cost_hook phase=2; same: set_hook_amount; own > same; own.amount same.amount"
    cards = {"plain": {"cost": 3}, "own": {"cost": 3, "graph": own}}
    for card in cards:
        arena = Arena(cards=cards, statuses={"costs": costs}, player={"statuses": {"costs": 1}, "energy": 9})
        assert arena.cost(card) == 2
        arena.play(card)
        assert arena.battle.energy == 7
    fury = hook("damage_dealt_hook", "multiply", 2, spend=1) + hook("damage_taken_hook", "add", 5, name="sore")
    graph = "on: on_card_played; hit: deal_damage amount=4 target=player kind=attack; on > hit"
    cards = {"rage": {"target": "self", "text": "{hit.amount}", "graph": graph}}
    arena = Arena(cards=cards, statuses={"fury": fury}, player={"statuses": {"fury": 1}})
    assert arena.text("rage") == "8"
    arena.play("rage")
    assert arena.player.hp == 50 - 8


def test_r4_9_an_error_in_a_dry_run_is_silent_and_leaves_the_amount() -> None:
    # A hook that loops for ever is cut off by the node limit, in the dry run as in the real use.
    endless = """
        hook: damage_dealt_hook; loop: repeat count=2000000000; again: repeat count=2000000000
        inner: branch condition=true
        set: set_hook_amount amount=99; hook > loop; loop.body > again; again.body > inner; loop > set
    """
    arena = Arena(
        cards={
            "strike": {
                "text": "{hit.amount}",
                "graph": """
            on: on_card_played; hit: deal_damage amount=6; on > hit
        """,
            }
        },
        statuses={"endless": endless},
        player={"statuses": {"endless": 1}},
        node_limit=50,
    )
    before = fingerprint(arena.battle)
    assert arena.text("strike") == "6"
    assert fingerprint(arena.battle) == before
    arena.play("strike")
    assert [event.fields["kind"] for event in arena.events("fault")] == ["nodes"]
    # R2.5: the root is abandoned, what was done stays done; the card still goes to its pile.
    assert arena.enemy().hp == 100
    assert arena.discard == ["strike"]


@pytest.mark.parametrize("kind", ["attack", "attack_defend"])
def test_r5_6_every_intent_that_attacks_is_shown_after_hooks(kind: str) -> None:
    text = f"""
        start: on_enemy_behavior_start; leaf: leaf_intent kind={kind} amount=5; hit: deal_damage
        start > leaf > hit; leaf.amount hit.amount
    """
    more = "hook: damage_dealt_hook; sum: int_math op=add b=3; result: set_hook_amount; "
    more += "hook.amount sum.a; sum.result result.amount; hook > result"
    arena = Arena(
        statuses={"might": more}, enemies={"brute": {"graph": text, "statuses": {"might": 1}}}, fight=("brute",)
    )
    assert arena.intent() == 8
    arena.end_turn()
    assert arena.player.hp == 42, "what is shown is what is dealt"


@pytest.mark.parametrize(
    ("action", "hook"),
    [("gain_armor", "armor_gain_hook"), ("gain_hp", "hp_gain_hook"), ("lose_armor", "armor_loss_hook")],
)
def test_r4_9_a_shown_amount_is_clamped_as_the_real_one_is(action: str, hook: str) -> None:
    card = {
        "target": "self",
        "text": "{do.amount}",
        "graph": f"on: on_card_played; do: {action} amount=5 target=player; on > do",
    }
    arena = Arena(
        cards={"card": card},
        statuses={"curse": f"hook: {hook}; result: set_hook_amount amount=-3; hook > result"},
        player={"statuses": {"curse": 1}, "armor": 9},
    )
    assert arena.text("card") == "0"
