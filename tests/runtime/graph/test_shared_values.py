"""R2.5: what many readers share is evaluated once for each input that is read, and anew for the next."""

from __future__ import annotations

from typing import Any

import pytest

from runtime.battle import PlayCard, act, start_battle
from runtime.graph.frame import Frame
from runtime.graph.plugins import as_value
from runtime.graph.shared_values import MOST_EVALUATIONS, SharedValues
from runtime.graph.types import CARDS, INT, UNIT
from runtime.loading import encounter_of, load_content


def doubling(length: int) -> tuple[SharedValues, list[Any], Any, list[int]]:
    """A chain in which each value reads the one before twice, how often its first one was evaluated, and its input."""
    evaluated = [0]
    defaults: list[Any] = []

    def first(frame: Frame) -> int:
        evaluated[0] += 1
        return 1

    def above(below: Any) -> Any:
        return lambda frame: max(below.get(frame), below.get(frame))

    shared = SharedValues(defaults, {(f"v{place}", "result"): 2 for place in range(length)})
    value = shared.add(("v0", "result"), as_value(first, INT), INT, [])
    for place in range(1, length):
        read = (f"v{place - 1}", "result")
        value = shared.add((f"v{place}", "result"), as_value(above(value), INT), INT, [read, read])
    return shared, defaults, shared.input((f"v{length - 1}", "result"), value, INT), evaluated


@pytest.mark.parametrize("length", [8, 13, 60])
def test_r2_5_a_chain_that_doubles_does_not_double_the_work(length: int) -> None:
    _, defaults, value, evaluated = doubling(length)
    frame = Frame()
    frame.slots = defaults[:]
    for reading in range(1, 4):
        assert value.get(frame) == 1
        assert evaluated[0] <= reading * MOST_EVALUATIONS


def test_r2_5_what_takes_few_evaluations_is_read_as_ever() -> None:
    _, defaults, value, evaluated = doubling(6)
    frame = Frame()
    frame.slots = defaults[:]
    assert (value.get(frame), evaluated, defaults) == (1, [32], [])


@pytest.mark.parametrize(("port_type", "value"), [(UNIT, None), (CARDS, [3, 4])])
def test_r2_5_no_unit_is_remembered_and_a_list_is_its_readers_own(port_type: str, value: Any) -> None:
    evaluated = [0]

    def read(frame: Frame) -> Any:
        evaluated[0] += 1
        return value

    shared = SharedValues([], {("first", "out"): MOST_EVALUATIONS, ("last", "out"): 2})
    shared.add(("first", "out"), as_value(read, INT), INT, [])
    last = shared.add(("last", "out"), as_value(read, port_type), port_type, [("first", "out")] * MOST_EVALUATIONS)
    frame = Frame()
    frame.slots = [None]
    once, again = last.get(frame), last.get(frame)
    assert once == again == value
    assert evaluated == [1]
    if value is not None:
        once.clear()
        assert last.get(frame) == [3, 4]
    assert shared.input(("last", "out"), last, port_type).get(frame) == value
    assert evaluated == [2]


def test_r2_5_every_round_of_a_loop_reads_anew() -> None:
    """Thirteen nodes, each of which reads the one before twice: the armor of this moment plus one."""
    nodes: list[dict[str, Any]] = [
        {"id": "played", "type": "on_card_played"},
        {"id": "loop", "type": "repeat", "params": {"count": 5}},
        {"id": "shield", "type": "gain_armor"},
        {"id": "player", "type": "unit_info", "params": {"unit": "player"}},
        {"id": "v1", "type": "int_math", "params": {"op": "add", "b": 1}},
    ]
    links = [["played.out", "loop.in"], ["loop.body", "shield.in"], ["player.armor", "v1.a"]]
    for place in range(2, 13):
        nodes.append({"id": f"v{place}", "type": "int_math", "params": {"op": "max"}})
        links += [[f"v{place - 1}.result", f"v{place}.{port}"] for port in "ab"]
    content = load_content(
        {
            "cards": [
                {
                    "id": "card",
                    "cost": 0,
                    "target": "none",
                    "graph": {"nodes": nodes, "links": [*links, ["v12.result", "shield.amount"]]},
                }
            ],
            "enemies": [{"id": "foe", "hp": 20}],
            "decks": [{"id": "deck", "cards": ["card"]}],
            "encounters": [{"id": "fight", "enemies": ["foe"], "deck": "deck", "player": {"hp": 30}}],
        }
    )
    for tracing in (False, True):
        battle = start_battle(content, encounter_of(content, "fight"), tracing=tracing)
        assert act(battle, PlayCard(0)) is None
        assert battle.player.armor == 31
