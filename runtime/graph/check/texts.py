"""Checks the placeholders in texts: ``{name}`` is a var, ``{node.input}`` the live value of a node's input."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from runtime.content.problems import Place, shown
from runtime.graph.check.view import User, View
from runtime.graph.types import CARD, FLOW, STATUS

PLACEHOLDER: Final = re.compile(r"\{([^{}]*)\}")

# A status' text may name how many stacks of it there are.
STACKS: Final = "stacks"


def check_texts(view: View) -> None:
    """Warns of placeholders that stand for nothing, in the texts of all assets that use a graph."""
    for user in view.owner.users:
        place = user.place.at("text")
        for name in dict.fromkeys(PLACEHOLDER.findall(user.text)):
            _check_placeholder(name, user, place, view)


def _check_placeholder(name: str, user: User, place: Place, view: View) -> None:
    node_id, dot, port_name = name.partition(".")
    node = view.by_id.get(node_id)
    expected = "an input of a node"
    known: Collection[str]
    if not dot:
        expected, wanted = "a var", name
        known = user.vars if view.owner.kind == CARD else (STACKS,) if view.owner.kind == STATUS else ()
    elif node is None:
        wanted, known = node_id, view.by_id
    elif node.type is None:
        return
    else:
        port = node.inputs.get(port_name)
        if port is not None and port.type != FLOW:
            return
        wanted, known = port_name, node.inputs
    if dot or wanted not in known:
        hint = view.report.nearest(wanted, known)
        message = f"unknown placeholder {shown('{' + name + '}')[1:-1]}"
        view.report.warning(place, message, expected=expected, found=shown(name), hint=hint)
