"""The starter pack as a sample: every Entry, hook and node of the library, and every Entry really runs."""

from __future__ import annotations

from collections.abc import Iterator

from runtime.battle import Raise, act, read_events, start_battle
from runtime.battle.random_streams import RandomStream
from runtime.bots import RandomBot
from runtime.content.assets import GraphAsset, NodeAsset, Pack
from runtime.graph.timings import FIRST_HOOK, ON_ENEMY_BEHAVIOR_START
from runtime.loading import encounter_of
from runtime.nodes import BUILT_IN
from runtime.packs import load_pack
from tests.packs.table import starter


def graphs(pack: Pack) -> Iterator[GraphAsset]:
    for assets in (pack.cards, pack.statuses, pack.enemies):
        for asset in assets.values():
            if isinstance(asset.graph, GraphAsset):
                yield asset.graph


def nodes(pack: Pack) -> Iterator[NodeAsset]:
    for graph in graphs(pack):
        yield from graph.nodes


def test_every_node_of_the_library_is_used() -> None:
    """All 33 Entries, all hooks, actions, flow, values, patterns and leaves."""
    used = {node.type for node in nodes(load_pack("starter"))}
    assert [node.type for node in BUILT_IN if node.type not in used] == []


def test_every_status_is_given_by_something() -> None:
    pack = load_pack("starter")
    given = {node.params["status"] for node in nodes(pack) if node.type == "apply_status"}
    given |= {status for enemy in pack.enemies.values() for status in enemy.statuses}
    given |= {status for encounter in pack.encounters.values() for status in encounter.player.statuses}
    assert sorted(pack.statuses.keys() - given) == []


def test_every_enemy_is_met() -> None:
    pack = load_pack("starter")
    met = {enemy for encounter in pack.encounters.values() for enemy in encounter.enemies}
    met |= {node.params["enemy"] for node in nodes(pack) if node.type == "spawn_unit"}
    assert sorted(pack.enemies.keys() - met) == []


def test_the_flow_and_the_notices_name_events_of_the_pack() -> None:
    pack = load_pack("starter")
    guids = {event.guid for event in pack.events.values()}
    assert pack.flows["storm"].triggers
    assert pack.flows["storm"].chains
    assert set(pack.info.notify.values()) <= guids


def test_every_entry_is_dispatched_in_random_play_without_a_fault_or_a_warning() -> None:
    """Random players with all cards in their deck, in all encounters, while weather is raised from outside.

    On Enemy Behavior Start is no dispatch but the planning of an intent (R5.6): an intent event shows it.
    """
    content = starter()
    entries = {node.type: node.timing for node in BUILT_IN if 0 < node.timing < FIRST_HOOK}
    assert len(entries) == 33
    missing = set(entries)
    planning = next(name for name, timing in entries.items() if timing == ON_ENEMY_BEHAVIOR_START)
    weather = [event for event in content.events.values() if event.asset.category == "weather"]
    dice = RandomStream(33)
    for round_ in range(8):
        for encounter_id in content.pack.encounters:
            encounter = encounter_of(
                content, encounter_id, player={"hp": 300, "max_hp": 300, "energy": 6}, deck=list(content.pack.cards)
            )
            bot = RandomBot(round_)
            battle = start_battle(content, encounter, seed=round_, agent=bot, max_turns=25)
            while battle.outcome == 0:
                event = weather[dice.below(len(weather))]
                arguments: dict[str, object] = {"arg": dice.between(1, 9)} if event.argument == "int" else {}
                action = Raise(event, arguments) if dice.below(10) == 0 else bot.act(battle)
                assert act(battle, action) is None
            for event_ in read_events(battle):
                assert event_.kind not in ("fault", "warning"), event_
                if event_.kind == "entry_dispatched":
                    missing.discard(event_.fields["branch"].entry)
                elif event_.kind == "intent_changed":
                    missing.discard(planning)
    assert missing == set()
