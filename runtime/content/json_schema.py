"""JSON Schemas of the files of a pack, so that editors complete and check them.

They come from the same classes and declarations as the checker, and say what a schema can say: shapes,
ranges, words, the nodes of each graph kind with their params. Ids across files, links and timings are
the checker's.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from runtime.content.assets import PackInfo, PackObject
from runtime.content.draft import KINDS
from runtime.content.flow_rules import COMPARISONS
from runtime.content.notices import NOTICES

Schema = dict[str, Any]

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"

_REF: Final = "#/$defs/"
_GRAPHS: Final = {"CardAsset": "card", "StatusAsset": "status", "EnemyAsset": "enemy"}

_CONDITION: Final[Schema] = {
    "description": "Compares arg or sender with value, or holds if all, or any, of its parts hold.",
    "oneOf": [
        *(
            {
                "type": "object",
                "properties": {subject: {"enum": list(COMPARISONS)}, "value": {}},
                "required": [subject, "value"],
                "additionalProperties": False,
            }
            for subject in ("arg", "sender")
        ),
        *(
            {
                "type": "object",
                "properties": {subject: {"type": "array", "items": {"$ref": _REF + "Condition"}}},
                "required": [subject],
                "additionalProperties": False,
            }
            for subject in ("all", "any")
        ),
    ],
}


def json_schemas(node_schemas: Mapping[str, Mapping[str, Schema]]) -> dict[str, Schema]:
    """A JSON Schema (draft 2020-12) for each kind of file.

    Args:
        node_schemas: For each graph kind, and each node type that may stand in it, a schema of the node.

    Returns:
        Schemas by folder (``cards``, ``statuses``, …), for ``pack`` (the file pack.json) and for
        ``pack_object`` (a whole pack as one object).
    """
    _, found = msgspec.json.schema_components([PackInfo, PackObject], ref_template=_REF + "{name}")
    definitions: dict[str, Schema] = copy.deepcopy(found)
    graph = definitions.pop("GraphAsset")
    node = definitions.pop("NodeAsset")
    for name, kind in _GRAPHS.items():
        definitions[name]["properties"]["graph"] = {"$ref": f"{_REF}{kind}_graph"}
        definitions[f"{kind}_graph"] = _graph(graph, f"{kind}_node")
        definitions[f"{kind}_node"] = _node(node, node_schemas[kind])
    encounter = definitions["EncounterAsset"]
    encounter["properties"]["id"] = definitions["DeckAsset"]["properties"]["id"]
    encounter["required"] = ["id", *encounter["required"]]
    definitions["Condition"] = _CONDITION
    for name in ("TriggerAsset", "ChainStepAsset"):
        condition = {"anyOf": [{"$ref": _REF + "Condition"}, {"type": "null"}], "default": None}
        definitions[name]["properties"]["when"] = condition
    for name in ("PackInfo", "PackObject"):
        definitions[name]["properties"]["notify"]["propertyNames"] = {"enum": list(NOTICES)}
    roots = {kind: cls.__name__ for kind, cls in KINDS.items()} | {"pack": "PackInfo", "pack_object": "PackObject"}
    return {name: _with_definitions(root, definitions) for name, root in roots.items()}


def _graph(graph: Schema, node: str) -> Schema:
    schema = copy.deepcopy(graph)
    schema["properties"]["nodes"]["items"] = {"$ref": _REF + node}
    return schema


def _node(node: Schema, types: Mapping[str, Schema]) -> Schema:
    schema = copy.deepcopy(node)
    schema["properties"]["id"]["pattern"] = r"^[^.]+$"
    schema["properties"]["type"] = {"enum": list(types)}
    schema["allOf"] = [
        {"if": {"properties": {"type": {"const": name}}, "required": ["type"]}, "then": part}
        for name, part in types.items()
    ]
    return schema


def _with_definitions(root: str, definitions: Mapping[str, Schema]) -> Schema:
    """The schema of one definition together with those that it refers to."""
    needed: dict[str, None] = {}
    waiting = [root]
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed[name] = None
            waiting += _references(definitions[name])
    schema: Schema = {"$schema": DRAFT, **definitions[root]}
    schema["properties"] = {"$schema": {"type": "string"}, **schema["properties"]}
    others = {name: definitions[name] for name in sorted(needed) if name != root}
    if others:
        schema["$defs"] = others
    return schema


def _references(schema: object) -> list[str]:
    if isinstance(schema, dict):
        here = [schema["$ref"].removeprefix(_REF)] if isinstance(schema.get("$ref"), str) else []
        return here + [name for part in schema.values() for name in _references(part)]
    if isinstance(schema, list | tuple):
        return [name for part in schema for name in _references(part)]
    return []
