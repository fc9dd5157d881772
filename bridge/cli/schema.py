"""``gcs schema``: JSON Schemas of a pack's files, for editors."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from bridge.cli.output import console, fail, print_json
from runtime.packs import json_schemas


def schema(
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Write one file per kind of asset into this folder.")
    ] = None,
) -> None:
    """Print the JSON Schemas of all kinds of files in a pack as one object, or write them as files."""
    schemas = json_schemas()
    if out is None:
        print_json(schemas)
        return
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, value in schemas.items():
            (out / f"{name}.schema.json").write_bytes(msgspec.json.format(msgspec.json.encode(value)) + b"\n")
    except OSError as error:
        fail(f"{out}: {error.strerror or error}")
    console().print(f"{len(schemas)} schemas in {out}")
