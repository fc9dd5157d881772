"""``gcs catalog``: every node that a graph may use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Final, Literal

import typer
from rich.padding import Padding
from rich.table import Column
from rich.text import Text

from bridge.cli.output import USAGE, PlainConsole, PlainTable, console, fail, print_json
from runtime.content.problems import or_nearest
from runtime.graph.catalog import node_entry
from runtime.graph.declare import REQUIRED, NodeType, Param, Port
from runtime.graph.types import FLOW
from runtime.nodes import library

# Up to so many nodes found are shown with their ports and params.
_MOST_IN_FULL: Final = 5


def catalog(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WORD]...", help="Only nodes with all of these words in type, name, category or help; a type: it."
        ),
    ] = None,
    kind: Annotated[
        Literal["card", "status", "enemy"] | None, typer.Option("--kind", "-k", help="Only nodes for these graphs.")
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Show ports and params of all nodes found.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as one JSON object.")] = False,
) -> None:
    """List the node library: built-in nodes and those of installed packages.

    Where WORDs leave few nodes, each is shown with its inputs, outputs and params.
    """
    found = [node for node in _with_words(words or []) if kind is None or kind in node.kinds]
    if not found:
        asked = " ".join(words or [])
        fail(
            f"no node has {asked!r}{f' in graphs of kind {kind}' if kind else ''}; {or_nearest(asked, library())}",
            USAGE,
        )
    if as_json:
        print_json({"nodes": [node_entry(node) for node in found]})
        return
    out = console()
    out.soft_wrap = False
    if full or (words and len(found) <= _MOST_IN_FULL):
        for node in found:
            _show(out, node)
        return
    table = PlainTable(Column("type", no_wrap=True), "what it does", header_style="bold")
    category = ""
    for node in found:
        if node.category != category:
            category = node.category
            table.add_section()
            table.add_row(Text(category.replace("_", " "), style="bold cyan"))
        table.add_row(node.type, Text(node.help))
    out.print(table)
    out.print(Text("`gcs catalog TYPE` shows the ports and params of one.", style="dim"))


def _with_words(words: Sequence[str]) -> list[NodeType]:
    nodes = library()
    if len(words) == 1 and words[0] in nodes:
        return [nodes[words[0]]]
    wanted = [word.lower() for word in words]
    return [
        node
        for node in nodes.values()
        if all(word in f"{node.type} {node.name} {node.category} {node.help}".lower() for word in wanted)
    ]


def _show(out: PlainConsole, node: NodeType) -> None:
    """A node with all of its ports and params."""
    rule = f" ({node.rule})" if node.rule else ""
    out.print(Text.assemble((node.type, "bold cyan"), f"  {node.name}, in graphs of {', '.join(node.kinds)}"))
    out.print(Padding(Text(f"{node.help}{rule}"), (0, 0, 0, 2)))
    table = PlainTable(Column(style="dim"), Column(no_wrap=True), "", show_header=False)
    for row in _rows(node):
        table.add_row(*row)
    out.print(table)


def _rows(node: NodeType) -> Iterator[tuple[str, str, str]]:
    for port in node.inputs:
        yield "in", _port(port), f"{port.help}{_given(port)}"
    for port in node.outputs:
        yield "out", _port(port), port.help
    if node.indexed_outputs is not None:
        yield "out", f"{node.indexed_outputs[0]}0...", f"As many as {node.indexed_outputs[1]} says."
    if node.typed_output is not None:
        yield "out", node.typed_output[0], f"Of the type that {node.typed_output[1]} names."
    if node.argument_inputs is not None:
        yield "in", f"<{node.argument_inputs}>", f"One for each name in {node.argument_inputs}."
    if node.event_inputs is not None:
        yield "in", "arg, sender", "As the event declares them."
    for param in node.params:
        yield "param", f"{param.name}: {param.type}", f"{param.help}{_choices(param)}{_given(param)}"


def _port(port: Port) -> str:
    return port.name if port.type == FLOW else f"{port.name}: {port.type}"


def _choices(param: Param) -> str:
    return f" One of {', '.join(param.choices)}." if param.choices else ""


def _given(declared: Port | Param) -> str:
    if isinstance(declared, Port) and declared.type == FLOW:
        return ""
    if declared.default is REQUIRED:
        return " Must be given."
    return "" if declared.default in (None, "") else f" Default: {declared.default}."
