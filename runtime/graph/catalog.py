"""The catalog: every node type with its ports and params as plain data, for ``gcs catalog`` and GetCatalog."""

from __future__ import annotations

from typing import Any, Final

from runtime.graph.declare import REQUIRED, NodeType, Param, Port
from runtime.graph.types import UNIT

# The type of a port whose type a param of the node decides.
ANY: Final = "Any"


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
        entry["inputs"] += [
            {
                "name": "arg",
                "type": ANY,
                "help": "What the event carries, of its type.",
                "required": False,
                "default": None,
            },
            {"name": "sender", "type": UNIT, "help": "Who raises it.", "required": False, "default": None},
        ]
    if node.typed_output is not None:
        name, param = node.typed_output
        entry["typed_output"] = {"name": name, "param": param}
        entry["outputs"].append({"name": name, "type": ANY, "help": f"Of the type that {param} names."})
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
    if param.names:
        entry["names"] = param.names
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
