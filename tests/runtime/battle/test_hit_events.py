"""R4.1, R4.4: the events of a hit and of a loss tell what has changed, and nothing that has not."""

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
