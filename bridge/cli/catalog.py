"""``gcs catalog``: every node that a graph may use."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Column
from rich.text import Text

from bridge.cli.output import PlainTable, console, print_json
from runtime.graph.catalog import node_entry
from runtime.graph.declare import NodeType
from runtime.nodes import library


def catalog(
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as one JSON object.")] = False,
) -> None:
    """List the node library: built-in nodes and those of installed packages."""
    nodes = list(library().values())
    if as_json:
        value = {"nodes": [node_entry(node) for node in nodes]}
        print_json(value)
        return
    columns = ("kinds", "inputs", "outputs", "params", "help")
    table = PlainTable(Column("type", no_wrap=True), *columns, header_style="bold")
    category = ""
    for node in nodes:
        if node.category != category:
            category = node.category
            table.add_section()
            table.add_row(Text(category.replace("_", " "), style="bold cyan"))
        table.add_row(
            node.type,
            " ".join(node.kinds),
            " ".join(port.name for port in node.inputs),
            " ".join(_output_names(node)),
            " ".join(param.name for param in node.params),
            Text(node.help),
        )
    out = console()
    out.soft_wrap = False
    out.print(table)


def _output_names(node: NodeType) -> list[str]:
    names = [port.name for port in node.outputs]
    if node.indexed_outputs is not None:
        names.append(f"{node.indexed_outputs[0]}0…")
    if node.typed_output is not None:
        names.append(node.typed_output[0])
    return names
