"""Entry nodes: each is reached by what it waits for, and a wire to each port reads what the trace tells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from runtime.battle import read_events
from tests.runtime.arena import Arena, attacker, strike
from tests.runtime.nodes.probe import note, notes, shows

GUID = "2f0c1a52-6d7e-4f8b-9a1b-0c2d3e4f5a6b"
_DO = "on: on_card_played; x: {}; on > x"


def _status(entry: str, *ports: str, params: str = "") -> str:
    """A status that tells the ports of one Entry."""
    return f"on: {entry} {params}; on > note; {note(*(f'on.{port}' for port in ports))}"


def _arena(entry: str, ports: tuple[str, ...], do: str = "", **more: Any) -> Arena:
    """The player carries a status that tells of the Entry; the card ``act`` does something on an enemy."""
    fields = {"player": {"statuses": {"told": 1}}, **more}
    statuses = {"told": _status(entry, *ports), **fields.pop("statuses", {})}
    cards = {"act": _DO.format(do), **fields.pop("cards", {})} if do else fields.pop("cards", {"wait": {}})
    return Arena(statuses=statuses, cards=cards, **fields)


def _told(arena: Arena) -> list[list[Any]]:
    return [list(told.values()) for told in notes(arena)]


@shows("on_battle_start", "on_turn_start", "on_draw_phase", "on_discard_phase", "on_turn_end")
@pytest.mark.parametrize(
    ("entry", "started", "ended"),
    [
        ("on_battle_start", 1, 1),
        ("on_turn_start", 1, 2),
        # Turn 1 has no draw phase.
        ("on_draw_phase", 0, 1),
        ("on_discard_phase", 0, 1),
        ("on_turn_end", 0, 1),
    ],
)
def test_the_moments_of_a_turn(entry: str, started: int, ended: int) -> None:
    arena = _arena(entry, ())
    assert len(notes(arena)) == started
    arena.end_turn()
    assert len(notes(arena)) == ended


@shows("on_battle_end")
def test_on_battle_end() -> None:
    arena = _arena("on_battle_end", (), "deal_damage amount=999")
    arena.play("act")
    assert arena.events("entry_dispatched")[-1].fields["branch"].entry == "on_battle_end"


@shows("on_turn_start", "on_turn_end")
def test_turn_start_and_end_of_a_card_in_hand() -> None:
    text = "a: on_turn_start; b: on_turn_end; n: change_variable name=n value=1; a > n; b > n"
    arena = Arena(cards={"tool": {"graph": text, "keywords": ["retain"]}})
    assert arena.variable("n") == 1
    arena.end_turn()
    assert arena.variable("n") == 3


@shows("on_draw_pile_shuffled")
def test_on_draw_pile_shuffled() -> None:
    arena = Arena(
        cards={
            "tool": """
        on: on_draw_pile_shuffled; n: change_variable name=n value=1; on > n
    """
        },
        deck=["tool"] * 3,
    )
    assert arena.variable("n") == 3


# Entry -> how a card "tool", which tells of it, comes to it; the card's own number is 0.
CARD_ENTRIES: dict[str, tuple[dict[str, Any], Callable[[Arena], Any]]] = {
    "on_card_drawn": ({}, lambda arena: None),
    "on_card_played": ({}, lambda arena: arena.play("tool")),
    "on_card_discarded": ({}, lambda arena: arena.end_turn()),
    "on_card_exhausted": ({"keywords": ["exhaust"]}, lambda arena: arena.play("tool")),
    "on_card_retained": ({"keywords": ["retain"]}, lambda arena: arena.end_turn()),
}


@shows(
    "on_card_drawn: card",
    "on_card_played: card",
    "on_card_discarded: card",
    "on_card_exhausted: card",
    "on_card_retained: card",
)
@pytest.mark.parametrize("entry", CARD_ENTRIES)
def test_card_entries_give_the_instance(entry: str) -> None:
    fields, do = CARD_ENTRIES[entry]
    arena = Arena(cards={"tool": {"graph": _status(entry, "card:card"), **fields}}, deck=["wait", "tool"])
    do(arena)
    # An instance, never the definition: the tool is card number 1.
    assert _told(arena) == [[1]]


@shows("on_card_drawn: card")
def test_on_card_drawn_of_a_status() -> None:
    arena = _arena("on_card_drawn", ("card:card",), deck=["wait", "wait"])
    assert _told(arena) == [[0], [1]]


@shows("on_card_added_to_hand: card", "on_card_added_to_deck: card")
@pytest.mark.parametrize(
    ("entry", "node"),
    [("on_card_added_to_hand", "add_card_to_hand"), ("on_card_added_to_deck", "add_card_to_draw_pile")],
)
def test_added_cards_tell_the_new_instance(entry: str, node: str) -> None:
    cards = {"act": _DO.format(f"{node} card=tool count=2"), "tool": _status(entry, "card:card")}
    arena = Arena(cards=cards, deck=["act"])
    arena.play("act")
    assert _told(arena) == [[1], [2]]


_HIT = ("amount:int", "source:unit", "target:unit")
_APPLIED = ("status:status", "stacks:int", "source:unit", "target:unit")


@shows(
    "on_damage_dealt: amount source target",
    "on_damage_taken: amount source target",
    "on_attack_taken: amount source target",
    "on_hp_lost: amount source target",
    "on_hp_gained: amount source target",
    "on_armor_gained: amount source target",
    "on_armor_lost: amount source target",
    "on_status_inflicted: status stacks source target",
    "on_status_received: status stacks source target",
    "on_status_removed: status stacks target",
    "on_status_expired: status target",
    "on_status_stacks_changed: status stacks target",
    "on_energy_gained: amount",
    "on_energy_spent: amount",
    "on_unit_spawned: unit",
    "on_unit_died: was_kill source target",
)
@pytest.mark.parametrize("rules", ["documented", "extended"])
@pytest.mark.parametrize(
    ("entry", "ports", "do", "documented", "extended"),
    [
        ("on_damage_dealt", _HIT, "deal_damage amount=9", [9, "player", "enemy0"], None),
        ("on_damage_taken", _HIT, "deal_damage amount=9 target=player attacker=chosen", [9, "enemy0", "player"], None),
        ("on_damage_taken", _HIT, "deal_damage amount=9 target=player kind=status", [9, "none", "player"], None),
        ("on_attack_taken", _HIT, "deal_damage amount=9 target=player attacker=chosen", [9, "enemy0", "player"], None),
        ("on_hp_lost", _HIT, "deal_damage amount=9 target=player attacker=chosen", [9, "enemy0", "player"], None),
        ("on_hp_lost", _HIT, "lose_hp amount=9", [9, "none", "player"], None),
        ("on_hp_gained", _HIT, "gain_hp amount=9", [4, "none", "player"], [4, "player", "player"]),
        ("on_armor_gained", _HIT, "gain_armor amount=9", [9, "none", "player"], [9, "player", "player"]),
        ("on_armor_lost", _HIT, "lose_armor amount=9", [9, "none", "player"], [9, "player", "player"]),
        ("on_energy_gained", ("amount:int",), "gain_energy amount=9", [0], [9]),
        ("on_energy_spent", ("amount:int",), "lose_energy amount=9", [0], [3]),
        ("on_status_inflicted", _APPLIED, "apply_status status=mark stacks=3", ["mark", 3, "player", "enemy0"], None),
        (
            "on_status_received",
            _APPLIED,
            "apply_status status=told stacks=3 target=player source=chosen",
            ["told", 4, "enemy0", "player"],
            None,
        ),
        (
            "on_status_removed",
            (_APPLIED[0], _APPLIED[1], _APPLIED[3]),
            "remove_status status=told",
            ["told", 0, "player"],
            None,
        ),
        (
            "on_status_stacks_changed",
            (_APPLIED[0], _APPLIED[1], _APPLIED[3]),
            "apply_status status=mark stacks=3 target=player",
            ["mark", 3, "player"],
            None,
        ),
        ("on_unit_spawned", ("unit:unit",), "spawn_unit enemy=dummy", ["player"], ["enemy1"]),
        (
            "on_unit_died",
            ("was_kill:bool", "source:unit", "target:unit"),
            "deal_damage amount=999",
            [True, "player", "enemy0"],
            None,
        ),
        ("on_unit_died", ("was_kill:bool", "source:unit", "target:unit"), "kill_unit", [False, "none", "player"], None),
    ],
)
def test_status_entries_give_their_ports(
    rules: str, entry: str, ports: tuple[str, ...], do: str, documented: list[Any], extended: list[Any] | None
) -> None:
    # R7.2: only what the page calls current behaviour differs under the extended rules.
    arena = _arena(
        entry,
        ports,
        do,
        statuses={"mark": {}},
        rules=rules,
        player={"hp": 46, "max_hp": 50, "statuses": {"told": 1}},
    )
    arena.play("act")
    expected = extended if extended is not None and rules == "extended" else documented
    assert _told(arena) == [expected]
    # What a wire reads is what the trace tells.
    (line,) = [line for line in arena.lines() if line.startswith(f"{entry} status:told@player")]
    shown = [word.split("=")[1] for word in line.split()[2:]]
    assert shown == [str(value).lower() for value in expected]


@shows("on_status_expired: status target")
def test_on_status_expired() -> None:
    told = {"graph": _status("on_status_expired", "status:status", "target:unit"), "decay": 1}
    arena = Arena(statuses={"told": told}, player={"statuses": {"told": 1}})
    arena.end_turn()
    assert _told(arena) == [["told", "player"]]


@shows("on_unit_died: was_kill source target")
def test_on_unit_died_of_victim_and_killer() -> None:
    ports = ("was_kill:bool", "source:unit", "target:unit")
    arena = Arena(
        cards={"kill": strike(999)},
        statuses={"told": _status("on_unit_died", *ports)},
        fight=[("dummy", {"statuses": {"told": 1}}), "dummy"],
        player={"statuses": {"told": 1}},
    )
    arena.play("kill")
    assert _told(arena) == [[False, "player", "enemy0"], [True, "player", "enemy0"]]


@shows("on_enemy_behavior_start")
def test_on_enemy_behavior_start_anchors_planning_only() -> None:
    arena = Arena(enemies={"foe": attacker(4)}, fight=("foe",))
    assert arena.intent() == 4
    arena.end_turn()
    # The stored leaf branch runs when the enemy acts; the Entry itself never does (E31).
    assert arena.player.hp == 46
    entries = [event for event in read_events(arena.battle) if event.kind == "entry_dispatched"]
    assert entries == []


@shows("on_internal_event: event")
def test_on_internal_event_by_its_exact_name() -> None:
    for name, heard in (("boom", 1), ("Boom", 0), ("boom2", 0)):
        arena = Arena(
            cards={"act": _DO.format(f"raise_internal_event event={name}")},
            statuses={"told": _status("on_internal_event", params="event=boom")},
            player={"statuses": {"told": 1}},
        )
        arena.play("act")
        assert len(notes(arena)) == heard


@shows("on_ges_event: ges_event")
def test_on_ges_event_by_guid_never_by_name() -> None:
    other = "00000000-0000-4000-8000-000000000001"
    events = [{"id": "thunder", "guid": GUID, "name": "Same"}, {"id": "rain", "guid": other, "name": "Same"}]
    # With or without hyphens, in any case (R6.4).
    for written, heard in ((GUID, 1), (GUID.replace("-", "").upper(), 1), (other, 0)):
        arena = Arena(
            statuses={"told": _status("on_ges_event", params=f"ges_event={written}")},
            player={"statuses": {"told": 1}},
            more={"events": events},
        )
        arena.raise_event("thunder")
        assert len(notes(arena)) == heard


@shows("on_internal_event: event", "on_ges_event: ges_event")
def test_an_entry_without_its_param_hears_nothing() -> None:
    text = "a: on_internal_event; b: on_ges_event; n: change_variable name=n value=1; a > n; b > n"
    arena = Arena(
        cards={"act": _DO.format("raise_internal_event event=boom")},
        statuses={"told": text},
        player={"statuses": {"told": 1}},
        more={"events": [{"id": "thunder", "guid": GUID}]},
    )
    arena.play("act")
    arena.raise_event("thunder")
    assert arena.variable("n") == 0
