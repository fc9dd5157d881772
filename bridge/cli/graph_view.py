"""A graph as Graphviz source: a table for each node with its ports, a coloured link for each wire."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any, Final

from runtime.content.assets import GraphAsset, NodeAsset, Pack
from runtime.graph.declare import (
    ACTION,
    CONTROL,
    ENTRY,
    HOOK,
    HOOK_RESULT,
    LEAF,
    PATTERN,
    REQUIRED,
    VALUE,
    NodeType,
    Port,
)
from runtime.graph.types import BOOL, CARD, CARD_REF, CARDS, ENEMY, FLOW, INT, STATUS, STATUS_REF, TEXT, UNIT, UNITS

_HEAD_COLORS: Final = {
    ENTRY: "#8c2f39",
    HOOK: "#7a4b9c",
    HOOK_RESULT: "#7a4b9c",
    ACTION: "#1f5f8b",
    CONTROL: "#4a5568",
    VALUE: "#3f6b3f",
    PATTERN: "#8a5a16",
    LEAF: "#8a5a16",
}
_LINK_COLORS: Final = {
    FLOW: "#2d3748",
    INT: "#2b7a4b",
    BOOL: "#b03a2e",
    TEXT: "#8e44ad",
    UNIT: "#1f78b4",
    UNITS: "#1f78b4",
    CARD_REF: "#b7791f",
    CARDS: "#b7791f",
    STATUS_REF: "#c0398b",
}
_HEADER: Final = """digraph "{title}" {{
  graph [rankdir=LR, bgcolor="white", fontname="Helvetica", fontsize=16, label="{title}", labelloc=t, pad=0.3,
         nodesep=0.35, ranksep=0.9, splines=true];
  node [shape=plain, fontname="Helvetica", fontsize=11];
  edge [arrowsize=0.7];
"""


# What the default target stands for in each kind of graph.
_SUBJECTS: Final = {CARD: "chosen", ENEMY: "player", STATUS: "acting"}


def dot_source(graph: GraphAsset, kind: str, title: str, types: Mapping[str, NodeType], pack: Pack) -> str:
    """A graph as Graphviz source.

    Args:
        graph: A graph that has been checked.
        kind: The graph's kind.
        title: Stands above the picture.
        types: The node types by id.
        pack: The pack it belongs to, whose events decide some ports.
    """
    events = {event.guid: event for event in pack.events.values()}
    lines = [_HEADER.format(title=_quoted(title))]
    outputs: dict[str, str] = {}
    for node in graph.nodes:
        declaration = types[node.type]
        inputs = declaration.inputs_for(node.params, events)
        outs = declaration.outputs_for(node.params)
        outputs.update({f"{node.id}.{port.name}": port.type for port in outs})
        wired = {target for _, target in graph.links}
        lines.append(f'  "{_quoted(node.id)}" [label=<{_table(node, declaration, kind, inputs, outs, wired)}>];\n')
    for source, target in graph.links:
        lines.append(_link(source, target, outputs[source]))
    lines.append("}\n")
    return "".join(lines)


def _link(source: str, target: str, port_type: str) -> str:
    source_node, source_port = source.split(".", 1)
    target_node, target_port = target.split(".", 1)
    width = "2.2" if port_type == FLOW else "1.3"
    # Values may lead back to nodes that stand before them; only flow decides who stands where.
    weight = "8" if port_type == FLOW else "1"
    ends = f'"{_quoted(source_node)}":"o_{source_port}":e -> "{_quoted(target_node)}":"i_{target_port}":w'
    return f'  {ends} [color="{_LINK_COLORS[port_type]}", penwidth={width}, weight={weight}];\n'


def _table(
    node: NodeAsset,
    declaration: NodeType,
    kind: str,
    inputs: tuple[Port, ...],
    outputs: tuple[Port, ...],
    wired: set[str],
) -> str:
    color = _HEAD_COLORS[declaration.category]
    name = escape(declaration.name)
    head = (
        f'<TR><TD COLSPAN="2" BGCOLOR="{color}" CELLPADDING="5"><FONT COLOR="white"><B>{name}</B></FONT>'
        f'<FONT COLOR="#e2e8f0" POINT-SIZE="9">  {escape(node.id)}</FONT></TD></TR>'
    )
    rows = [head]
    names = {port.name for port in inputs}
    for index in range(max(len(inputs), len(outputs))):
        left = _input_cell(node, kind, inputs[index], wired) if index < len(inputs) else "<TD></TD>"
        right = _output_cell(outputs[index]) if index < len(outputs) else "<TD></TD>"
        rows.append(f"<TR>{left}{right}</TR>")
    for param, value in node.params.items():
        if param not in names:
            text = f'<FONT COLOR="#4a5568">{escape(param)}</FONT>  {escape(_short(value))}'
            rows.append(f'<TR><TD COLSPAN="2" ALIGN="LEFT" BGCOLOR="#edf2f7">{text}</TD></TR>')
    return (
        '<TABLE BORDER="1" CELLBORDER="0" CELLSPACING="0" CELLPADDING="3" COLOR="#a0aec0" BGCOLOR="#fafbfc">'
        + "".join(rows)
        + "</TABLE>"
    )


def _input_cell(node: NodeAsset, kind: str, port: Port, wired: set[str]) -> str:
    text = f'<FONT COLOR="{_LINK_COLORS[port.type]}">{escape(port.name)}</FONT>'
    if port.name in node.params:
        text += f" = <B>{escape(_short(node.params[port.name]))}</B>"
    elif port.type != FLOW and f"{node.id}.{port.name}" not in wired and port.default not in (None, "", REQUIRED):
        default = _SUBJECTS[kind] if port.default == "subject" else port.default
        text += f'<FONT COLOR="#718096"> = {escape(_short(default))}</FONT>'
    return f'<TD PORT="i_{port.name}" ALIGN="LEFT">{text}</TD>'


def _output_cell(port: Port) -> str:
    text = f'<FONT COLOR="{_LINK_COLORS[port.type]}">{escape(port.name)}</FONT>'
    return f'<TD PORT="o_{port.name}" ALIGN="RIGHT">{text}</TD>'


_MOST_SHOWN: Final = 36


def _short(value: Any) -> str:
    if isinstance(value, bool):
        text = "true" if value else "false"
    elif isinstance(value, list):
        text = ", ".join(_short(item) for item in value)
    elif isinstance(value, dict):
        text = ", ".join(f"{name}: {_short(item)}" for name, item in value.items())
    else:
        text = str(value)
    return text if len(text) <= _MOST_SHOWN else text[: _MOST_SHOWN - 1] + "…"


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
