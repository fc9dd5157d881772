"""Replays: a battle as its start and every accepted action, from which it can be rebuilt (R8.2).

A replay is a JSON object. It names the content by its hash, the rule set, the rule flags, the limits and
the overrides; its actions carry the state hash after each, so that the first action that goes another
way is found. A battle of another content, or of flags that this version does not know, is refused.
"""

from __future__ import annotations

from typing import Any, Final

from runtime.battle.action_types import (
    Abort,
    Action,
    Advance,
    Answer,
    Concede,
    EndTurn,
    PlayCard,
    Raise,
    SetState,
    SwitchDatabase,
)
from runtime.battle.actions import act, actions_of
from runtime.battle.canonical import state_hash
from runtime.battle.choices import CARD_CHOICE
from runtime.battle.encounters import Encounter
from runtime.battle.event_arguments import StructArguments
from runtime.battle.setup import start_battle
from runtime.battle.state import ECHO_LIMIT, Battle, Unit
from runtime.graph.definitions import Content, EventDefinition, StatusDefinition

FORMAT: Final = 1
# Orderings that changed after a release each get a number here; replays made before keep the old order.
RULE_FLAGS: Final[tuple[int, ...]] = ()


class ReplayError(ValueError):
    """A replay that cannot be played here, or that went another way.

    Attributes:
        step: The number of the action at which it failed, from 1; 0 for the start.
        battle: The battle as it stands then; None where there is none yet.
        logged: How many events it had before that action.
    """

    def __init__(self, message: str, step: int = 0, battle: Battle | None = None, logged: int = 0) -> None:
        super().__init__(f"action {step}: {message}" if step else message)
        self.step = step
        self.battle = battle
        self.logged = logged


def replay_of(battle: Battle, source: dict[str, Any]) -> dict[str, Any]:
    """A battle's replay as a JSON object. State hashes are those of a fresh run of its actions.

    Args:
        battle: The battle, at any moment.
        source: What the encounter was made from, to make it again: `encounter` (id or object) and, where
            given, `player` and `deck`.
    """
    actions = actions_of(battle)
    replay: dict[str, Any] = {
        "format": FORMAT,
        "pack": battle.content.id,
        "content": battle.content.hash,
        "rules": "extended" if battle.extended else "documented",
        "flags": list(RULE_FLAGS),
        "seed": battle.seed,
        "shuffle": battle.shuffling,
        "limits": {
            "depth": battle.depth_limit,
            "nodes": battle.node_limit,
            "max_turns": battle.max_turns,
            "echo": battle.echo_limit,
        },
        **source,
    }
    if not _database_active_at_start(battle, actions):
        replay["database_active"] = False
    fresh = _start(battle.content, battle.encounter, replay)
    replay["start"] = state_hash(fresh)
    replay["actions"] = []
    for action in actions:
        act(fresh, action)
        replay["actions"].append({**write_action(action), "state": state_hash(fresh)})
    return replay


def _database_active_at_start(battle: Battle, actions: list[Action]) -> bool:
    """Whether the pack's GES events were on at first: a switch is recorded only when it changes that."""
    for action in actions:
        if isinstance(action, SwitchDatabase):
            return not action.active
    return battle.database_active


def play_replay(
    content: Content,
    encounter: Encounter,
    replay: dict[str, Any],
    *,
    any_content: bool = False,
    compare: bool = True,
) -> Battle:
    """Plays a replay and compares the state hash after the start and after every action.

    Args:
        content: The compiled pack.
        encounter: The encounter, made from the replay's `encounter`, `player` and `deck`.
        replay: The replay.
        any_content: Whether it is played with other content, too.
        compare: Whether states are compared.

    Raises:
        ReplayError: The content, the format or a flag is another, an action is rejected, or a state differs.
    """
    if replay.get("format") != FORMAT:
        raise ReplayError(f"format {replay.get('format')!r} is not known here, expected {FORMAT}")
    if replay.get("content") != content.hash and not any_content:
        raise ReplayError(f"the replay was made with content {replay.get('content')}, this pack is {content.hash}")
    unknown = [flag for flag in replay.get("flags", []) if flag not in RULE_FLAGS]
    if unknown:
        raise ReplayError(f"rule flags {unknown} are not known here")
    battle = _start(content, encounter, replay)
    if compare:
        _compare(battle, replay["start"], 0, 0)
    for step, entry in enumerate(replay["actions"], 1):
        logged = len(battle.log)
        rejected = act(battle, read_action(battle, entry))
        if rejected is not None:
            raise ReplayError(f"rejected: {rejected.reason} ({rejected.message})", step, battle, logged)
        if compare:
            _compare(battle, entry["state"], step, logged)
    return battle


def _start(content: Content, encounter: Encounter, replay: dict[str, Any]) -> Battle:
    limits = replay["limits"]
    return start_battle(
        content,
        encounter,
        seed=replay["seed"],
        rules=replay["rules"],
        shuffle=replay["shuffle"],
        depth_limit=limits["depth"],
        node_limit=limits["nodes"],
        max_turns=limits["max_turns"],
        # Replays made before there was such a limit have none.
        echo_limit=limits.get("echo", ECHO_LIMIT),
        database_active=replay.get("database_active", True),
    )


def _compare(battle: Battle, expected: str, step: int, logged: int) -> None:
    actual = state_hash(battle)
    if actual != expected:
        raise ReplayError(f"the state is {actual}, the replay has {expected}", step, battle, logged)


def write_action(action: Action) -> dict[str, Any]:
    """An action as a JSON object."""
    if isinstance(action, PlayCard):
        return {"play": action.card, "target": action.target}
    if isinstance(action, EndTurn):
        return {"end_turn": True}
    if isinstance(action, Answer):
        return {"choose": action.picks}
    if isinstance(action, Concede):
        return {"concede": True}
    if isinstance(action, Abort):
        return {"abort": True}
    if isinstance(action, SetState):
        return {"set": action.changes}
    if isinstance(action, Raise):
        arguments = {name: _write_value(value) for name, value in action.arguments.items()}
        written: dict[str, Any] = {"raise": action.event.guid, "arguments": arguments}
        if isinstance(action.arguments, StructArguments) and action.arguments.cards:
            written["cards"] = sorted(action.arguments.cards)
        if action.answered:
            written["answered"] = [event.guid for event in action.answered]
        return written
    if isinstance(action, Advance):
        return {"advance": action.ms}
    if isinstance(action, SwitchDatabase):
        return {"database_active": action.active}
    raise TypeError(f"{type(action).__name__} cannot be written")


def read_action(battle: Battle, entry: dict[str, Any]) -> Action:
    """An action from its JSON object.

    Raises:
        ReplayError: It is none, or names an event, unit or status that is not there.
    """
    if "play" in entry:
        return PlayCard(entry["play"], entry["target"])
    if "end_turn" in entry:
        return EndTurn()
    if "choose" in entry:
        # Which kind the picks are follows from the choice that is open.
        choice = battle.choice
        return Answer(list(entry["choose"]), choice.kind if choice is not None else CARD_CHOICE)
    if "concede" in entry:
        return Concede()
    if "abort" in entry:
        return Abort()
    if "set" in entry:
        return SetState(dict(entry["set"]))
    if "raise" in entry:
        arguments = {name: _read_value(battle, value) for name, value in entry["arguments"].items()}
        if "cards" in entry:
            struct = StructArguments()
            struct.update(arguments)
            struct.cards = frozenset(entry["cards"])
            arguments = struct
        answered = tuple([_read_event(battle, guid) for guid in entry.get("answered", [])])
        return Raise(_read_event(battle, entry["raise"]), arguments, answered)
    if "advance" in entry:
        if not isinstance(entry["advance"], int) or entry["advance"] < 0:
            raise ReplayError(f"advance: expected 0 or more ms, got {entry['advance']!r}")
        return Advance(entry["advance"])
    if "database_active" in entry:
        return SwitchDatabase(bool(entry["database_active"]))
    raise ReplayError(f"unknown action {entry!r}")


def _read_event(battle: Battle, guid: str) -> EventDefinition:
    event = battle.content.events_by_guid.get(guid)
    if event is None:
        raise ReplayError(f"no event {guid} in the pack")
    return event


def _write_value(value: object) -> Any:
    """References are objects of one key, everything else is as it is."""
    if isinstance(value, Unit):
        return {"unit": value.number}
    if isinstance(value, StatusDefinition):
        return {"status": value.id}
    if value is None:
        return {"unit": -1}
    return value


def _read_value(battle: Battle, value: Any) -> object:
    if not isinstance(value, dict):
        return value
    if "status" in value:
        found = battle.content.statuses.get(value["status"])
        if found is None:
            raise ReplayError(f"no status {value['status']!r} in the pack")
        return found
    number = value.get("unit", -1)
    return battle.units[number] if 0 <= number < len(battle.units) else None
