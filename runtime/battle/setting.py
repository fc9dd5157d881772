"""Writing state silently, for tests (content.md, "Scenario files"): no hook, no Entry, no event."""

from __future__ import annotations

from runtime.battle.state import Battle, Status, Unit
from runtime.battle.status_order import add_to_index, index_statuses
from runtime.graph.types import INT_MAX, INT_MIN


class SettingError(ValueError):
    """A state path to write that is not there, or a value that it cannot hold.

    Attributes:
        path: The state path.
    """

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}")
        self.path = path


_LEAST = {"hp": 1, "max_hp": 1, "armor": 0, "energy": 0}


def check_values(battle: Battle, changes: dict[str, int]) -> None:
    """Checks paths and values before anything is written.

    Raises:
        SettingError: At the first one that is wrong.
    """
    for path, value in changes.items():
        least = _least(battle, path)
        if not least <= value <= INT_MAX:
            raise SettingError(path, f"expected a number from {least} to {INT_MAX}, got {value}")


def _least(battle: Battle, path: str) -> int:
    parts = path.split(".")
    if parts[0] == "variables" and len(parts) == 2:
        return INT_MIN
    unit, rest = _unit_of(battle, path, parts)
    if len(rest) == 1 and rest[0] in _LEAST and (rest[0] != "energy" or unit.is_player):
        return _LEAST[rest[0]]
    if len(rest) == 2 and rest[0] == "statuses":
        if rest[1] not in battle.content.statuses:
            raise SettingError(path, f"no status {rest[1]!r} in the pack")
        return 0
    if len(rest) == 2 and rest[0] == "variables":
        return INT_MIN
    raise SettingError(path, "expected hp, max_hp, armor, energy (player), statuses.<id> or variables.<name>")


def _unit_of(battle: Battle, path: str, parts: list[str]) -> tuple[Unit, list[str]]:
    if parts[0] == "player":
        return battle.player, parts[1:]
    if parts[0] == "enemies" and len(parts) > 1 and parts[1].isdecimal() and int(parts[1]) + 1 < len(battle.units):
        return battle.units[int(parts[1]) + 1], parts[2:]
    raise SettingError(path, "expected player, enemies.<number of one that is there> or variables")


def write_values(battle: Battle, changes: dict[str, int]) -> None:
    """Writes values that `check_values` has passed."""
    for path, value in changes.items():
        parts = path.split(".")
        if parts[0] == "variables":
            battle.variables[parts[1]] = value
            continue
        unit, rest = _unit_of(battle, path, parts)
        if rest[0] == "hp":
            unit.hp = value
            unit.max_hp = max(unit.max_hp, value)
        elif rest[0] == "max_hp":
            unit.max_hp = value
            unit.hp = min(unit.hp, value)
        elif rest[0] == "armor":
            unit.armor = value
        elif rest[0] == "energy":
            battle.energy = value
        elif rest[0] == "statuses":
            _write_status(battle, unit, rest[1], value)
        else:
            unit.variables[rest[1]] = value


def _write_status(battle: Battle, unit: Unit, status_id: str, stacks: int) -> None:
    status = unit.statuses.get(status_id)
    if stacks == 0:
        if status is not None:
            status.present = False
            del unit.statuses[status_id]
            index_statuses(unit)
        return
    if status is None:
        status = Status(battle.content.statuses[status_id], stacks)
        unit.statuses[status_id] = status
        add_to_index(unit, status)
    status.stacks = min(stacks, status.definition.max_stacks)
