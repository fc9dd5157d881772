"""R4.1, R4.4 to R4.7: events tell what has changed, and nothing that has not; what follows is not caused by it."""

from __future__ import annotations

import pytest

from tests.runtime.arena import Arena

CHANGES = ("damage_resolved", "armor_changed", "hp_changed")


@pytest.mark.parametrize(
    ("amount", "armor", "changes"),
    [
        (0, 0, []),
        (0, 3, []),
        (5, 0, [("hp_changed", 20, 15, "damage")]),
        (5, 3, [("armor_changed", 3, 0, "absorb"), ("hp_changed", 20, 18, "damage")]),
        (5, 8, [("armor_changed", 8, 3, "absorb")]),
        (50, 3, [("armor_changed", 3, 0, "absorb"), ("hp_changed", 20, 0, "damage")]),
    ],
)
@pytest.mark.parametrize("listens", [False, True])
def test_r4_1_a_hit_tells_what_it_took(
    amount: int, armor: int, changes: list[tuple[str, int, int, str]], listens: bool
) -> None:
    ear = "hurt: on_damage_taken; seen: change_variable name=seen value=1; hurt > seen"
    arena = Arena(
        cards={"strike": f"on: on_card_played; hit: deal_damage amount={amount}; on > hit"},
        statuses={"ear": ear},
        fight=(("dummy", {"hp": 20, "armor": armor, "statuses": {"ear": 1} if listens else {}}), "dummy"),
    )
    arena.play("strike")
    (hit,) = arena.events("damage_resolved")
    found = [event for kind in ("armor_changed", "hp_changed") for event in arena.events(kind)]
    assert [(event.kind, *(event.fields[name] for name in ("before", "after", "reason"))) for event in found] == changes
    assert all(event.cause == hit.sequence for event in found)
    # What answers the hit was caused by it.
    answers = [event.cause for event in arena.events("entry_dispatched")][1:]
    assert answers == [hit.sequence] * listens


@pytest.mark.parametrize(("kept", "told"), [(0, []), (3, [(50, 47)])])
def test_r4_4_a_loss_that_hooks_take_away_changes_no_hp(kept: int, told: list[tuple[int, int]]) -> None:
    arena = Arena(
        cards={"cut": "on: on_card_played; lose: lose_hp amount=9 target=player; on > lose"},
        statuses={"skin": f"hook: hp_loss_hook; result: set_hook_amount amount={kept}; hook > result"},
        player={"statuses": {"skin": 1}},
    )
    arena.play("cut")
    assert [(event.fields["before"], event.fields["after"]) for event in arena.events("hp_changed")] == told


@pytest.mark.parametrize("action", ["hit: deal_damage amount=4 target=player", "hit: lose_hp amount=4 target=player"])
def test_r4_1_r4_4_what_answers_a_loss_is_caused_by_it_and_what_follows_is_not(action: str) -> None:
    """The tree of causes: E19 below the change of HP, the next node of the card below the card's own Entry again."""
    arena = Arena(
        cards={"cut": f"on: on_card_played; {action}; up: gain_energy amount=1; on > hit > up"},
        statuses={"ear": "lost: on_hp_lost; seen: change_variable name=seen value=1; lost > seen"},
        player={"statuses": {"ear": 1}},
    )
    arena.play("cut")
    played, heard = arena.events("entry_dispatched")
    (change,) = arena.events("hp_changed")
    hits = arena.events("damage_resolved")
    assert heard.cause == (hits[0] if hits else change).sequence
    assert [event.cause for event in hits or [change]] == [played.sequence]
    assert [event.cause for event in arena.events("energy_changed")][-1] == played.sequence


@pytest.mark.parametrize(
    ("action", "changes"),
    [
        ("gain_hp amount=5 target=player", [("hp_changed", 40, 45, "gain")]),
        ("gain_hp amount=99 target=player", [("hp_changed", 40, 50, "gain")]),
        ("change_max_hp amount=7 target=player", [("max_hp_changed", 50, 57, None)]),
        (
            "change_max_hp amount=-20 target=player",
            [("max_hp_changed", 50, 30, None), ("hp_changed", 40, 30, "max_hp")],
        ),
        ("change_max_hp amount=0 target=player", []),
        ("gain_armor amount=4 target=player", [("armor_changed", 6, 10, "gain")]),
        ("gain_armor amount=0 target=player", []),
        ("lose_armor amount=4 target=player", [("armor_changed", 6, 2, "loss")]),
        ("lose_armor amount=9 target=player", [("armor_changed", 6, 0, "loss")]),
        ("lose_armor amount=0 target=player", []),
        ("gain_energy amount=2", [("energy_changed", 3, 5, "gain")]),
        ("lose_energy amount=2", [("energy_changed", 3, 1, "loss")]),
        ("lose_energy amount=9", [("energy_changed", 3, 0, "loss")]),
        ("gain_energy amount=0", []),
    ],
)
def test_r4_5_r4_6_r4_7_an_event_tells_what_an_action_changed(
    action: str, changes: list[tuple[str, int, int, str | None]]
) -> None:
    arena = Arena(
        cards={"do": f"on: on_card_played; act: {action}; then: change_variable name=n value=1; on > act > then"},
        statuses={
            "ear": """
                a: on_hp_gained; b: on_armor_gained; c: on_armor_lost; d: on_energy_gained; e: on_energy_spent
                seen: change_variable name=seen value=1; a > seen; b > seen; c > seen; d > seen; e > seen
            """
        },
        player={"statuses": {"ear": 1}, "armor": 6},
    )
    arena.set(player__hp=40)
    arena.play("do")
    kinds = ("hp_changed", "max_hp_changed", "armor_changed", "energy_changed")
    found = [event for kind in kinds for event in arena.events(kind) if event.fields.get("reason") != "cost"]
    told = [(each.kind, each.fields["before"], each.fields["after"], each.fields.get("reason")) for each in found]
    assert sorted(told, key=str) == sorted(changes, key=str)
    played, *heard = arena.events("entry_dispatched")
    assert all(event.cause == played.sequence for event in found if event.kind == "max_hp_changed" or len(found) == 1)
    if changes and heard and "energy" not in action:
        assert [event.cause for event in heard] == [found[0].sequence]
    # The next node is an effect of the card again, not of the change.
    assert arena.events("variable_changed")[-1].cause == played.sequence
