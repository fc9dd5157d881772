"""``gcs catalog``: every node that a graph may use."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import typer
from rich.table import Table
from rich.text import Text

from bridge.cli.output import console
from runtime.graph.declare import REQUIRED, NodeType, Param, Port
from runtime.nodes import library


def catalog(
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as one JSON object.")] = False,
) -> None:
    """List the node library: built-in nodes and those of installed packages."""
    nodes = list(library().values())
    if as_json:
        value = {"nodes": [node_entry(node) for node in nodes]}
        typer.echo(msgspec.json.format(msgspec.json.encode(value)).decode())
        return
    table = Table("type", "kinds", "inputs", "outputs", "params", "help", header_style="bold", box=None)
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


def node_entry(node: NodeType) -> dict[str, Any]:
    """A node as the catalog lists it: `type`, `name`, `kinds`, `inputs`, `outputs`, `params` and more."""
    entry: dict[str, Any] = {
        "type": node.type,
        "name": node.name,
        "category": node.category,
        "help": node.help,
        "rule": node.rule,
        "kinds": list(node.kinds),
        "inputs": [_port_entry(port, True) for port in node.inputs],
        "outputs": [_port_entry(port, False) for port in node.outputs],
        "params": [_param_entry(param) for param in node.params],
    }
    # Ports that a node's params decide.
    if node.indexed_outputs is not None:
        entry["indexed_outputs"] = {"prefix": node.indexed_outputs[0], "param": node.indexed_outputs[1]}
    if node.argument_inputs is not None:
        entry["argument_inputs"] = {"param": node.argument_inputs}
    if node.event_inputs is not None:
        entry["event_inputs"] = {"param": node.event_inputs}
    if node.typed_output is not None:
        entry["typed_output"] = {"name": node.typed_output[0], "param": node.typed_output[1]}
    if node.exactly_one:
        entry["exactly_one"] = list(node.exactly_one)
    return entry


def _port_entry(port: Port, is_input: bool) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": port.name, "type": port.type, "help": port.help}
    if is_input and port.type != "Flow":
        entry |= _default_entry(port.default)
    return entry


def _param_entry(param: Param) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": param.name, "type": param.type, "help": param.help}
    entry |= _default_entry(param.default)
    if param.choices:
        entry["choices"] = list(param.choices)
    if param.minimum is not None:
        entry["minimum"] = param.minimum
    if param.maximum is not None:
        entry["maximum"] = param.maximum
    return entry


def _default_entry(default: Any) -> dict[str, Any]:
    if default is REQUIRED:
        return {"required": True}
    return {"required": False, "default": default}
