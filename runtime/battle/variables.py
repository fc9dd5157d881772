"""Variables of the battle, of units and of cards (R5.8)."""

from __future__ import annotations

from runtime.battle.events import VARIABLE_CHANGED
from runtime.battle.state import Battle, Unit
from runtime.graph.types import saturate


def read_variable(battle: Battle, scope: str, name: str, unit: Unit | None, card: int) -> int:
    """A variable's value, 0 by default (R5.8)."""
    if scope == "battle":
        return battle.variables.get(name, 0)
    if scope == "unit":
        return unit.variables.get(name, 0) if unit is not None else 0
    if card < 0:
        return 0
    variables = battle.cards[card].variables
    return variables.get(name, 0) if variables is not None else 0


def write_variable(battle: Battle, scope: str, name: str, unit: Unit | None, card: int, value: int) -> None:
    """Writes a variable and logs the change. Without the unit or the card nothing happens."""
    before = read_variable(battle, scope, name, unit, card)
    value = saturate(value)
    owner = -1
    if scope == "battle":
        battle.variables[name] = value
    elif scope == "unit":
        if unit is None:
            return
        unit.variables[name] = value
        owner = unit.number
    else:
        if card < 0:
            return
        altered = battle.cards[card].altered()
        variables = altered.variables if altered.variables is not None else {}
        variables[name] = value
        altered.variables = variables
        battle.cards[card] = altered
        owner = card
    if battle.logging and value != before:
        battle.log.append((VARIABLE_CHANGED, battle.running.cause, scope, owner, name, before, value))
