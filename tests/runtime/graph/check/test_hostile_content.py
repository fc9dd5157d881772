"""Nothing that a pack holds makes the checker raise or hang, and what it passes can be compiled."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from runtime.content.overrides import check_deck, check_encounter, check_player
from runtime.content.problems import PackError, Problem
from runtime.graph.compile import compile_pack
from runtime.nodes import library
from runtime.packs import Checked, check_pack, json_schemas, load_pack
from tests.runtime.content.sample import KINDS, THUNDER, sample, write

THOROUGH = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])

NODES = library()
PACK = load_pack(sample())
SCHEMA = Draft202012Validator(json_schemas()["pack_object"])


def words_of(value: object) -> set[str]:
    """All keys and texts in a JSON value."""
    if isinstance(value, dict):
        return set(value).union(*map(words_of, value.values())) if value else set()
    if isinstance(value, list):
        return set().union(*map(words_of, value)) if value else set()
    return {value} if isinstance(value, str) else set()


# Words that mean something, so that a mutation gets past the first check.
WORDS = sorted(
    words_of(sample())
    | set(NODES)
    | {port.name for declared in NODES.values() for port in (*declared.inputs, *declared.outputs)}
    | {param.name for declared in NODES.values() for param in declared.params}
    | {f"hit.{port.name}" for declared in NODES.values() for port in (*declared.inputs, *declared.outputs)}
)

texts = (
    st.sampled_from(WORDS) | st.text(max_size=8) | st.sampled_from(["", ".", "a.", ".in", "gcs.x", "\ud800", THUNDER])
)
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from([2**31, -(2**31) - 1, 2**63, 10**400, float("nan"), float("inf"), 1.5, -0.0])
    | texts
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4), max_leaves=8
)


def containers(value: Any) -> list[Any]:
    """All objects and lists in a JSON value that are not empty."""
    found: list[Any] = []
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict | list) and item:
            found.append(item)
            waiting += item.values() if isinstance(item, dict) else item
    return found


@st.composite
def mutated_packs(draw: st.DrawFn) -> dict[str, Any]:
    """The sample with up to a few changes anywhere in it."""
    pack = sample()
    for _ in range(draw(st.integers(1, 4))):
        found = containers(pack)
        container = found[draw(st.integers(0, len(found) - 1))]
        keys = list(container) if isinstance(container, dict) else list(range(len(container)))
        key = draw(st.sampled_from(keys))
        match draw(st.sampled_from(["replace", "delete", "insert", "duplicate", "swap"])):
            case "replace":
                container[key] = draw(values)
            case "delete":
                del container[key]
            case "insert" if isinstance(container, dict):
                container[draw(texts)] = draw(values)
            case "insert":
                container.insert(key, draw(values))
            case "duplicate" if isinstance(container, list):
                container.insert(key, json.loads(json.dumps(container[key])))
            case _:
                other = draw(st.sampled_from(keys))
                container[key], container[other] = container[other], container[key]
    return pack


@st.composite
def random_graphs(draw: st.DrawFn) -> dict[str, Any]:
    """A pack with a graph of nodes of all kinds, linked at random where the port names exist."""
    kind = draw(st.sampled_from(["card", "status", "enemy"]))
    types = draw(st.lists(st.sampled_from(sorted(NODES)), min_size=1, max_size=10))
    nodes: list[dict[str, Any]] = []
    outputs: list[tuple[str, str]] = []
    inputs: list[tuple[str, str]] = []
    for index, type_ in enumerate(types):
        declared = NODES[type_]
        params = {name: draw(values) for name in draw(st.lists(st.sampled_from(WORDS), max_size=1))}
        for param in declared.params:
            if draw(st.booleans()):
                likely: dict[str, Any] = {
                    "int": 2, "bool": True, "text": "x", "weights": [1, 2], "texts": ["a"], "args": {"n": "int"},
                    "card_id": "strike", "status_id": "poison", "enemy_id": "slime", "event_guid": THUNDER,
                    "var_name": "damage", "card_pool": {}, "choice": param.choices[0] if param.choices else "",
                }  # fmt: skip
                params[param.name] = likely[param.type]
        nodes.append({"id": f"n{index}", "type": type_, "params": params})
        outputs += [(f"n{index}.{port.name}", port.type) for port in declared.outputs]
        outputs += [(f"n{index}.{name}", "Flow") for name in ("step_0", "branch_1")]
        inputs += [(f"n{index}.{port.name}", port.type) for port in declared.inputs]
    pairs = [(a, b) for a, a_type in outputs for b, b_type in inputs if a_type[:4] == b_type[:4]]
    links = draw(st.lists(st.sampled_from(pairs), max_size=25)) if pairs else []
    graph = {"nodes": nodes, "links": [list(pair) for pair in links]}
    pack = sample()
    owner = {"card": pack["cards"][2], "status": pack["statuses"][0], "enemy": pack["enemies"][0]}[kind]
    owner["graph"] = graph
    owner["text"] = "".join(f"{{{name}}}" for name, _ in inputs[:5])
    return pack


def judged(checked: Checked) -> Checked:
    """What has to hold for whatever was checked."""
    errors = [problem for problem in checked.problems if problem.severity == "error"]
    assert (checked.pack is None) == bool(errors)
    for problem in checked.problems:
        assert isinstance(problem, Problem)
        assert problem.path.startswith("$")
        str(problem).encode("utf-8")
    if checked.pack is not None:
        compile_pack(checked.pack, NODES)
    return checked


@THOROUGH
@given(mutated_packs())
def test_mutated_packs(pack: dict[str, Any]) -> None:
    checked = judged(check_pack(pack))
    if checked.pack is not None:
        # A schema knows less than the checker, but must not refuse what that passes.
        assert [error.message for error in SCHEMA.iter_errors(pack)] == []


@THOROUGH
@given(random_graphs())
def test_random_graphs(pack: dict[str, Any]) -> None:
    judged(check_pack(pack))


@THOROUGH
@given(values)
def test_any_value(value: Any) -> None:
    # Text, bytes and paths are not packs but say where one is.
    if isinstance(value, dict):
        judged(check_pack(value))
    judged(check_pack({"cards": value, "flows": [value], "notify": value}))
    checks: list[Callable[[Any, object], object]] = [check_player, check_deck, check_encounter]
    for check in checks:
        with contextlib.suppress(PackError):
            check(PACK, value)


@THOROUGH
@given(st.binary(max_size=64), st.binary(max_size=16), st.integers(0, 4000))
def test_raw_bytes(data: bytes, patch: bytes, at: int) -> None:
    judged(check_pack(data))
    text = json.dumps(sample()).encode()
    judged(check_pack(text[:at] + patch + text[at + len(patch) :]))
    judged(check_pack(text[:at] + patch + text[at:]))
    judged(check_pack(text[:at]))


ODD_FILES: dict[str, Callable[[Path], object]] = {
    "a folder": lambda path: path.mkdir(),
    "a broken link": lambda path: path.symlink_to("nowhere"),
    "a circle of links": lambda path: path.symlink_to(path.name),
    "a link to a folder": lambda path: path.symlink_to("."),
    "a pipe": os.mkfifo,
    "nothing in it": lambda path: path.touch(),
    "a link to the root": lambda path: path.symlink_to("/"),
}


@settings(max_examples=80, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from([*KINDS, "."]),
            st.sampled_from(["a", "strike", "pack", "", "\udcff", "ü"]),
            st.sampled_from(sorted(ODD_FILES)),
        ),
        max_size=6,
    ),
    st.binary(max_size=40),
)
def test_odd_files(files: list[tuple[str, str, str]], data: bytes) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = write(sample(), Path(name) / "sample")
        (folder / "cards" / "raw.json").write_bytes(data)
        for kind, stem, odd in files:
            path = folder / kind / f"{stem}.json"
            if not os.path.lexists(path):
                ODD_FILES[odd](path)
        judged(check_pack(folder))
