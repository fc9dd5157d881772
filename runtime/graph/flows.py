"""Flows: what follows from a GES event, compiled from a pack (content.md, "flows").

Triggers come in the order of their priority, higher first, then as the flows and their files list them;
chains as they are listed.
"""

from __future__ import annotations

import copy
from math import isnan
from typing import Final

from runtime.content.assets import ChainAsset, Pack, TriggerAsset
from runtime.graph.conditions import PARTS, SCALAR_DEFAULTS, Condition, compile_condition
from runtime.graph.definitions import EventDefinition
from runtime.graph.types import saturate

_INT_BOUND: Final = 4e9


class Step:
    """An event that is raised in consequence of another: by a trigger, or as a step of a chain.

    Attributes:
        target: What is raised.
        delay: How many ms it waits.
        duration: How many ms the next step of the chain waits for this one.
        condition: Whether it follows at all; None: always.
        passing: Whether the argument is passed on; else it has its type's default.
    """

    __slots__ = ("condition", "delay", "duration", "passing", "target")

    def __init__(
        self, target: EventDefinition, delay: int, duration: int, condition: Condition | None, passing: bool
    ) -> None:
        self.target = target
        self.delay = delay
        self.duration = duration
        self.condition = condition
        self.passing = passing


class Chain:
    """Steps that follow from an event one after the other.

    Attributes:
        number: Its number in the pack.
        source: The event they follow from.
        steps: The steps.
    """

    __slots__ = ("number", "source", "steps")

    def __init__(self, number: int, source: EventDefinition, steps: list[Step]) -> None:
        self.number = number
        self.source = source
        self.steps = steps


class Following:
    """All that follows from one event.

    Attributes:
        triggers: Its triggers, higher priority first.
        chains: Its chains.
    """

    __slots__ = ("chains", "triggers")

    def __init__(self) -> None:
        self.triggers: list[Step] = []
        self.chains: list[Chain] = []


def compile_flows(pack: Pack, events: dict[str, EventDefinition]) -> dict[str, Following]:
    """The flows of a checked pack.

    Args:
        pack: The pack.
        events: Its events by id.

    Returns:
        What follows from each event that anything follows from, by the event's GUID.
    """
    found: dict[str, Following] = {}
    triggers: dict[str, list[TriggerAsset]] = {}
    number = 0
    for flow in pack.flows.values():
        for trigger in flow.triggers:
            triggers.setdefault(trigger.from_, []).append(trigger)
        for chain in flow.chains:
            source = events[chain.from_]
            found.setdefault(source.guid, Following()).chains.append(_chain(number, source, chain, events))
            number += 1
    for name, assets in triggers.items():
        # `sorted` keeps the order of equals.
        ordered = sorted(assets, key=_by_priority)
        following = found.setdefault(events[name].guid, Following())
        following.triggers = [
            Step(events[asset.to], asset.delay_ms, 0, _condition(asset.when), asset.pass_) for asset in ordered
        ]
    return found


def _by_priority(trigger: TriggerAsset) -> int:
    return -trigger.priority


def _condition(when: dict[str, object] | None) -> Condition | None:
    return compile_condition(when) if when is not None else None


def _chain(number: int, source: EventDefinition, asset: ChainAsset, events: dict[str, EventDefinition]) -> Chain:
    steps = [
        Step(events[step.to], step.delay_ms, step.duration_ms, _condition(step.when), step.pass_)
        for step in asset.steps
    ]
    return Chain(number, source, steps)


def passed_on(source: EventDefinition, step: Step, arguments: dict[str, object]) -> dict[str, object]:
    """The arguments that a step raises its event with.

    To no argument they are dropped, to the same type kept; numbers convert, a float to an int by cutting off.
    The sender goes along where both events have one. What is not passed on has its type's default; that of a
    reference is nothing.
    """
    target = step.target
    if not step.passing:
        return default_arguments(target)
    kept = arguments
    if source.argument != target.argument:
        kept = {}
        if target.argument in ("int", "float"):
            kept["arg"] = _converted(arguments.get("arg", 0), target.argument)
        if source.sender and "sender" in arguments:
            kept["sender"] = arguments["sender"]
    if source.sender and not target.sender and "sender" in kept:
        # A copy of the same class: the bridge marks cards in the structs that it hands in.
        kept = copy.copy(kept)
        del kept["sender"]
    return kept


def _converted(value: object, kind: str) -> object:
    if not isinstance(value, (int, float)):
        return SCALAR_DEFAULTS[kind]
    if kind == "float":
        return float(value)
    if isnan(value):
        return 0
    return saturate(int(max(-_INT_BOUND, min(_INT_BOUND, value))))


def default_arguments(event: EventDefinition) -> dict[str, object]:
    """What an event carries when nothing is given to it: the default of its type; a reference's is nothing."""
    kind = event.argument
    if kind in SCALAR_DEFAULTS:
        return {"arg": SCALAR_DEFAULTS[kind]}
    if kind in PARTS:
        return dict.fromkeys(PARTS[kind], 0.0)
    return {}
