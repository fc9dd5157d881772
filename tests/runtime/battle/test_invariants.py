"""What holds after every action, whatever is played (hypothesis over random legal play of packs/starter)."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from runtime.battle import Battle, act, legal_actions, read_events
from runtime.battle.state import DEAD, ENDED, HAND, IN_PLAY, PLAYER_PHASE, REMOVED, RUNNING
from tests.runtime.battle.oracle import Oracle
from tests.runtime.battle.play import (
    event_text,
    heard_starter,
    new_battle,
    pick_action,
    play,
    starter,
    state_of,
    twin_of,
)

CARDS = sorted(starter().cards)
ENCOUNTERS = sorted(starter().pack.encounters)
BATTLES = st.tuples(
    st.sampled_from(ENCOUNTERS),
    st.lists(st.sampled_from(CARDS), min_size=5, max_size=16),
    st.integers(0, 2**32),
    st.sampled_from(["documented", "extended"]),
)
NUMBERS = st.lists(st.integers(0, 5000), min_size=20, max_size=120)
# The first battle makes room on the interpreter's stack, which hypothesis does not like to see in a test.
new_battle(starter(), ENCOUNTERS[0], None, 0)
PLAY = settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


def check_state(battle: Battle) -> None:
    """What is true of a battle between actions, and at an open choice."""
    for unit in battle.units:
        assert 0 <= unit.hp <= unit.max_hp
        assert unit.armor >= 0
        for key, status in unit.statuses.items():
            assert key == status.definition.id
            assert status.present
            assert 1 <= status.stacks <= status.definition.max_stacks
        if unit.life in (DEAD, REMOVED) and not unit.is_player:
            assert not unit.statuses
    assert battle.energy >= 0
    assert len(battle.piles[HAND]) <= battle.hand_limit
    assert sum(unit.alive for unit in battle.units[1:]) <= battle.encounter.max_enemies
    check_cards(battle)
    if battle.choice is not None:
        return
    assert battle.running.hit_depth == 0
    assert battle.running.chain == []
    assert battle.running.spends == []
    assert battle.running.handled is None
    assert battle.waiting == []
    if battle.outcome == RUNNING:
        assert battle.phase == PLAYER_PHASE
        assert battle.player.alive
        assert any(unit.alive for unit in battle.units[1:])
        assert all(unit.alive or unit.life in (DEAD, REMOVED) for unit in battle.units)
        assert legal_actions(battle)
    else:
        assert battle.phase == ENDED


def check_cards(battle: Battle) -> None:
    """No card is lost or doubled: each lies in the one place that it is said to lie in."""
    lying = [number for pile in battle.piles for number in pile]
    assert len(set(lying)) == len(lying)
    for pile, numbers in enumerate(battle.piles):
        for number in numbers:
            assert battle.places[number] == pile
    elsewhere = [number for number, place in enumerate(battle.places) if place >= IN_PLAY]
    assert sorted(lying + elsewhere) == list(range(len(battle.cards)))
    if battle.choice is None:
        assert IN_PLAY not in battle.places


@PLAY
@given(BATTLES, NUMBERS)
def test_r2_7_r5_7_state_holds_after_every_action(setting: tuple[str, list[str], int, str], numbers: list[int]) -> None:
    encounter, deck, seed, rules = setting
    battle = new_battle(starter(), encounter, deck, seed, rules)
    check_state(battle)
    for _ in play(battle, numbers):
        check_state(battle)
    assert not [event for event in read_events(battle) if event.kind == "fault"]


@PLAY
@given(BATTLES, NUMBERS)
def test_r1_3_r2_2_entries_fire_where_they_must_and_never_elsewhere(
    setting: tuple[str, list[str], int, str], numbers: list[int]
) -> None:
    encounter, deck, seed, rules = setting
    battle = new_battle(heard_starter(), encounter, deck, seed, rules)
    oracle = Oracle(battle)
    oracle.check()
    for _ in play(battle, numbers):
        check_state(battle)
        oracle.check()


@PLAY
@given(BATTLES, NUMBERS)
def test_r8_1_a_copy_plays_as_the_original(setting: tuple[str, list[str], int, str], numbers: list[int]) -> None:
    encounter, deck, seed, rules = setting
    battle = new_battle(starter(), encounter, deck, seed, rules)
    for number in numbers:
        if battle.outcome != RUNNING and battle.choice is None:
            break
        twin = twin_of(battle)
        before = len(battle.log)
        action = pick_action(battle, number)
        assert act(battle, action) is None
        assert state_of(twin) != state_of(battle) or len(twin.log) < len(battle.log)
        assert act(twin, action) is None
        assert state_of(twin) == state_of(battle)
        told = [[event_text(one, event) for event in read_events(one, before)] for one in (battle, twin)]
        assert told[0] == told[1]


# The ports that R7.2 gives other values.
DIFFERENT = {
    "on_energy_gained": ("amount",),
    "on_energy_spent": ("amount",),
    "on_unit_spawned": ("unit",),
    "on_hp_gained": ("source",),
    "on_armor_gained": ("source",),
    "on_armor_lost": ("source",),
}


def test_r7_2_no_starter_status_reads_what_differs() -> None:
    """What the next test stands on."""
    for status in starter().pack.statuses.values():
        types = {node.id: node.type for node in status.graph.nodes}
        wires = [link[0].split(".") for link in status.graph.links]
        assert not [(node, port) for node, port in wires if port in DIFFERENT.get(types[node], ())], status.id


@PLAY
@given(BATTLES, NUMBERS)
def test_r7_2_rule_sets_differ_in_ports_alone(setting: tuple[str, list[str], int, str], numbers: list[int]) -> None:
    encounter, deck, seed, _ = setting
    documented, extended = [
        new_battle(heard_starter(), encounter, deck, seed, rules) for rules in ("documented", "extended")
    ]
    for _ in zip(play(documented, numbers), play(extended, numbers), strict=True):
        assert state_of(documented) == state_of(extended)
    for one, other in zip(read_events(documented), read_events(extended), strict=True):
        if one.kind == "entry_dispatched":
            lines = [event_text(documented, one).split(" "), event_text(extended, other).split(" ")]
            ports = DIFFERENT.get(lines[0][2], ())
            kept = [[word for word in line if word.split("=")[0] not in ports] for line in lines]
            assert kept[0] == kept[1]
        else:
            assert event_text(documented, one) == event_text(extended, other)
