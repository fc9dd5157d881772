"""R4.8, R2.7, R2.8: deaths by every cause and in every nesting: E30 exactly once, the right killer, one decision."""

from __future__ import annotations

from typing import Any

import pytest

from tests.runtime.arena import Arena, attacker, strike, witness

WATCH = {"watch": witness("on_unit_died", "on_battle_end")}


VICTIM = {"hp": 5, "statuses": {"watch": 1}}


def _card(text: str) -> dict[str, Any]:
    return {"graph": f"on: on_card_played; {text}; on > a", "target": "enemy"}


# Cause of death -> what the victim carries, what the player plays (None: ends the turn), who is credited.
CAUSES: dict[str, tuple[dict[str, Any], dict[str, Any] | None, str]] = {
    "attack of a card": ({}, _card("a: deal_damage amount=9"), "player"),
    "attack in a status graph": (
        {"curse": "on: on_turn_end; a: deal_damage amount=9 attacker=player; on > a"},
        None,
        "player",
    ),
    "status damage": ({"burn": "on: on_turn_end; a: deal_damage amount=9; on > a"}, None, "none"),
    "decay": (
        {
            "fuse": {
                "decay": 1,
                "graph": """
        on: on_status_expired; a: deal_damage amount=9; on > a
    """,
            }
        },
        None,
        "none",
    ),
    "direct loss": ({}, _card("a: lose_hp amount=9 target=chosen"), "none"),
    "kill unit": ({}, _card("a: kill_unit target=chosen"), "none"),
    "an attack on itself": (
        {
            "rage": """
        on: on_turn_start; a: deal_damage amount=9 kind=attack; on > a
    """
        },
        None,
        "enemy0",
    ),
    "status damage of a card": ({}, _card("a: deal_damage amount=9 kind=status"), "none"),
    "a loss in its own loss": (
        {"brittle": "on: on_hp_lost; a: lose_hp amount=9; on > a"},
        _card("a: deal_damage amount=1"),
        "none",
    ),
}


@pytest.mark.parametrize("last", [False, True], ids=["others live", "the last enemy"])
@pytest.mark.parametrize("cause", CAUSES)
def test_r4_8_e30_once_with_the_right_killer(cause: str, last: bool) -> None:
    carried, card, killer = CAUSES[cause]
    victim = {**VICTIM, "statuses": {"watch": 1, **dict.fromkeys(carried, 1)}}
    arena = Arena(
        cards={"card": card} if card else None,
        statuses={**WATCH, **carried},
        fight=[("dummy", victim)] if last else [("dummy", victim), "dummy"],
        player={"statuses": {"watch": 1}},
    )
    lines = arena.play("card") if card else arena.end_turn()
    deaths = [line for line in lines if line.startswith("on_unit_died")]
    expected = [f"on_unit_died status:watch@enemy0 was_kill=false source={killer} target=enemy0"]
    if killer == "player":
        # R4.8: the killer's statuses only where it is another unit than the victim.
        expected.append("on_unit_died status:watch@player was_kill=true source=player target=enemy0")
    assert deaths == expected
    assert [line for line in lines if line.startswith("on_battle_end")] == (
        ["on_battle_end status:watch@player"] if last else []
    )
    assert arena.outcome == ("won" if last else "running")
    assert not arena.enemy().statuses
    assert arena.enemy().hp == 0
    told = [event.fields for event in arena.events("unit_died")]
    assert told == [{"unit": 1, "killer": 0 if killer == "player" else 1 if killer == "enemy0" else -1}]


PLAYER_CAUSES: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "an enemy's attack": ({}, attacker(99), "enemy0"),
    "an enemy's status damage": ({}, attacker(99, "kind=status"), "none"),
    "status damage": ({"burn": "on: on_turn_end; a: deal_damage amount=99; on > a"}, {"hp": 9}, "none"),
    "decay": (
        {
            "fuse": {
                "decay": 1,
                "graph": """
        on: on_status_expired; a: lose_hp amount=99; on > a
    """,
            }
        },
        {"hp": 9},
        "none",
    ),
    "retaliation": (
        {"thorns": "on: on_attack_taken; a: deal_damage amount=9 kind=attack; on > a; on.source a.target"},
        {**attacker(1), "statuses": {"fury": 1}},
        "enemy0",
    ),
}


@pytest.mark.parametrize("cause", PLAYER_CAUSES)
def test_r4_8_r2_7_the_player_dies_once_and_the_battle_is_lost(cause: str) -> None:
    carried, enemy, killer = PLAYER_CAUSES[cause]
    # The enemy of the retaliation strikes back at what strikes back at it, until the player is dead.
    fury = "on: on_attack_taken; a: deal_damage amount=60 kind=attack; on > a; on.source a.target"
    arena = Arena(
        statuses={**WATCH, "fury": fury, **carried},
        enemies={"foe": enemy},
        fight=["foe"],
        player={"hp": 30, "statuses": {"watch": 1, **dict.fromkeys(carried, 1)}},
    )
    lines = arena.end_turn()
    died = f"on_unit_died status:watch@player was_kill=false source={killer} target=player"
    ends = [line for line in lines if line.startswith(("on_unit_died", "on_battle_end"))]
    assert ends == [died, "on_battle_end status:watch@player"]
    assert (arena.outcome, arena.player.hp, arena.player.statuses) == ("lost", 0, {})
    assert arena.lines()[-1] == "on_battle_end status:watch@player"


def test_r4_8_saved_in_the_outer_hit_and_killed_in_a_nested_one_dies_once() -> None:
    # The hit leaves 0 HP; its E15 heals the victim, E16 of the victim makes it strike itself: that hit kills.
    arena = Arena(
        cards={
            "strike": {
                "graph": """
            on: on_card_played; hit: deal_damage amount=9; k: change_variable name=kills value=1; on > hit
            hit.on_kill > k
        """
            }
        },
        statuses={
            "mercy": "on: on_damage_dealt; heal: gain_hp amount=3; on > heal; on.target heal.target",
            "spite": "on: on_damage_taken; hurt: deal_damage amount=9; on > hurt",
            **WATCH,
        },
        fight=[("dummy", {"hp": 5, "statuses": {"spite": 1, "watch": 1}}), "dummy"],
        player={"statuses": {"mercy": 1, "watch": 1}},
    )
    lines = arena.play("strike")
    # The nested status damage asks spite again, which finds its holder at 0 HP and skips it.
    assert [line for line in lines if line.startswith("on_unit_died")] == [
        "on_unit_died status:watch@enemy0 was_kill=false source=none target=enemy0"
    ]
    assert arena.variable("kills") == 0


def test_r4_8_a_dying_unit_is_skipped_by_everything_but_gain_hp() -> None:
    tries = """
        died: on_unit_died; hurt: deal_damage amount=5 target=acting kind=attack; lose: lose_hp amount=5
        kill: kill_unit
        up: gain_armor amount=5; down: lose_armor amount=5; give: apply_status status=mark target=acting
        off: remove_status status=watch; by: change_status_stacks status=watch amount=5; go: remove_unit
        top: change_max_hp amount=5
        heal: gain_hp amount=5
        died > hurt > lose > kill > up > down > give > off > by > go > top > heal
        count: count_units; all: all_enemies; all.units count.units; v: set_variable name=living; heal > v
        count.result v.value
        info: unit_info; branch: branch; alive: set_variable name=alive value=1; v > branch; info.alive branch.condition
        branch.true > alive
    """
    everything = (
        "on_damage_dealt",
        "on_damage_taken",
        "on_attack_taken",
        "on_hp_lost",
        "on_hp_gained",
        "on_armor_gained",
        "on_armor_lost",
        "on_status_inflicted",
        "on_status_removed",
        "on_status_stacks_changed",
        "on_unit_died",
    )
    arena = Arena(
        cards={"kill": strike(99)},
        statuses={"tries": tries, "watch": witness(*everything), "mark": witness("on_status_received")},
        fight=[("dummy", {"hp": 5, "statuses": {"tries": 1, "watch": 1}}), "dummy"],
    )
    lines = arena.play("kill")
    after = lines[lines.index("on_unit_died status:tries@enemy0 was_kill=false source=player target=enemy0") + 1 :]
    assert after == [
        "on_hp_gained status:watch@enemy0 amount=5 source=none target=enemy0",
        "on_unit_died status:watch@enemy0 was_kill=false source=player target=enemy0",
    ]
    assert (arena.variable("living"), arena.variable("alive")) == (1, 0)
    assert (arena.enemy().hp, arena.enemy().armor, arena.enemy().max_hp) == (0, 0, 5)


def test_r4_8_e30_of_the_victim_runs_whole_although_a_killer_is_dead_by_then() -> None:
    # The victim's E30 kills its killer: the victim's other status still hears, the dead killer's do not.
    arena = Arena(
        cards={"kill": strike(99)},
        statuses={
            "revenge": """
            died: on_unit_died; hurt: deal_damage amount=99 kind=attack target=player; died > hurt
        """,
            **WATCH,
        },
        fight=[("dummy", {"hp": 5, "statuses": {"revenge": 1, "watch": 1}}), "dummy"],
        player={"statuses": {"watch": 1}},
    )
    assert arena.play("kill")[1:] == [
        "on_unit_died status:revenge@enemy0 was_kill=false source=player target=enemy0",
        # R4.8: nested deaths complete inside. The player's killer is dying, not living: it gets no second E30.
        "on_unit_died status:watch@player was_kill=false source=enemy0 target=player",
        "on_unit_died status:watch@enemy0 was_kill=false source=player target=enemy0",
        "on_battle_end status:watch@player",
    ]
    assert arena.outcome == "lost"


def test_r4_8_an_attacker_that_was_killed_by_a_reaction_gets_no_credit_entry() -> None:
    # Thorns kill the enemy within the fatal hit: both die, the player first, as the inner death completes first.
    arena = Arena(
        statuses={"thorns": "on: on_attack_taken; a: deal_damage amount=999; on > a; on.source a.target", **WATCH},
        enemies={"foe": {**attacker(99), "statuses": {"watch": 1}}},
        fight=["foe"],
        player={"hp": 30, "statuses": {"thorns": 1, "watch": 1}},
    )
    assert arena.end_turn()[1:] == [
        "on_unit_died status:watch@enemy0 was_kill=false source=none target=enemy0",
        "on_unit_died status:watch@player was_kill=false source=enemy0 target=player",
        "on_battle_end status:watch@player",
    ]
    assert arena.outcome == "lost"


def test_r2_8_a_dead_attackers_on_kill_is_lost_and_its_card_goes_to_its_pile() -> None:
    arena = Arena(
        cards={
            "kill": {
                "graph": """
            on: on_card_played; hit: deal_damage amount=99; k: set_variable name=kills value=1; on > hit
            hit.on_kill > k
        """
            }
        },
        statuses={"revenge": "died: on_unit_died; hurt: lose_hp amount=99 target=player; died > hurt"},
        fight=[("dummy", {"hp": 5, "statuses": {"revenge": 1}}), "dummy"],
    )
    arena.play("kill")
    assert (arena.outcome, arena.variable("kills"), arena.discard) == ("lost", 0, ["kill"])


def test_r2_8_own_stacks_reads_0_when_the_status_has_gone() -> None:
    text = """
        on: on_turn_start; off: remove_status status=fading; stacks: own_stacks
        v: set_variable name=stacks value=9; on > off > w
        w: set_variable name=after; stacks.result w.value; done: set_variable name=done value=1; w > done
    """
    text = text.replace("v: set_variable name=stacks value=9;", "")
    arena = Arena(statuses={"fading": text}, player={"statuses": {"fading": 4}, "variables": {}})
    assert (arena.variable("after"), arena.variable("done")) == (0, 1)
    assert arena.stacks("fading") == 0


@pytest.mark.parametrize("kind", ["status", "attack"])
def test_r2_8_an_action_is_done_to_its_end_although_its_acting_unit_died_in_it(kind: str) -> None:
    # The bomb takes itself along, first of all enemies. As status damage the rest is hit all the same: the branch
    # stops at its next node only. As an attack the rest is lost (R4.1), for the attacker is dead.
    bomb = f"""
        on: on_turn_end; hit: deal_damage amount=9 target=all_enemies hits=2 kind={kind}
        after: set_variable name=after value=1; on > hit > after
    """
    arena = Arena(statuses={"bomb": bomb}, fight=[("dummy", {"hp": 5, "statuses": {"bomb": 1}}), "dummy"])
    arena.end_turn()
    assert (arena.enemy().alive, arena.variable("after")) == (False, 0)
    assert arena.enemy(1).hp == (82 if kind == "status" else 100)


@pytest.mark.parametrize(
    ("action", "left"),
    [
        ("lose_hp amount=9 target=all_enemies", 91),
        ("kill_unit target=all_enemies", 0),
        ("lose_armor amount=9 target=all_enemies", 100),
    ],
)
def test_r2_8_the_targets_of_a_dying_actor_are_not_dropped(action: str, left: int) -> None:
    bomb = f"on: on_turn_end; hit: {action}; on > hit; broken: on_armor_lost; die: kill_unit; broken > die"
    arena = Arena(
        statuses={"bomb": bomb},
        player={"statuses": {}},
        fight=[("dummy", {"hp": 5, "armor": 3, "statuses": {"bomb": 1}}), ("dummy", {"armor": 3})],
    )
    arena.set(enemies__1__armor=30)
    arena.end_turn()
    assert not arena.enemy().alive
    assert arena.enemy(1).hp == left
    if left == 100:
        # Its own step has reset its armor afterwards; what was told is what counts.
        told = [event.fields["after"] for event in arena.events("armor_changed") if event.fields["unit"] == 2]
        assert told[0] == 21


@pytest.mark.parametrize(("selector", "seen"), [("all_enemies", 1), ("all_units", 2)])
@pytest.mark.parametrize("entry", ["on_damage_dealt", "on_unit_died"])
def test_r4_8_a_unit_at_0_hp_is_in_no_selector(entry: str, selector: str, seen: int) -> None:
    """Neither before its death, while the hit's Entries run, nor after it."""
    count = f"""
        now: {entry}; all: {selector}; each: for_each_unit; all.units each.units
        one: change_variable name=seen value=1; now > each; each.body > one
        number: count_units; all.units number.units; two: change_variable name=counted; number.result two.value
        each > two
    """
    arena = Arena(
        cards={"kill": "on: on_card_played; hit: deal_damage amount=200; on > hit"},
        statuses={"census": count},
        player={"statuses": {"census": 1}},
        fight=("dummy", "dummy"),
    )
    arena.play("kill")
    assert (arena.variable("seen"), arena.variable("counted")) == (seen, seen)
