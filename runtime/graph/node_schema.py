"""JSON Schemas of nodes, from their declarations: what the asset schemas say of a node's params."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from runtime.graph.declare import ARGUMENT_TYPES, MAX_INDEXED_OUTPUTS, REQUIRED, NodeType, Param, Port
from runtime.graph.types import (
    BOOL,
    FLOW,
    GRAPH_KINDS,
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

Schema = dict[str, Any]

_INTEGER: Final[Schema] = {"type": "integer", "minimum": INT_MIN, "maximum": INT_MAX}
_STRING: Final[Schema] = {"type": "string"}

# Literals by the type of the input; other types can only be wired.
_LITERALS: Final[dict[str, Schema]] = {
    INT: _INTEGER,
    BOOL: {"type": "boolean"},
    TEXT: _STRING,
    STATUS_REF: {**_STRING, "description": "a status id"},
    UNIT: {"enum": list(UNIT_WORDS)},
    UNITS: {"enum": list(UNIT_LIST_WORDS)},
}

_PARAMS: Final[dict[str, Schema]] = {
    "bool": {"type": "boolean"},
    "text": _STRING,
    "weights": {
        "type": "array",
        "items": {"type": "integer", "minimum": 1, "maximum": INT_MAX},
        "minItems": 1,
        "maxItems": MAX_INDEXED_OUTPUTS,
    },
    "texts": {"type": "array", "items": _STRING, "minItems": 1},
    "args": {"type": "object", "additionalProperties": {"enum": list(ARGUMENT_TYPES)}},
    "card_pool": {
        "type": "object",
        "properties": {"type": _STRING, "tag": _STRING, "rarity": _STRING},
        "additionalProperties": False,
    },
    "card_id": _STRING,
    "status_id": _STRING,
    "enemy_id": _STRING,
    "event_guid": _STRING,
    "var_name": _STRING,
}


def node_schemas(types: Mapping[str, NodeType]) -> dict[str, dict[str, Schema]]:
    """For each graph kind, and each node type that may stand in it, a schema of the node object.

    The schemas tell `params` only; `runtime.content.json_schema` adds the fields that all nodes have.
    """
    return {
        kind: {name: _node(types[name]) for name in sorted(types) if kind in types[name].kinds} for kind in GRAPH_KINDS
    }


def _node(declared: NodeType) -> Schema:
    properties: Schema = {}
    for port in declared.inputs:
        if port.type != FLOW:
            properties[port.name] = _input(port)
    for param in declared.params:
        properties[param.name] = _param(param)
    if declared.event_inputs is not None:
        # Which of them it takes, and of what type, depends on the event.
        properties["arg"] = {"type": ["integer", "boolean", "string", "null"]}
        properties["sender"] = {"enum": [*UNIT_WORDS, None]}
    required = [param.name for param in declared.params if param.default is REQUIRED]
    params: Schema = {"type": "object", "properties": properties}
    if declared.argument_inputs is None:
        params["additionalProperties"] = False
    if required:
        params["required"] = required
    schema: Schema = {"title": declared.name, "description": declared.help, "properties": {"params": params}}
    if required:
        schema["required"] = ["params"]
    return schema


def _input(port: Port) -> Schema:
    literal = _LITERALS.get(port.type)
    if literal is None:
        schema: Schema = {"not": {}, "description": f"{port.type} can only be wired"}
        return schema if port.default is not None else {"type": "null", "description": schema["description"]}
    return _described(literal, port.help, port.default)


def _param(param: Param) -> Schema:
    if param.type == "choice":
        schema: Schema = {"enum": list(param.choices)}
    elif param.type == "int":
        low = INT_MIN if param.minimum is None else param.minimum
        schema = {"type": "integer", "minimum": low, "maximum": INT_MAX if param.maximum is None else param.maximum}
    else:
        schema = _PARAMS[param.type]
    return _described(schema, param.help, param.default)


def _described(schema: Schema, text: str, default: object) -> Schema:
    described = dict(schema)
    if default is None:
        described = {"anyOf": [schema, {"type": "null"}]}
    elif isinstance(default, int | str) and default not in ("subject", "current"):
        described["default"] = default
    if text:
        described["description"] = text
    return described
