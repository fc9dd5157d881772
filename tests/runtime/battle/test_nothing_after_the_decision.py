"""Once a step has decided the battle, no other step of the timeline follows (R2.7)."""

from __future__ import annotations

from typing import Any

import pytest

from runtime.battle import EndTurn, PlayCard, act, read_events
from tests.runtime.arena import Arena

# A hook that spends its status, whose end costs the player the battle.
LETHAL_HOOK = """
    hook: {hook}; more: int_math op=add b=1; hook.amount more.a; out: set_hook_amount spend=9; more.result out.amount
    hook > out; gone: on_status_removed; die: lose_hp amount=999 target=player; gone > die
"""
LETHAL_ENTRY = "on: {entry}; die: lose_hp amount=999 target=player; on > die"
# What gives a lethal hook its chance: a status that comes with the first turn.
LATER = "on: on_turn_start; give: apply_status status=doom stacks=1 target=player; on > give"
WEARY = {"cost": 1, "target": "none", "graph": "on: on_card_played; end: gain_armor amount=3; on > end"}


def kinds(arena: Arena) -> list[str]:
    return [event.kind for event in read_events(arena.battle)]


def started(doom: str, cards: dict[str, Any] | None = None, *, later: bool = False, **player: Any) -> Arena:
    statuses = {"doom": doom, "later": LATER} if doom else {}
    given = {"later": 1} if later else {"doom": 1} if doom else {}
    return Arena(
        statuses=statuses,
        cards={"weary": WEARY, **(cards or {})},
        player={"energy": 3, "statuses": given, **player},
    )


def lost_at_once(arena: Arena) -> None:
    assert arena.outcome == "lost"
    assert kinds(arena)[-1] == "battle_ended"


@pytest.mark.parametrize("hook", ["energy_refill_hook", "draw_count_hook"])
def test_r2_7_t1_by_a_hook_of_set_up(hook: str) -> None:
    arena = started(LETHAL_HOOK.format(hook=hook))
    lost_at_once(arena)
    assert "intent_changed" not in kinds(arena)
    assert (hook == "draw_count_hook") is bool(arena.hand)


@pytest.mark.parametrize(("entry", "hand"), [("on_draw_pile_shuffled", 0), ("on_card_drawn", 1)])
def test_r2_7_t1_by_a_card_of_set_up(entry: str, hand: int) -> None:
    arena = started("", {"doomed": {"graph": LETHAL_ENTRY.format(entry=entry)}, "other": {}}, draw=3)
    lost_at_once(arena)
    assert "intent_changed" not in kinds(arena)
    assert len(arena.hand) <= max(hand, 2)
    if not hand:
        assert arena.hand == []
        assert arena.battle.energy == 0


@pytest.mark.parametrize("hook", ["armor_reset_hook", "energy_refill_hook", "draw_count_hook"])
def test_r2_7_t2_by_a_hook_of_the_turns_start(hook: str) -> None:
    arena = started(LETHAL_HOOK.format(hook=hook), later=True)
    arena.play("weary")
    arena.end_turn()
    lost_at_once(arena)
    assert arena.battle.turn == 2
    assert arena.battle.energy == (2 if hook == "armor_reset_hook" else 4 if hook == "energy_refill_hook" else 3)


@pytest.mark.parametrize("entry", ["on_discard_phase", "on_turn_end"])
def test_r2_7_t4_by_a_status_at_the_turns_end(entry: str) -> None:
    arena = started(LETHAL_ENTRY.format(entry=entry))
    hand = arena.hand
    assert act(arena.battle, EndTurn()) is None
    lost_at_once(arena)
    assert arena.hand == (hand if entry == "on_discard_phase" else [])
    assert arena.battle.turn == 1


def test_r2_7_t3_by_paying() -> None:
    """The card has not been played yet: it stays in hand."""
    arena = started(LETHAL_HOOK.format(hook="card_cost_hook"))
    assert act(arena.battle, PlayCard(arena.card("weary"))) is None
    lost_at_once(arena)
    assert "weary" in arena.hand
    assert "card_played" not in kinds(arena)
