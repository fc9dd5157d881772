"""The table of keys in docs/demo.md is the input map of the project."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUTTONS = {
    0: "A", 1: "B", 2: "X", 3: "Y", 4: "Back", 6: "Start", 7: "left stick pressed", 8: "right stick pressed",
    9: "LB", 10: "RB",
}  # fmt: skip
"""Joypad buttons as Godot numbers them, as the page calls them."""
ROWS = {
    "battle_end_turn": ("end the turn", 0),
    "battle_draw_pile": ("draw, discard, exhaust pile", 0),
    "battle_discard_pile": ("draw, discard, exhaust pile", 1),
    "battle_exhaust_pile": ("draw, discard, exhaust pile", 2),
    "battle_weather": ("weather", 0),
    "battle_trace": ("trace", 0),
    "battle_settings": ("settings", 0),
    "battle_menu": ("other battles", 0),
}
"""The row of each action and its place there."""


def input_map() -> dict[str, tuple[str, str]]:
    """Key and button of each action that the demo adds."""
    text = (ROOT / "godot_project" / "project.godot").read_text(encoding="utf-8")
    found = {}
    for name, body in re.findall(r"^(battle_\w+)=\{(.*?)^\}", text, re.MULTILINE | re.DOTALL):
        key = re.search(r'InputEventKey,"device":-1,"keycode":(\d+)', body)
        button = re.search(r'InputEventJoypadButton,"device":-1,"button_index":(\d+)', body)
        assert key
        assert button
        found[name] = (chr(int(key.group(1))), BUTTONS[int(button.group(1))])
    return found


def table() -> dict[str, tuple[list[str], list[str]]]:
    """Keys and buttons of each row of the page."""
    rows = {}
    for line in (ROOT / "docs" / "demo.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip().replace("`", "") for cell in line.strip("|").split("|")]
        if len(cells) == 4:
            rows[cells[0]] = (cells[2].split(", "), cells[3].split(", "))
    return rows


def test_every_action_has_a_row() -> None:
    assert sorted(input_map()) == sorted(ROWS)


@pytest.mark.parametrize("action", ROWS)
def test_keys_and_buttons_are_as_the_page_says(action: str) -> None:
    row, place = ROWS[action]
    keys, buttons = table()[row]
    assert (keys[place], buttons[place]) == input_map()[action]
