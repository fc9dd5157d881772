"""A copy forgets no field of a battle: each is shared, the copy's own, or that of an action that runs."""

from __future__ import annotations

import ast
from pathlib import Path

from runtime.battle import EndTurn, copy_battle, state_hash
from tests.runtime.arena import Answers, Arena, attacker

STATE = Path(__file__).resolve().parents[3] / "runtime" / "battle" / "state.py"

# Lists and objects that each battle has for itself.
OWN = {
    *("cards", "effects", "intents", "log", "paid", "piles", "places", "player", "schedule", "shuffles", "units"),
    *("variables", "waiting"),
}
# Of the action that runs, and of the process: a copy stands between two actions, and nobody outside hears it.
FRESH = {"choice", "listeners", "running"}


def fields_of_battle() -> set[str]:
    """The fields that `Battle` declares; read from the source, for the compiled class does not list them."""
    for node in ast.parse(STATE.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef) and node.name == "Battle":
            for part in node.body:
                if isinstance(part, ast.Assign) and ast.unparse(part.targets[0]) == "__slots__":
                    return set(ast.literal_eval(part.value))
    raise AssertionError("Battle declares no __slots__")


def fought() -> Arena:
    arena = Arena(enemies={"crab": attacker(3)}, fight=["crab"], agent=Answers([]))
    arena.do(EndTurn())
    return arena


def test_r8_1_every_field_is_known_here() -> None:
    fields = fields_of_battle()
    assert fields >= OWN | FRESH, sorted((OWN | FRESH) - fields)
    assert not OWN & FRESH


def test_r8_1_a_copy_shares_every_other_field() -> None:
    """Numbers are changed first, so that a field which the copy leaves at its default is found out."""
    battle = fought().battle
    shared = sorted(fields_of_battle() - OWN - FRESH)
    for name in shared:
        value = getattr(battle, name)
        if isinstance(value, bool):
            setattr(battle, name, not value)
        elif isinstance(value, int):
            setattr(battle, name, value + 7)
    battle.logging = True
    battle.kept = {"crab": 1}
    twin = copy_battle(battle)
    differing = [name for name in shared if getattr(twin, name) != getattr(battle, name)]
    assert differing == []


def test_r8_1_a_copy_has_lists_and_streams_of_its_own() -> None:
    battle = fought().battle
    battle.variables = {"storm": 1}
    twin = copy_battle(battle)
    same = [name for name in sorted(OWN) if getattr(twin, name) is getattr(battle, name) is not None]
    assert same == []
    assert state_hash(twin) == state_hash(battle)
