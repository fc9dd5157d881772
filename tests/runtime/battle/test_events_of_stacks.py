"""R5.1, R5.3, R3.5: what is told of stacks, whose effect what follows is, and where decay ends."""

from __future__ import annotations

import pytest

from tests.runtime.arena import Arena, attacker

LISTENER = """
    a: on_status_received; b: on_status_removed; c: on_status_stacks_changed; d: on_status_expired
    seen: change_variable name=seen value=1; a > seen; b > seen; c > seen; d > seen
"""


@pytest.mark.parametrize(
    ("action", "changes", "entries"),
    [
        ("apply_status status=mark stacks=2 target=player", [("mark", 3, 5, "applied")], 2),
        ("apply_status status=high stacks=2 target=player", [], 1),
        ("apply_status status=fresh stacks=2 target=player", [("fresh", 0, 2, "applied")], 2),
        ("change_status_stacks status=mark mode=set amount=1 target=player", [("mark", 3, 1, "changed")], 1),
        ("change_status_stacks status=mark mode=set amount=3 target=player", [], 0),
        ("change_status_stacks status=mark mode=set amount=0 target=player", [("mark", 3, 0, "removed")], 1),
        ("change_status_stacks status=mark mode=add amount=-9 target=player", [("mark", 3, 0, "removed")], 1),
        ("remove_status status=mark target=player", [("mark", 3, 0, "removed")], 1),
    ],
)
def test_r5_1_r5_3_an_event_tells_what_became_of_stacks(
    action: str, changes: list[tuple[str, int, int, str]], entries: int
) -> None:
    arena = Arena(
        cards={"do": f"on: on_card_played; act: {action}; then: gain_energy amount=1; on > act > then"},
        statuses={
            "mark": {"graph": LISTENER},
            "high": {
                "graph": "a: on_status_received; seen: change_variable name=n value=1; a > seen",
                "stack_rule": "max",
            },
            "fresh": {"graph": LISTENER},
        },
        player={"statuses": {"mark": 3, "high": 3}},
    )
    arena.play("do")
    found = arena.events("stacks_changed")
    names = ("status", "before", "after", "reason")
    assert [tuple(event.fields[name] for name in names) for event in found] == changes
    played, *heard = arena.events("entry_dispatched")
    assert len(heard) >= entries
    assert all(event.cause == played.sequence for event in found)
    assert all(event.cause == found[0].sequence for event in heard if found)
    assert arena.events("energy_changed")[-1].cause == played.sequence
    assert arena.player.statuses.get("mark") is None or arena.stacks("mark") > 0


@pytest.mark.parametrize("logging", [False, True])
def test_nothing_is_written_down_where_nobody_asks_for_it(logging: bool) -> None:
    """With logging off there is no list of events, whatever an action changes or leaves."""
    actions = (
        "apply_status status=mark stacks=2 target=player",
        "apply_status status=high stacks=2 target=player",
        "change_status_stacks status=mark mode=set amount=1 target=player",
        "remove_status status=mark target=player",
        "deal_damage amount=2",
        "lose_hp amount=2 target=player",
        "gain_hp amount=1 target=player",
        "gain_hp amount=9 target=player",
        "gain_hp amount=9 target=player",
        "change_max_hp amount=3 target=player",
        "change_max_hp amount=-30 target=player",
        "change_max_hp amount=0 target=player",
        "gain_armor amount=3 target=player",
        "lose_armor amount=1 target=player",
        "lose_armor amount=0 target=player",
    )
    steps = "; ".join(f"n{number}: {action}" for number, action in enumerate(actions))
    flow = " > ".join(["on", *(f"n{number}" for number in range(len(actions)))])
    arena = Arena(
        cards={"do": f"on: on_card_played; {steps}; {flow}"},
        statuses={"mark": {"decay": 1}, "high": {"stack_rule": "max", "decay": 1}},
        enemies={"brute": attacker(1, armor=2)},
        fight=("brute",),
        player={"statuses": {"high": 3}},
        logging=logging,
    )
    arena.play("do")
    arena.end_turn()
    assert bool(arena.battle.log) == logging


HIT = "on: on_card_played; hit: deal_damage amount=20; on > hit"


@pytest.mark.parametrize("entry", ["on_damage_dealt", "on_unit_died"])
def test_r4_8_r5_1_a_unit_at_0_hp_is_given_nothing(entry: str) -> None:
    """Neither armor nor a status, from its last hit on; one with 1 HP gets both."""
    give = f"""
        now: {entry}; up: gain_armor amount=4; mark: apply_status status=mark stacks=2
        now.target up.target; now.target mark.target; one: set_variable name=gained; up.gained one.value
        two: set_variable name=stacks; mark.stacks two.value; now > up > mark > one > two
    """
    for hp, given in ((20, 0), (21, 1)):
        arena = Arena(
            cards={"strike": HIT},
            statuses={"giver": give, "mark": {}},
            player={"statuses": {"giver": 1}},
            fight=(("dummy", {"hp": hp}), "dummy"),
        )
        arena.play("strike")
        if entry == "on_unit_died" and given:
            continue
        assert (arena.enemy().armor, arena.stacks("mark", arena.enemy())) == (4 * given, 2 * given)
        assert (arena.variable("gained"), arena.variable("stacks")) == (4 * given, 2 * given)
        assert len(arena.events("stacks_changed")) == len(arena.events("armor_changed")) == given


def test_r3_5_one_status_that_does_not_decay_keeps_no_other_from_it() -> None:
    """One that is new is passed over, one that the first one's end has removed is skipped: the others decay."""
    hexer = """
        start: on_enemy_behavior_start; hex: leaf_intent kind=debuff; give: apply_status status=frail stacks=3
        start > hex > give
    """
    arena = Arena(
        statuses={
            "frail": {"decay": 1, "decay_skips_new": True},
            "brief": {"decay": 1, "graph": "end: on_status_expired; off: remove_status status=gone; end > off"},
            "gone": {"decay": 1},
            "slow": {"decay": 1},
        },
        enemies={"hexer": hexer},
        fight=("hexer",),
        player={"statuses": {"frail": 2, "brief": 2, "gone": 9, "slow": 9}},
    )
    arena.end_turn()
    assert [arena.stacks(each) for each in ("frail", "brief", "gone", "slow")] == [4, 1, 8, 8]
    arena.end_turn()
    assert [arena.stacks(each) for each in ("frail", "brief", "gone", "slow")] == [7, 0, 0, 7]


def test_r3_5_r2_7_decay_ends_with_the_battle() -> None:
    end = "end: on_status_expired; die: kill_unit target=all_enemies; end > die"
    arena = Arena(
        statuses={"brief": {"decay": 1, "graph": end}, "slow": {"decay": 1}},
        player={"statuses": {"brief": 1, "slow": 9}},
    )
    arena.end_turn()
    assert (arena.outcome, arena.stacks("slow")) == ("won", 9)


def test_r4_6_the_last_point_of_armor_is_lost() -> None:
    arena = Arena(
        cards={"do": "on: on_card_played; down: lose_armor amount=1 target=player; on > down"},
        statuses={"ear": "lost: on_armor_lost; seen: change_variable name=seen value=1; lost > seen"},
        player={"armor": 1, "statuses": {"ear": 1}},
    )
    arena.play("do")
    assert (arena.player.armor, arena.variable("seen")) == (0, 1)


def test_r4_9_an_armor_gain_inside_a_hit_tells_of_its_own_spends_alone() -> None:
    shield = """
        hook: {0}; less: int_math op=subtract b=1; result: set_hook_amount spend=1
        hook.amount less.a; less.result result.amount; hook > result
        told: on_status_stacks_changed; seen: change_variable name={1} value=1; told > seen
    """
    arena = Arena(
        cards={"strike": HIT},
        statuses={
            "shield": shield.format("hp_loss_hook", "shield"),
            "plate": shield.format("armor_gain_hook", "plate"),
            "wall": "hurt: on_damage_taken; up: gain_armor amount=5; hurt > up",
            "ear": "lost: on_hp_lost; seen: change_variable name=lost value=1; lost > seen",
        },
        fight=(("dummy", {"statuses": {"shield": 3, "plate": 3, "wall": 1, "ear": 1}}),),
    )
    names = [line.split()[0] for line in arena.play("strike")]
    assert names.index("on_hp_lost") == 4, names
    assert names.count("on_status_stacks_changed") == 4
    assert arena.enemy().armor == 4


def test_r3_5_t2_decay_and_the_reset_of_armor_are_told_and_cause_what_answers_them() -> None:
    arena = Arena(
        statuses={"brief": {"graph": LISTENER, "decay": 1}, "slow": {"graph": LISTENER, "decay": 1}},
        player={"statuses": {"brief": 1, "slow": 9}, "armor": 4},
    )
    arena.end_turn()
    names = ("status", "before", "after", "reason")
    brief, slow = arena.events("stacks_changed")
    assert [tuple(event.fields[name] for name in names) for event in (brief, slow)] == [
        ("brief", 1, 0, "decay"),
        ("slow", 9, 8, "decay"),
    ]
    assert [event.cause for event in arena.events("entry_dispatched")] == [brief.sequence, slow.sequence]
    assert slow.cause == brief.cause
    assert [
        (event.fields["before"], event.fields["after"], event.fields["reason"])
        for event in arena.events("armor_changed")
    ] == [(4, 0, "reset")]
