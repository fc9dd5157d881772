"""One canonical form of a battle's state, for hashing and comparing (R8.1).

It holds all that decides how the battle goes on and nothing else: not the log, not who answers choices.
Two battles with the same form play on alike. At an open choice the form holds the choice, too.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from runtime.battle.card import Card
from runtime.battle.ges_raising import Delayed
from runtime.battle.plain_values import plain_value
from runtime.battle.schedule import DueItem
from runtime.battle.state import ECHO_LIMIT, OUTCOMES, PHASES, PILES, Battle, Status, Unit


def canonical_state(battle: Battle) -> dict[str, Any]:
    """The state as plain lists, dictionaries, strings and numbers."""
    choice = battle.choice
    form: dict[str, Any] = {
        "turn": battle.turn,
        "phase": PHASES[battle.phase],
        "outcome": OUTCOMES[battle.outcome],
        "rules": "extended" if battle.extended else "documented",
        "shuffle": battle.shuffling,
        "energy": battle.energy,
        "max_energy": battle.max_energy,
        "draw": battle.draw,
        "hand_limit": battle.hand_limit,
        "limits": [battle.depth_limit, battle.node_limit, battle.max_turns],
        "cards_played": battle.cards_played,
        "variables": _sorted(battle.variables),
        "streams": [battle.shuffles.state, battle.intents.state, battle.effects.state, battle.seed],
        "units": [_unit(unit) for unit in battle.units],
        "cards": [_card(battle, card) for card in battle.cards],
        "piles": {PILES[number]: pile for number, pile in enumerate(battle.piles)},
        "reward": battle.reward,
        "kept": _sorted(battle.kept),
        "waiting": [repr(action) for action in battle.waiting],
        "choice": None
        if choice is None
        else [choice.kind, choice.prompt, choice.cards, choice.options, choice.min, choice.max],
    }
    ges = _ges(battle)
    if ges:
        form["ges"] = ges
    return form


def state_hash(battle: Battle) -> str:
    """A hash of the canonical form: 32 hex digits, the same on every platform and Python version."""
    text = json.dumps(canonical_state(battle), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _ges(battle: Battle) -> dict[str, Any]:
    """What differs from a battle without scheduled raises, with its GES events on and the usual echo limit."""
    found: dict[str, Any] = {}
    if not battle.database_active:
        found["database_active"] = False
    if battle.echo_limit != ECHO_LIMIT:
        found["echo_limit"] = battle.echo_limit
    schedule = battle.schedule
    if schedule is not None and len(schedule):
        found["scheduled"] = [_scheduled(battle, item, schedule.now) for item in schedule.items()]
    return found


def _scheduled(battle: Battle, item: DueItem, now: int) -> list[Any]:
    """A scheduled raise: in how many ms, which, and what it carries."""
    delayed: Delayed = item.what
    return [
        item.due - now,
        delayed.event.guid,
        -1 if delayed.chain is None else delayed.chain.number,
        delayed.step,
        sorted([[name, plain_value(battle, "", value)] for name, value in delayed.arguments.items()], key=str),
        [event.guid for event in delayed.lineage],
    ]


def _sorted(values: dict[str, int]) -> dict[str, int]:
    """Without the zeros: a variable that was never written reads 0 as well (R5.8)."""
    return {name: value for name, value in sorted(values.items()) if value}


def _once(memory: dict[str, int] | None) -> dict[str, int]:
    return dict(sorted(memory.items())) if memory else {}


def _unit(unit: Unit) -> list[Any]:
    definition = unit.definition
    return [
        unit.name,
        definition.id if definition is not None else "",
        unit.hp,
        unit.max_hp,
        unit.armor,
        unit.life,
        [_status(status) for status in unit.statuses.values()],
        _sorted(unit.variables),
        unit.leaf.id if unit.leaf is not None else "",
        _once(unit.pattern),
        _once(unit.once),
    ]


def _status(status: Status) -> list[Any]:
    return [status.definition.id, status.stacks, status.applied_by_enemy, _once(status.once)]


def _card(battle: Battle, card: Card) -> list[Any]:
    cost = card.costs[-1] if card.costs else None
    form = [
        card.definition.id,
        battle.places[card.number],
        battle.paid[card.number],
        card.upgraded,
        -1 if cost is None else cost.cost,
        0 if cost is None else cost.until,
        [[change.keyword, change.value, change.until] for change in card.changes],
        _sorted(card.variables or {}),
        _once(card.once),
    ]
    if len(card.costs) > 1:
        form.append([[change.cost, change.until] for change in card.costs[:-1]])
    return form
