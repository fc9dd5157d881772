"""Flows: events that exist, arguments that may be passed on, conditions that can be evaluated."""

from __future__ import annotations

from typing import Any, Final

from runtime.content.assets import ChainStepAsset, EventAsset, TriggerAsset
from runtime.content.draft import Draft
from runtime.content.problems import Place, Report, listed, shown

COMPARISONS: Final = ("eq", "ne", "lt", "le", "gt", "ge")

_EQUALITY: Final = ("eq", "ne")
_NUMERIC: Final = ("int", "float")
_ORDERED: Final = (*_NUMERIC, "text")
_FIELDS: Final = ("arg", "sender", "all", "any")
_COMPONENTS: Final = {"vector2": 2, "vector3": 3, "color": 4}


def check_flows(draft: Draft, report: Report) -> None:
    """Reports what is wrong with the triggers and chains of a pack."""
    for flow in draft.flows.values():
        for index, trigger in enumerate(flow.asset.triggers):
            place = flow.place.at("triggers", index)
            source = _event(trigger.from_, place.at("from"), draft, report)
            _check_step(source, trigger, place, draft, report)
        for index, chain in enumerate(flow.asset.chains):
            place = flow.place.at("chains", index)
            source = _event(chain.from_, place.at("from"), draft, report)
            for number, step in enumerate(chain.steps):
                _check_step(source, step, place.at("steps", number), draft, report)


def passes(source: str, target: str) -> bool:
    """Whether an argument of one type can be passed on to an event that takes another type."""
    return target in ("none", source) or (source in _NUMERIC and target in _NUMERIC)


def _event(name: str, place: Place, draft: Draft, report: Report) -> EventAsset | None:
    event = draft.events.get(name)
    if event is None:
        report.unknown(place, "event", name, draft.events)
        return None
    # Nothing can be said of what an event takes while that is not known.
    return None if report.is_malformed(event.place.at("argument")) else event.asset


def _check_step(
    source: EventAsset | None, step: TriggerAsset | ChainStepAsset, place: Place, draft: Draft, report: Report
) -> None:
    target = _event(step.to, place.at("to"), draft, report)
    if source is None:
        return
    if target is not None and step.pass_ and not passes(source.argument, target.argument):
        report.error(
            place.at("pass"),
            f"the argument of {shown(step.to)} cannot be passed on to it",
            expected=f"an event whose argument is {_accepting(source.argument)}",
            found=f"{source.argument} to {target.argument}",
            hint='"pass": false gives the default',
        )
    if step.when is not None:
        _check_condition(step.when, source, place.at("when"), report)


def _accepting(source: str) -> str:
    if source in _NUMERIC:
        return "none, int or float"
    return "none" if source == "none" else f"none or {source}"


def _check_condition(condition: dict[str, Any], event: EventAsset, place: Place, report: Report) -> None:
    waiting: list[tuple[Any, Place]] = [(condition, place)]
    while waiting:
        part, here = waiting.pop()
        if not isinstance(part, dict):
            report.error(here, "wrong type", expected="a condition, an object", found=shown(part))
            continue
        subjects = [name for name in _FIELDS if name in part]
        known = _FIELDS if not subjects else (subjects[0], "value") if subjects[0] in ("arg", "sender") else subjects
        for key in part:
            if key not in known and key not in subjects:
                report.unknown(here.at(key), "field", key, (*_FIELDS, "value"))
        if len(subjects) != 1:
            found = listed(subjects) if subjects else "none of them"
            report.error(here, "not one condition", expected=f"one of {listed(_FIELDS)}", found=found)
        elif subjects[0] in ("all", "any"):
            parts = part[subjects[0]]
            if isinstance(parts, list):
                waiting.extend((item, here.at(subjects[0], index)) for index, item in enumerate(parts))
            else:
                report.error(here.at(subjects[0]), "wrong type", expected="a list of conditions", found=shown(parts))
        else:
            _check_comparison(part, subjects[0], event, here, report)


def _check_comparison(part: dict[str, Any], subject: str, event: EventAsset, place: Place, report: Report) -> None:
    operator = part[subject]
    if not isinstance(operator, str) or operator not in COMPARISONS:
        hint = report.nearest(operator, COMPARISONS) if isinstance(operator, str) else ""
        expected = listed(COMPARISONS)
        report.error(place.at(subject), "unknown comparison", expected=expected, found=shown(operator), hint=hint)
        return
    if "value" not in part:
        report.error(place.at("value"), 'missing field "value"', expected="what to compare with")
        return
    value = part["value"]
    if subject == "sender":
        if not event.sender:
            report.error(place.at("sender"), f"event {shown(event.id)} has no sender")
        if not isinstance(value, str | int | float):
            report.error(place.at("value"), "wrong type", expected="a text, a number or a Bool", found=shown(value))
        return
    if event.argument == "none":
        report.error(place.at("arg"), f"event {shown(event.id)} has no argument")
    elif not _comparable(value, event.argument):
        report.error(place.at("value"), "wrong type", expected=_value_of(event.argument), found=shown(value))
    elif operator not in _EQUALITY and event.argument not in _ORDERED:
        expected = f"{listed(_EQUALITY)} for an argument of type {event.argument}"
        report.error(place.at("arg"), "no order", expected=expected, found=shown(operator))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _comparable(value: object, argument: str) -> bool:
    if argument in _NUMERIC:
        return _is_number(value)
    if argument == "bool":
        return isinstance(value, bool)
    if argument in _COMPONENTS:
        return isinstance(value, list) and len(value) == _COMPONENTS[argument] and all(map(_is_number, value))
    if argument == "struct":
        return isinstance(value, dict)
    return isinstance(value, str)


def _value_of(argument: str) -> str:
    if argument in _NUMERIC:
        return "a number"
    if argument == "bool":
        return "true or false"
    if argument in _COMPONENTS:
        return f"a list of {_COMPONENTS[argument]} numbers"
    return "an object" if argument == "struct" else "a text"
