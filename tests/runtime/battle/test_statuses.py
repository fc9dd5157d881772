"""R5.1, R3.5: stacks as they are when something is told of them, and what is passed over but once."""

from __future__ import annotations

import pytest

from tests.runtime.arena import Arena


def entries(lines: list[str], name: str) -> list[str]:
    return [line for line in lines if line.startswith(name)]


@pytest.mark.parametrize(
    ("rule", "applied", "back", "told"),
    [
        # 3 becomes 5, its E25 takes it back to 3: that is told, and the application has changed nothing.
        ("add", 2, -2, ["stacks=3"]),
        # The rule changes nothing, its E25 does: told once by the change, and once by the application.
        ("max", 2, -1, ["stacks=2", "stacks=2"]),
        ("max", 2, 0, []),
        ("replace", 7, -1, ["stacks=6", "stacks=6"]),
    ],
)
def test_r5_1_e28_goes_by_the_count_that_is_there_when_it_is_told(
    rule: str, applied: int, back: int, told: list[str]
) -> None:
    """E28 where the status has another count than before the application, whatever the stack rule made of it."""
    mark = f"""
        came: on_status_received; back: change_status_stacks status=mark mode=add amount={back}; came > back
        seen: change_variable name=seen value=1; changed: on_status_stacks_changed; changed > seen
    """
    arena = Arena(
        cards={"give": f"on: on_card_played; give: apply_status status=mark stacks={applied} target=player; on > give"},
        statuses={"mark": {"graph": mark, "stack_rule": rule}},
        player={"statuses": {"mark": 3}},
    )
    lines = entries(arena.play("give"), "on_status_stacks_changed")
    assert [next(word for word in line.split() if word.startswith("stacks=")) for line in lines] == told


def test_r3_5_what_an_enemy_applied_is_passed_over_once_and_then_decays() -> None:
    hexer = """
        start: on_enemy_behavior_start; first: pattern_opening
        hex: leaf_intent kind=debuff; rest: leaf_intent kind=none
        give: apply_status status=frail stacks=3; start > first; first.first hex.in; first.then rest.in; hex > give
    """
    arena = Arena(statuses={"frail": {"decay": 1, "decay_skips_new": True}}, enemies={"hexer": hexer}, fight=("hexer",))
    seen = []
    for _ in range(4):
        arena.end_turn()
        seen.append(arena.stacks("frail"))
    assert seen == [3, 3, 2, 1]


def test_t1_r5_5_initial_stacks_are_capped() -> None:
    """Silently put on, at set-up and by a spawn, a status has no more stacks than it may have."""
    arena = Arena(
        cards={"call": "on: on_card_played; come: spawn_unit enemy=crab; on > come"},
        statuses={"shell": {"max_stacks": 3}},
        enemies={"crab": {"hp": 9, "statuses": {"shell": 5}}},
        fight=("crab",),
        player={"statuses": {"shell": 7}},
    )
    arena.play("call")
    assert [arena.stacks("shell", unit) for unit in arena.battle.units] == [3, 3, 3]
