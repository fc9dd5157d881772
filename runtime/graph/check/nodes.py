"""Checks each node by itself: its graph kind, its params and literals, what it lacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from runtime.content import guids
from runtime.content.notices import GES_ONLY, NOTICES, PREFIX
from runtime.content.problems import Place, listed, shown
from runtime.content.references import check_guid, check_id
from runtime.graph.check.view import Node, View, event_input_hint
from runtime.graph.declare import ARGUMENT_TYPES, MAX_INDEXED_OUTPUTS, REQUIRED, NodeType, Param, Port
from runtime.graph.timings import ON_ENEMY_BEHAVIOR_START, ON_INTERNAL_EVENT
from runtime.graph.types import (
    BOOL,
    CARD,
    FLOW,
    INT,
    INT_MAX,
    INT_MIN,
    STATUS_REF,
    TEXT,
    UNIT,
    UNIT_LIST_WORDS,
    UNIT_WORDS,
    UNITS,
)

RAISE_INTERNAL: Final = "raise_internal_event"

_INT_32: Final = f"an integer from {INT_MIN} to {INT_MAX}"
_POOL_FIELDS: Final = ("type", "tag", "rarity")


def check_nodes(view: View) -> None:
    """Reports what is wrong with the nodes of a graph, links apart."""
    planning: Node | None = None
    for node in view.nodes:
        if node.type is None:
            continue
        _check_kind(view, node, node.type)
        if node.type.timing == ON_ENEMY_BEHAVIOR_START:
            if planning is not None:
                message = f"a second {node.type.name}: an enemy has one"
                view.report.error(node.place, message, hint=f"also at {planning.place.path}")
            planning = planning or node
        _check_given(view, node, node.type)
        _check_missing(view, node, node.type)


def _check_kind(view: View, node: Node, declared: NodeType) -> None:
    """R1.1, and the same for every other node."""
    owner = view.owner
    if owner.kind not in declared.kinds:
        kinds = listed(declared.kinds)
        message = (
            f"{declared.name} ({declared.type}) may not stand in a {owner.kind} graph: "
            f"node {shown(node.asset.id)} of {owner.kind} {shown(owner.id)}"
        )
        view.report.error(node.place.at("type"), message, expected=f"a graph of {kinds}", found=owner.kind)


def _check_given(view: View, node: Node, declared: NodeType) -> None:
    report = view.report
    known = [param.name for param in declared.params]
    known += [port.name for port in node.inputs.values() if port.type != FLOW]
    for name, value in node.asset.params.items():
        place = node.place.at("params", name)
        param = declared.param(name)
        port = node.inputs.get(name)
        if port is not None and port.type == FLOW:
            port = None
        if port is not None and value is not None and name in node.wires:
            wire = node.wires[name].place.path
            report.error(place, f"input {shown(name)} of {node.label} is both wired and given", hint=f"wired at {wire}")
        if param is not None:
            if value is None and param.default is None:
                continue
            _PARAM_CHECKS[param.type](view, node, param, value, place)
        elif port is not None:
            if value is None and port.default is None:
                continue
            _check_literal(view, node, port, value, place)
        elif name not in node.undecided_inputs:
            report.error(
                place,
                f"{node.label} has no param or input {shown(name)}",
                expected=listed(known) if known else "none",
                found=shown(name),
                hint=event_input_hint(node, name) or report.nearest(name, known),
            )


def _check_missing(view: View, node: Node, declared: NodeType) -> None:
    required = [param.name for param in declared.params if param.default is REQUIRED]
    required += [port.name for port in node.inputs.values() if port.default is REQUIRED and port.type != FLOW]
    missing = [name for name in required if not node.present(name)]
    for name in missing:
        if name not in node.asset.params:
            what = "a param" if declared.param(name) else "a link or a literal"
            view.report.error(node.place.at("params", name), f"{node.label} lacks {shown(name)}", expected=what)
    if declared.exactly_one:
        present = [name for name in declared.exactly_one if node.present(name)]
        if len(present) != 1:
            view.report.error(
                node.place.at("params"),
                f"{node.label} needs exactly one of {listed(declared.exactly_one)}",
                found=listed(present) if present else "none of them",
            )


def _check_literal(view: View, node: Node, port: Port, value: Any, place: Place) -> None:
    if port.type == STATUS_REF and isinstance(value, str):
        check_id(value, view.owner.draft.statuses, "status", place, view.report)
        return
    expected, fits = _literal_rule(port.type, value)
    if not fits:
        words = _words(port.type)
        hint = view.report.nearest(value, words) if isinstance(value, str) and words else ""
        view.report.error(
            place, f"input {shown(port.name)}: wrong literal", expected=expected, found=shown(value), hint=hint
        )


def _literal_rule(port_type: str, value: Any) -> tuple[str, bool]:
    if port_type == INT:
        return _INT_32, _is_int(value)
    if port_type == BOOL:
        return "true or false", isinstance(value, bool)
    if port_type == TEXT:
        return "a text", isinstance(value, str)
    if port_type == STATUS_REF:
        return "a status id", isinstance(value, str)
    words = _words(port_type)
    if words:
        return listed(words), isinstance(value, str) and value in words
    return f"a link: {port_type} has no literals", False


def _words(port_type: str) -> tuple[str, ...]:
    return UNIT_WORDS if port_type == UNIT else UNIT_LIST_WORDS if port_type == UNITS else ()


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and INT_MIN <= value <= INT_MAX


ParamCheck = Callable[[View, Node, Param, Any, Place], None]


def _wrong(view: View, param: Param, value: Any, place: Place, expected: str, hint: str = "") -> None:
    message = f"param {shown(param.name)}: wrong value"
    view.report.error(place, message, expected=expected, found=shown(value), hint=hint)


def _check_int(view: View, node: Node, param: Param, value: Any, place: Place) -> None:
    low = INT_MIN if param.minimum is None else param.minimum
    high = INT_MAX if param.maximum is None else param.maximum
    if not _is_int(value) or not low <= value <= high:
        _wrong(view, param, value, place, f"an integer from {low} to {high}")


def _check_bool(view: View, node: Node, param: Param, value: Any, place: Place) -> None:
    if not isinstance(value, bool):
        _wrong(view, param, value, place, "true or false")


def _check_text(view: View, node: Node, param: Param, value: Any, place: Place) -> None:
    if not isinstance(value, str):
        _wrong(view, param, value, place, "a text")
    elif param.name == "event" and value.startswith(PREFIX):
        _check_reserved(view, node, value, place)


def _check_reserved(view: View, node: Node, name: str, place: Place) -> None:
    """R6.3: only the engine raises notices, and a receiver of one that there is not never runs."""
    if node.asset.type == RAISE_INTERNAL:
        message = f"{node.label} raises {shown(name)}: the prefix {shown(PREFIX)} is the engine's own"
        view.report.error(place, message, expected="a name of the pack's own", found=shown(name))
    elif node.type is not None and node.type.timing == ON_INTERNAL_EVENT:
        heard = [PREFIX + notice for notice in NOTICES if notice != GES_ONLY]
        if name not in heard:
            hint = view.report.nearest(name, heard)
            view.report.warning(place, f"no notice {shown(name)} reaches graphs", found=shown(name), hint=hint)


def _check_choice(view: View, node: Node, param: Param, value: Any, place: Place) -> None:
    if not isinstance(value, str) or value not in param.choices:
        hint = view.report.nearest(value, param.choices) if isinstance(value, str) else ""
        _wrong(view, param, value, place, listed(param.choices), hint)


def _check_weights(view: View, node: Node, param: Param, value: Any, place: Place) -> None:
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_INDEXED_OUTPUTS:
        _wrong(view, param, value, place, f"a list of 1 to {MAX_INDEXED_OUTPUTS} positive integers")
        return
    for index, weight in enumerate(value):
        if not _is_int(weight) or weight < 1:
            _wrong(view, param, weight, place.at(index), f"an integer from 1 to {INT_MAX}")


def _check_texts(view: View, node: Node, param: Param, value: Any, place: Place) -> None:
    if not isinstance(value, list) or not value:
        _wrong(view, param, value, place, "a list of at least one text")
        return
    for index, text in enumerate(value):
        if not isinstance(text, str):
            _wrong(view, param, text, place.at(index), "a text")


def _check_args(view: View, node: Node, param: Param, value: Any, place: Place) -> None:
    if not isinstance(value, dict):
        _wrong(view, param, value, place, "an object of names and types")
        return
    declared = node.type
    for name, kind in value.items():
        here = place.at(name)
        if not isinstance(kind, str) or kind not in ARGUMENT_TYPES:
            hint = view.report.nearest(kind, ARGUMENT_TYPES) if isinstance(kind, str) else ""
            _wrong(view, param, kind, here, listed(ARGUMENT_TYPES), hint)
        taken = declared is not None and (
            declared.param(name) is not None or any(port.name == name for port in declared.inputs)
        )
        if taken or not name or "." in name:
            message = f"param {shown(param.name)}: wrong argument name"
            view.report.error(here, message, expected="a text without dots that is no other input", found=shown(name))


def _check_card_pool(view: View, node: Node, param: Param, value: Any, place: Place) -> None:
    if not isinstance(value, dict):
        _wrong(view, param, value, place, f"an object of {listed(_POOL_FIELDS)}")
        return
    for name, text in value.items():
        if name not in _POOL_FIELDS:
            view.report.unknown(place.at(name), "field", name, _POOL_FIELDS)
        elif not isinstance(text, str):
            _wrong(view, param, text, place.at(name), "a text")


def _check_card_id(view: View, node: Node, param: Param, value: Any, place: Place) -> None:
    _check_asset(view, param, value, place, "card", view.owner.draft.cards)


def _check_status_id(view: View, node: Node, param: Param, value: Any, place: Place) -> None:
    _check_asset(view, param, value, place, "status", view.owner.draft.statuses)


def _check_enemy_id(view: View, node: Node, param: Param, value: Any, place: Place) -> None:
    _check_asset(view, param, value, place, "enemy", view.owner.draft.enemies)


def _check_asset(view: View, param: Param, value: Any, place: Place, what: str, known: dict[str, Any]) -> None:
    if isinstance(value, str):
        check_id(value, known, what, place, view.report)
    else:
        _wrong(view, param, value, place, f"a {what} id")


def _check_event_guid(view: View, node: Node, param: Param, value: Any, place: Place) -> None:
    if isinstance(value, str):
        check_guid(value, view.owner.events, place, view.report)
    else:
        _wrong(view, param, value, place, guids.EXPECTED)


def _check_var_name(view: View, node: Node, param: Param, value: Any, place: Place) -> None:
    """A var of the card itself, or, where another card may be meant, of any card."""
    if not isinstance(value, str):
        _wrong(view, param, value, place, "the name of a var")
        return
    if view.owner.kind != CARD or "card" in node.wires:
        if value not in view.owner.all_vars:
            view.report.unknown(place, "var of any card:", value, view.owner.all_vars)
        return
    if value in view.owner.shared_vars:
        return
    for user in view.owner.users:
        if value in user.vars:
            continue
        if user.id == view.owner.id:
            view.report.unknown(place, f"var of card {shown(user.id)}:", value, user.vars)
        else:
            message = f"card {shown(user.id)} lacks the var {shown(value)}, which the graph of {view.owner.id} reads"
            view.report.error(user.place.at("vars", value), message, hint=view.report.nearest(value, user.vars))
        if view.report.is_full:
            return


_PARAM_CHECKS: Final[dict[str, ParamCheck]] = {
    "int": _check_int,
    "bool": _check_bool,
    "text": _check_text,
    "choice": _check_choice,
    "weights": _check_weights,
    "texts": _check_texts,
    "args": _check_args,
    "card_pool": _check_card_pool,
    "card_id": _check_card_id,
    "status_id": _check_status_id,
    "enemy_id": _check_enemy_id,
    "event_guid": _check_event_guid,
    "var_name": _check_var_name,
}
