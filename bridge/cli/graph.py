"""``gcs graph``: a card's, status' or enemy's graph as an SVG picture."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Annotated, Final

import typer
from msgspec import UnsetType

from bridge.cli.graph_view import dot_source
from bridge.cli.output import USAGE, console, fail
from bridge.cli.start import DEFAULT_PACK, PACK_HELP, load
from runtime.content.assets import CardAsset, GraphAsset, Pack
from runtime.content.problems import or_nearest
from runtime.graph.types import GRAPH_KINDS
from runtime.nodes import library

# Seconds for one picture; the largest graphs take well under one.
TIME_LIMIT: Final = 60.0
_ASSETS: Final = {"card": "cards", "status": "statuses", "enemy": "enemies"}


class DrawingError(Exception):
    """The picture could not be drawn; the message is for people."""


def graph(
    asset: Annotated[str, typer.Argument(metavar="KIND:ID", help="Such as card:strike, status:poison, enemy:lugworm.")],
    pack: Annotated[str, typer.Option("--pack", "-p", metavar="PACK", help=PACK_HELP)] = DEFAULT_PACK,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write here; by default to the standard output.")
    ] = None,
    as_dot: Annotated[bool, typer.Option("--dot", help="Print the Graphviz source instead of a picture.")] = False,
) -> None:
    """Draw a graph: nodes with their ports and params, flow as thick links, values as thin ones by type."""
    if out is not None:
        _check_ending(out, as_dot)
    loaded = load(pack)
    kind, _, asset_id = asset.partition(":")
    if kind not in GRAPH_KINDS or not asset_id:
        fail(f"expected card:<id>, status:<id> or enemy:<id>, got {asset!r}; {or_nearest(kind, GRAPH_KINDS)}", USAGE)
    source = dot_source(graph_of(loaded, kind, asset_id), kind, f"{kind}:{asset_id}", library(), loaded)
    try:
        data = source.encode() if as_dot else render(source)
    except (DrawingError, subprocess.TimeoutExpired) as error:
        fail(str(error))
    if out is None:
        # As bytes: a picture says itself how it is encoded.
        typer.echo(data.rstrip(b"\n"))
        return
    try:
        out.write_bytes(data)
    except OSError as error:
        fail(f"{out}: {error.strerror or error}")
    console(stderr=True).print(f"{asset} in {out}")


def _check_ending(out: Path, as_dot: bool) -> None:
    """Ends the command when a file's name promises what is not written: SVG, or with ``--dot`` Graphviz source."""
    endings = (".dot", ".gv") if as_dot else (".svg",)
    if out.suffix.lower() in endings:
        return
    expected = f"a name that ends in {' or '.join(endings)}"
    if not as_dot and out.suffix.lower() in (".dot", ".gv"):
        expected += ", or --dot"
    elif not as_dot and out.suffix:
        expected += "; a browser or `rsvg-convert` makes other pictures of it"
    fail(f"--out {out}: expected {expected}", USAGE)


def graph_of(pack: Pack, kind: str, asset_id: str) -> GraphAsset:
    """The graph of an asset; a card may use another card's. Where there is none it ends the command."""
    assets = getattr(pack, _ASSETS[kind])
    if asset_id not in assets:
        fail(f"no {kind} {asset_id!r} in the pack {pack.info.id}; {or_nearest(asset_id, assets)}", USAGE)
    asset = assets[asset_id]
    while isinstance(asset, CardAsset) and asset.graph_of is not None:
        asset = assets[asset.graph_of]
    found: GraphAsset | UnsetType = asset.graph
    if isinstance(found, UnsetType) or not found.nodes:
        fail(f"{kind}:{asset_id} has no graph")
    return found


def render(source: str) -> bytes:
    """Graphviz source as SVG, laid out by the Graphviz that is installed with gcs.

    Raises:
        DrawingError: It is not there, or failed.
    """
    beside = Path(sysconfig.get_path("scripts")) / ("graphviz-pure.exe" if sys.platform == "win32" else "graphviz-pure")
    program = str(beside) if beside.is_file() else shutil.which("graphviz-pure")
    if program is None:
        raise DrawingError("graphviz-pure is not installed; `pip install graphviz-pure` brings it")
    done = subprocess.run(
        [program, "-Tsvg"], input=source.encode(), capture_output=True, check=False, timeout=TIME_LIMIT
    )
    if done.returncode != 0:
        raise DrawingError(f"graphviz-pure failed: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout
