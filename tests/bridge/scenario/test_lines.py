"""Entry lines: only what an expected line lists is compared."""

from __future__ import annotations

import pytest

from bridge.scenario.lines import first_difference, first_missing, fits

LINE = "on_damage_taken status:thorns@player amount=6 source=enemy0 target=player"


@pytest.mark.parametrize(
    "expected",
    [
        "on_damage_taken",
        "on_damage_taken status:thorns@player",
        "on_damage_taken status:thorns@player amount=6",
        "on_damage_taken status:thorns@player target=player amount=6",
        "on_damage_taken   status:thorns@player source=enemy0",
        LINE,
    ],
)
def test_fits(expected: str) -> None:
    assert fits(LINE, expected)


@pytest.mark.parametrize(
    "expected",
    [
        "on_damage_dealt",
        "on_damage_taken status:thorns@enemy0",
        "on_damage_taken status:thorn@player",
        "on_damage_taken status:thorns@player amount=60",
        "on_damage_taken status:thorns@player amount=6 source=none",
    ],
)
def test_does_not_fit(expected: str) -> None:
    assert not fits(LINE, expected)


def test_first_difference() -> None:
    lines = ["on_turn_start status:a@player", "on_turn_end status:a@player"]
    assert first_difference(lines, ["on_turn_start", "on_turn_end"]) == -1
    assert first_difference(lines, ["on_turn_end", "on_turn_start"]) == 0
    assert first_difference(lines, ["on_turn_start"]) == 1
    assert first_difference(lines, [*lines, "on_turn_start"]) == 2


def test_first_missing() -> None:
    lines = ["on_turn_start status:a@player", "on_turn_end status:a@player", "on_turn_start status:b@player"]
    assert first_missing(lines, ["on_turn_start", "on_turn_start"])[0] == -1
    assert first_missing(lines, ["on_turn_end", "on_turn_start status:a@player"]) == (1, 2)
    assert first_missing(lines, ["on_turn_start status:b@player", "on_turn_end"]) == (1, 3)
