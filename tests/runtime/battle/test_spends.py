"""R4.9: what hooks spend is told when the operation that they changed is complete, and of no other operation."""

from __future__ import annotations

from tests.runtime.arena import Arena, attacker, witness


def shield(hook: str = "hp_loss_hook", more: str = "") -> str:
    """A status whose hook takes 1 off and spends a stack, and that tells of its stacks."""
    return f"""
        hook: {hook} {more}; less: int_math op=subtract b=1; result: set_hook_amount spend=1
        hook.amount less.a; less.result result.amount; hook > result
        seen: change_variable name=seen value=1; told: on_status_stacks_changed; told > seen
    """


def order(lines: list[str]) -> list[str]:
    """Who is told what: `entry holder`."""
    return [f"{line.split()[0]} {line.split('@')[1].split()[0]}" for line in lines if "@" in line]


STRIKE = "on: on_card_played; hit: deal_damage amount=9; on > hit"


def test_r4_9_all_hooks_of_a_hit_spend_and_all_are_told_behind_its_entries() -> None:
    """R4.1 on the way: both hooks of a phase each see the last amount."""
    arena = Arena(
        cards={"strike": STRIKE},
        statuses={
            "inner": shield(),
            "outer": shield("damage_taken_hook"),
            "third": shield(),
            "ear": witness("on_damage_taken", "on_hp_lost"),
        },
        fight=(("dummy", {"statuses": {"inner": 3, "outer": 3, "third": 3, "ear": 1}}),),
    )
    lines = arena.play("strike")
    assert arena.enemy().hp == 94
    assert [arena.stacks(each, arena.enemy()) for each in ("inner", "outer", "third")] == [2, 2, 2]
    names = [line.split()[0] for line in lines]
    # Three changes, each told to all three that listen.
    assert names == ["on_card_played", "on_damage_taken", "on_hp_lost", *["on_status_stacks_changed"] * 9]


def test_r4_9_a_nested_hit_tells_of_its_own_spends_alone() -> None:
    thorns = "hurt: on_damage_taken; stab: deal_damage amount=5; hurt > stab; hurt.source stab.target"
    arena = Arena(
        cards={"strike": STRIKE},
        statuses={"shield": shield(), "thorns": thorns, "ear": witness("on_hp_lost")},
        player={"statuses": {"shield": 3, "ear": 1}},
        fight=(("dummy", {"statuses": {"shield": 3, "thorns": 1, "ear": 1}}),),
    )
    assert order(arena.play("strike")) == [
        "on_damage_taken enemy0",
        "on_hp_lost player",
        "on_status_stacks_changed player",
        "on_hp_lost enemy0",
        "on_status_stacks_changed enemy0",
    ]


def test_r4_9_r4_4_a_loss_tells_of_its_spends_behind_e19_and_of_no_others() -> None:
    bleed = "hurt: on_damage_taken; lose: lose_hp amount=5 target=player; hurt > lose"
    arena = Arena(
        cards={"strike": STRIKE, "cut": "on: on_card_played; lose: lose_hp amount=4 target=player; on > lose"},
        statuses={"shield": shield(), "bleed": bleed, "ear": witness("on_hp_lost")},
        player={"statuses": {"shield": 3, "ear": 1}},
        fight=(("dummy", {"statuses": {"shield": 3, "bleed": 1, "ear": 1}}),),
    )
    assert order(arena.play("cut")) == ["on_hp_lost player", "on_status_stacks_changed player"]
    assert (arena.player.hp, arena.stacks("shield")) == (47, 2)
    assert order(arena.play("strike")) == [
        "on_damage_taken enemy0",
        "on_hp_lost player",
        "on_status_stacks_changed player",
        "on_hp_lost enemy0",
        "on_status_stacks_changed enemy0",
    ]


def test_r4_9_a_dry_run_inside_a_hit_undoes_nothing_but_itself() -> None:
    """Reading an intent while a hit has spent: the intent's hooks pretend to spend, the hit's have spent."""
    look = """
        hurt: on_damage_taken; info: unit_info; note: set_variable name=shown
        info.intent_amount note.value; hurt > note
    """
    arena = Arena(
        cards={"strike": STRIKE},
        statuses={"shield": shield(), "rage": shield("damage_dealt_hook"), "look": look},
        enemies={"brute": attacker(7, statuses={"shield": 3, "rage": 3, "look": 1})},
        fight=("brute",),
    )
    lines = arena.play("strike")
    assert arena.variable("shown") == 6
    assert (arena.stacks("shield", arena.enemy()), arena.stacks("rage", arena.enemy())) == (2, 3)
    assert [line.split()[0] for line in lines].count("on_status_stacks_changed") == 2, "each listener, once"
