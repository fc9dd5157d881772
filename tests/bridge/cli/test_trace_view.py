"""The trace as text: one line for each kind of event, indented by cause."""

from __future__ import annotations

from typing import Any

import pytest

from bridge.cli.trace_view import chain_lines, event_lines, trace_lines
from bridge.scenario.views import Happening, IntentView
from runtime.battle.events import FIELDS

LINES: list[tuple[str, dict[str, Any], list[str]]] = [
    ("action_started", {"kind": "play_card"}, ["> play_card"]),
    ("entry_dispatched", {"line": "on_turn_end status:a@player"}, ["on_turn_end status:a@player"]),
    (
        "card_moved",
        {"card_id": "strike", "from_pile": "draw", "to_pile": "hand", "index": 0, "reason": "draw"},
        ["strike: draw -> hand (draw)"],
    ),
    (
        "card_moved",
        {"card_id": "", "from_pile": "discard", "to_pile": "draw", "index": 0, "reason": "reshuffle"},
        ["a card: discard -> draw (reshuffle)"],
    ),
    ("card_created", {"card_id": "splinter", "pile": "discard", "index": 0}, ["splinter: created in discard"]),
    ("card_changed", {"card_id": "strike_plus", "what": "upgrade"}, ["strike_plus: upgrade"]),
    (
        "card_played",
        {"card_id": "strike", "target": "enemy0", "paid": 1, "by_player": True},
        ["player plays strike on enemy0 for 1"],
    ),
    ("card_played", {"card_id": "x", "target": "none", "paid": 0, "by_player": False}, ["x is played for 0"]),
    ("draw_pile_shuffled", {"size": 10}, ["draw pile shuffled, 10 cards"]),
    (
        "damage_resolved",
        {"source": "player", "target": "enemy0", "amount": 6, "absorbed": 2, "hp_loss": 4, "is_attack": True},
        ["player hits enemy0: 6 damage, 2 absorbed, 4 lost"],
    ),
    (
        "damage_resolved",
        {"source": "none", "target": "enemy0", "amount": 3, "absorbed": 0, "hp_loss": 3, "is_attack": False},
        ["enemy0 takes 3 damage, 0 absorbed, 3 lost"],
    ),
    ("hp_changed", {"unit": "enemy0", "before": 42, "after": 36, "reason": "damage"}, ["enemy0: HP 42 -> 36 (damage)"]),
    ("max_hp_changed", {"unit": "player", "before": 80, "after": 83}, ["player: max HP 80 -> 83"]),
    ("armor_changed", {"unit": "player", "before": 0, "after": 5, "reason": "gain"}, ["player: armor 0 -> 5 (gain)"]),
    ("energy_changed", {"before": 3, "after": 2, "reason": "cost"}, ["energy 3 -> 2 (cost)"]),
    (
        "stacks_changed",
        {"unit": "enemy0", "status": "weak", "before": 0, "after": 2, "reason": "applied"},
        ["enemy0: weak 0 -> 2 (applied)"],
    ),
    ("intent_changed", {"unit": "enemy0", "intent": IntentView("attack", 5, 2)}, ["enemy0: intends attack 5 x2"]),
    ("enemy_acted", {"unit": "enemy0", "intent": IntentView("buff", 0, 1)}, ["enemy0: acts, buff"]),
    ("unit_spawned", {"unit": "enemy2", "enemy": "slater", "hp": 11, "max_hp": 12}, ["enemy2: slater comes, 11/12 HP"]),
    ("unit_died", {"unit": "enemy0", "killer": "player"}, ["enemy0: dies (killer player)"]),
    ("unit_died", {"unit": "enemy0", "killer": "none"}, ["enemy0: dies"]),
    ("unit_removed", {"unit": "enemy0"}, ["enemy0: leaves"]),
    ("phase_changed", {"turn": 1, "phase": "player"}, ["== turn 1: player =="]),
    ("phase_changed", {"turn": 4, "phase": "ended"}, []),
    ("variable_changed", {"owner": "battle", "name": "rage", "before": 0, "after": 1}, ["battle: rage = 1"]),
    ("internal_event_raised", {"name": "boom", "arguments": {"amount": "3"}}, ["internal event boom amount=3"]),
    (
        "ges_event_raised",
        {"event": "thunder", "guid": "", "arguments": {"arg": "3"}, "from_battle": False},
        ["GES event thunder arg=3 (from outside)"],
    ),
    (
        "choice_requested",
        {"kind": "card", "prompt": "", "cards": ("a", "b"), "options": (), "min": 1, "max": 2},
        ["choice, 1 to 2 cards: a, b"],
    ),
    (
        "choice_requested",
        {"kind": "card", "prompt": "", "cards": ("a", "b"), "options": (), "min": 1, "max": 1},
        ["choice, 1 card: a, b"],
    ),
    (
        "choice_requested",
        {"kind": "option", "prompt": "", "cards": (), "options": ("Burn", "Freeze"), "min": 1, "max": 1},
        ["choice, option: Burn, Freeze"],
    ),
    ("choice_answered", {"cards": ("a",), "option": -1}, ["chosen: a"]),
    ("choice_answered", {"cards": (), "option": -1}, ["chosen: none"]),
    ("choice_answered", {"cards": (), "option": 1}, ["chosen: option 1"]),
    (
        "fault",
        {"kind": "depth", "message": "too deep", "chain": ("card:a on_card_played/x", "card:b on_card_drawn/y")},
        ["! fault depth: too deep", "at card:a on_card_played/x", "at card:b on_card_drawn/y"],
    ),
    ("warning", {"kind": "max_enemies", "message": "no room"}, ["! warning max_enemies: no room"]),
    ("battle_ended", {"outcome": "won", "hp": 52}, ["== won, 52 HP =="]),
    (
        "node_run",
        {"node": "hit", "type": "deal_damage", "inputs": {"amount": "6"}, "outputs": {"killed": "true"}},
        ["[hit] deal_damage amount=6 -> killed=true"],
    ),
    ("node_run", {"node": "go", "type": "end_turn", "inputs": {}, "outputs": {}}, ["[go] end_turn"]),
]


@pytest.mark.parametrize(("kind", "fields", "lines"), LINES)
def test_an_event(kind: str, fields: dict[str, Any], lines: list[str]) -> None:
    assert event_lines(Happening(1, 0, kind, fields)) == lines


def test_every_kind_of_event_has_a_line() -> None:
    assert {name for name, _ in FIELDS.values()} == {kind for kind, _, _ in LINES}


def test_a_round_of_a_chain_that_comes_again_is_counted() -> None:
    """R2.5: a chain of 128 links is read at a glance."""
    a, b, c = "card:a on_card_played/x", "card:a on_internal_event/y", "status:s@player on_card_played/z"
    assert chain_lines([c, *[a, b] * 63, a]) == [
        f"at {c}",
        f"at {a}",
        f"at {b}",
        "... these 2 again, 62 times",
        f"at {a}",
    ]
    assert chain_lines([a, a]) == [f"at {a}", "... the same again, 1 time"]
    assert chain_lines([a, b, c]) == [f"at {a}", f"at {b}", f"at {c}"]
    assert chain_lines([]) == []


def test_what_stands_very_deep_stays_on_the_screen() -> None:
    happenings = [
        Happening(number, number - 1, "warning", {"kind": "odd", "message": str(number)}) for number in range(1, 40)
    ]
    lines = trace_lines(happenings)
    assert lines[24] == "  " * 24 + "! warning odd: 25"
    assert lines[38] == "  " * 24 + "(+14) ! warning odd: 39"


def test_events_are_indented_by_what_caused_them() -> None:
    happenings = [
        Happening(1, 0, "action_started", {"kind": "end_turn"}),
        Happening(2, 1, "entry_dispatched", {"line": "on_turn_end status:a@player"}),
        Happening(3, 2, "armor_changed", {"unit": "player", "before": 0, "after": 5, "reason": "gain"}),
        Happening(4, 3, "fault", {"kind": "error", "message": "no", "chain": ("status:a@player on_turn_end/x",)}),
        Happening(5, 1, "phase_changed", {"turn": 1, "phase": "enemy"}),
        Happening(6, 1, "unit_removed", {"unit": "enemy0"}),
        Happening(7, 6, "battle_ended", {"outcome": "won", "hp": 3}),
    ]
    assert trace_lines(happenings) == [
        "> end_turn",
        "  on_turn_end status:a@player",
        "    player: armor 0 -> 5 (gain)",
        "      ! fault error: no",
        "        at status:a@player on_turn_end/x",
        "== turn 1: enemy ==",
        "  enemy0: leaves",
        "== won, 3 HP ==",
    ]
