"""Packs as battles, servers and tools take them: found by id or path, read, checked, ready to compile."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from runtime.content import guids, json_schema
from runtime.content.assets import Pack
from runtime.content.content_hash import content_hash
from runtime.content.draft import Draft, Located
from runtime.content.problems import PackError, Problem, Report
from runtime.content.reading import PACK_FILE, Source, read_draft, read_pack_id
from runtime.content.references import check_references
from runtime.graph.check.check import check_graphs, settled
from runtime.graph.declare import NodeType
from runtime.graph.node_schema import node_schemas

A = TypeVar("A", bound=msgspec.Struct)

_PACK_ID: Final = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of checking a pack.

    Attributes:
        pack: The pack; None when there is any error.
        problems: Errors and warnings, by file.
    """

    pack: Pack | None
    problems: list[Problem]


def check_pack(source: Source, nodes: Mapping[str, NodeType] | None = None) -> Checked:
    """Reads and checks a pack. Nothing that it holds makes this raise.

    Args:
        source: The id of an installed pack or the path of a pack's folder (a text or a path); or the pack
            itself as one object: JSON text as bytes, or a mapping.
        nodes: The nodes that graphs may use, by type id; by default the whole library.
    """
    types = _library() if nodes is None else nodes
    report = Report()
    draft = read_draft(_resolved(source), report)
    # Nobody waits for what would only be counted.
    if not report.is_full:
        check_references(draft, report)
    if not report.is_full:
        check_graphs(draft, types, report)
    return Checked(None if report.failed else _pack(draft, types), report.problems())


def load_pack(source: Source, nodes: Mapping[str, NodeType] | None = None) -> Pack:
    """Reads and checks a pack that has to be right; the arguments are those of `check_pack`.

    Raises:
        PackError: It has errors; its ``problems`` are all of them, and the warnings.
    """
    checked = check_pack(source, nodes)
    if checked.pack is None:
        raise PackError(checked.problems)
    return checked.pack


def installed_packs() -> dict[str, Path]:
    """The folders of the packs that came with this installation, by the id that their ``pack.json`` gives them."""
    found: dict[str, Path] = {}
    for root in _pack_roots():
        if root.is_dir():
            for folder in sorted(root.iterdir()):
                if (folder / PACK_FILE).is_file():
                    found.setdefault(read_pack_id(folder) or folder.name, folder)
    return found


def json_schemas(nodes: Mapping[str, NodeType] | None = None) -> dict[str, dict[str, Any]]:
    """JSON Schemas of the files of a pack (see `runtime.content.json_schema`), by default with the whole library."""
    types = _library() if nodes is None else nodes
    return json_schema.json_schemas(node_schemas(types))


def _library() -> Mapping[str, NodeType]:
    # Imported late: whoever brings nodes of their own does not need the built-in ones, nor what they run on.
    from runtime.nodes import library

    return library()


def _pack_roots() -> tuple[Path, ...]:
    # The packs are data, installed beside the process; in a checkout they lie at the top, where designers look.
    top = Path(__file__).resolve().parents[1]
    return top / "bridge" / "packs", top / "packs"


def _resolved(source: Source) -> Source:
    if isinstance(source, bytes | Mapping):
        return source
    name = os.fspath(source)
    if _PACK_ID.fullmatch(name) and not isinstance(source, Path):
        return installed_packs().get(name, Path(name))
    return source


def _pack(draft: Draft, types: Mapping[str, NodeType]) -> Pack:
    notify = {name: _guid(text) for name, text in sorted(draft.info.asset.notify.items())}
    events = {
        name: msgspec.structs.replace(event, guid=_guid(event.guid)) for name, event in _by_id(draft.events).items()
    }
    pack = Pack(
        info=msgspec.structs.replace(draft.info.asset, notify=notify),
        cards=_with_graphs(draft.cards, types),
        statuses=_with_graphs(draft.statuses, types),
        enemies=_with_graphs(draft.enemies, types),
        encounters=_by_id(draft.encounters),
        decks=_by_id(draft.decks),
        events=events,
        flows=_by_id(draft.flows),
        content_hash="",
    )
    return msgspec.structs.replace(pack, content_hash=content_hash(pack))


def _by_id(assets: Mapping[str, Located[A]]) -> dict[str, A]:
    return {name: located.asset for name, located in sorted(assets.items())}


def _with_graphs(assets: Mapping[str, Located[A]], types: Mapping[str, NodeType]) -> dict[str, A]:
    found = _by_id(assets)
    for name, asset in found.items():
        graph = getattr(asset, "graph", msgspec.UNSET)
        if graph is not msgspec.UNSET:
            found[name] = msgspec.structs.replace(asset, graph=settled(graph, types))
    return found


def _guid(text: str) -> str:
    guid = guids.normalize_guid(text)
    if guid is None:
        raise ValueError(f"{text!r} is no GUID although it was checked")
    return guid
