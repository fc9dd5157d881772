"""JSON Schemas of the files of a pack: editors accept what the checker accepts and catch what a schema can."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from runtime.nodes import library
from runtime.packs import json_schemas
from tests.runtime.content.sample import KINDS, asset, sample

SCHEMAS = json_schemas()


def refusals(name: str, value: object) -> list[str]:
    return [error.json_path for error in Draft202012Validator(SCHEMAS[name]).iter_errors(value)]


def test_there_is_a_schema_for_every_kind_of_file() -> None:
    assert set(SCHEMAS) == {*KINDS, "pack", "pack_object"}
    for schema in SCHEMAS.values():
        Draft202012Validator.check_schema(schema)
        assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_a_good_pack_passes() -> None:
    pack = sample()
    assert refusals("pack_object", pack) == []
    for kind in KINDS:
        for item in pack[kind]:
            assert refusals(kind, item) == []
    assert refusals("pack", {name: value for name, value in pack.items() if name not in KINDS}) == []


def test_every_node_is_there_for_its_kinds_with_its_params() -> None:
    definitions = SCHEMAS["pack_object"]["$defs"]
    for declared in library().values():
        for kind in ("card", "status", "enemy"):
            known = definitions[f"{kind}_node"]["properties"]["type"]["enum"]
            assert (declared.type in known) == (kind in declared.kinds)
        parts = definitions[f"{declared.kinds[0]}_node"]["allOf"]
        part = next(part["then"] for part in parts if part["if"]["properties"]["type"]["const"] == declared.type)
        assert part["title"] == declared.name
        names = {param.name for param in declared.params} | {p.name for p in declared.inputs if p.type != "Flow"}
        assert names <= set(part["properties"]["params"]["properties"])


def in_graph(node: dict[str, Any]) -> dict[str, Any]:
    card = asset(sample(), "cards", "strike")
    card["graph"]["nodes"][2] = {"id": "hit", **node}
    return card


# fmt: off
BAD_NODES = [
    ({}, "$.graph.nodes[2]"),
    ({"type": "deal_damag"}, "$.graph.nodes[2].type"),
    ({"type": "leaf_intent", "params": {"kind": "attack"}}, "$.graph.nodes[2].type"),
    ({"type": "deal_damage", "params": {"amuont": 1}}, "$.graph.nodes[2].params"),
    ({"type": "deal_damage", "params": {"amount": "1"}}, "$.graph.nodes[2].params.amount"),
    ({"type": "deal_damage", "params": {"amount": 2**31}}, "$.graph.nodes[2].params.amount"),
    ({"type": "deal_damage", "params": {"kind": "atack"}}, "$.graph.nodes[2].params.kind"),
    ({"type": "deal_damage", "params": {"target": "everyone"}}, "$.graph.nodes[2].params.target"),
    ({"type": "apply_status"}, "$.graph.nodes[2]"),
    ({"type": "apply_status", "params": {}}, "$.graph.nodes[2].params"),
    ({"type": "card_info", "params": {"card": "strike"}}, "$.graph.nodes[2].params.card"),
    ({"type": "random_branch", "params": {"weights": [0]}}, "$.graph.nodes[2].params.weights[0]"),
    ({"type": "sequence", "params": {"count": 0}}, "$.graph.nodes[2].params.count"),
    ({"type": "add_card_to_hand", "params": {"pool": {"tpye": "a"}}}, "$.graph.nodes[2].params.pool"),
    ({"type": "deal_damage", "id": "a.b"}, "$.graph.nodes[2].id"),
    ({"type": "deal_damage", "parms": {}}, "$.graph.nodes[2]"),
]
# fmt: on


@pytest.mark.parametrize(("node", "path"), BAD_NODES)
def test_bad_nodes_are_refused(node: dict[str, Any], path: str) -> None:
    assert path in refusals("cards", in_graph(node))


# fmt: off
BAD_ASSETS = [
    ("cards", "strike", {"cost": -1}, "$.cost"),
    ("cards", "strike", {"csot": 1}, "$"),
    ("cards", "strike", {"target": "everyone"}, "$.target"),
    ("cards", "strike", {"id": "Strike"}, "$.id"),
    ("statuses", "poison", {"max_stacks": 0}, "$.max_stacks"),
    ("enemies", "slime", {"hp": 0}, "$.hp"),
    ("enemies", "slime", {"hp": [1, 2, 3]}, "$.hp"),
    ("encounters", "first_fight", {"enemies": []}, "$.enemies"),
    ("encounters", "first_fight", {"id": ""}, "$.id"),
    ("decks", "starter", {"cards": []}, "$.cards"),
    ("events", "thunder", {"guid": "2f0c"}, "$.guid"),
    ("events", "thunder", {"argument": "number"}, "$.argument"),
    ("flows", "storm", {"chains": [{"from": "a", "steps": []}]}, "$.chains[0].steps"),
    ("flows", "storm", {"triggers": [{"from": "a", "to": "b", "when": {"arg": "gte", "value": 1}}]},
     "$.triggers[0].when"),
]
# fmt: on


@pytest.mark.parametrize(("kind", "asset_id", "fields", "path"), BAD_ASSETS)
def test_bad_assets_are_refused(kind: str, asset_id: str, fields: dict[str, Any], path: str) -> None:
    assert path in refusals(kind, {**asset(sample(), kind, asset_id), **fields})


def test_bad_heads_are_refused() -> None:
    assert refusals("pack", {"name": "no id"}) == ["$"]
    assert refusals("pack", {"id": "a", "notify": {"card_playd": "x"}}) != []
    assert refusals("pack_object", {"cards": {}}) == ["$.cards"]
