"""The naming rules, and the lists behind them against the engine and the runtime."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from protoc_gdscript.generate import ROOT
from protoc_gdscript.godot_names import CLASSES, FUNCTIONS, OBJECT_MEMBERS
from protoc_gdscript.names import (
    CLIENT_LOCALS,
    MESSAGE_LOCALS,
    MESSAGE_MEMBERS,
    RUNTIME_CLASSES,
    Scope,
    pascal,
    snake,
)

RUNTIME = ROOT / "godot_project" / "addons" / "gcs" / "grpc" / "protobuf"


@pytest.mark.parametrize(
    ("name", "claimed"),
    [
        ("card_id", "card_id"),
        ("class", "class_"),
        ("String", "String_"),
        ("Node", "Node_"),
        ("PI", "PI_"),
        ("get", "get_"),
        ("script", "script_"),
        ("min", "min"),
        ("_leading", "_leading_"),
        ("ProtoMessage", "ProtoMessage_"),
    ],
)
def test_a_name_is_kept_unless_gdscript_refuses_it(name: str, claimed: str) -> None:
    assert Scope().claim(name) == claimed


def test_a_name_that_is_taken_gets_one_underscore_more() -> None:
    scope = Scope(["parse"])
    assert [scope.claim(name) for name in ("parse", "parse_", "class", "class_")] == [
        "parse_",
        "parse__",
        "class_",
        "class__",
    ]


@pytest.mark.parametrize(
    ("name", "result"),
    [("GetServerInfo", "get_server_info"), ("HTTPGet", "http_get"), ("Act", "act"), ("listV2Items", "list_v2_items")],
)
def test_methods_are_in_snake_case(name: str, result: str) -> None:
    assert snake(name) == result


def test_packages_are_in_pascal_case() -> None:
    assert pascal("gcs.v1") + pascal("ges_events") == "GcsV1GesEvents"


def test_the_engines_names_are_all_known(godot: Path, tmp_path: Path) -> None:
    """A newer engine may have more classes: then this says which to add to godot_names.py."""
    subprocess.run([str(godot), "--headless", "--dump-extension-api"], cwd=tmp_path, timeout=120, check=True)
    api = json.loads((tmp_path / "extension_api.json").read_text(encoding="utf-8"))
    classes = {item["name"] for key in ("classes", "singletons", "builtin_classes") for item in api[key]} - {"Nil"}
    members = {
        item["name"]
        for owner in api["classes"]
        if owner["name"] in ("Object", "RefCounted")
        for key in ("methods", "signals", "properties", "constants", "enums")
        for item in owner.get(key, ())
        if not item["name"].startswith("_")
    }
    functions = {item["name"] for item in api["utility_functions"]}
    assert classes - CLASSES == set()
    assert members - OBJECT_MEMBERS == set()
    assert functions - FUNCTIONS == set()


def test_the_runtimes_names_are_all_known() -> None:
    text = (RUNTIME / "proto_message.gd").read_text(encoding="utf-8")
    declared = set(re.findall(r"^(?:static )?(?:func|var|const) (\w+)", text, re.MULTILINE))
    assert declared | {"_FIELDS"} == set(MESSAGE_MEMBERS)
    classes = {
        found
        for path in RUNTIME.glob("*.gd")
        for found in re.findall(r"^class_name (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert classes | {"GrpcCall", "GrpcCallOptions", "GrpcChannel"} == set(RUNTIME_CLASSES)


def test_the_locals_of_generated_code_are_all_known() -> None:
    """A field named like one of them would be shadowed."""
    paths = (ROOT / "godot_project" / "tests" / "protobuf" / "pb" / "wire_test").rglob("*.pb.gd")
    text = "".join(path.read_text(encoding="utf-8") for path in paths)
    found = {
        *re.findall(r"^\t\t+(?:var|for) (_\w+)", text, re.MULTILINE),
        *re.findall(r"\bset\((_\w+)\)", text),
        *(
            name
            for signature in re.findall(r"func _\w+\(([^)]*)\)", text)
            for name in re.findall(r"(_\w+):", signature)
        ),
    }
    assert found == set(MESSAGE_LOCALS)
    clients = {
        name
        for signature in re.findall(r"^\tfunc \w+\(([^)]*)\) -> (?:GrpcCall|void):", text, re.MULTILINE)
        for name in re.findall(r"\b([a-z]\w*):", signature)
    } | set(re.findall(r"var (\w+): GrpcCall =", text))
    assert clients == set(CLIENT_LOCALS)
