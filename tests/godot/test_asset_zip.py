"""The zip for Godot's asset library holds the addon alone, where Godot unpacks it, with its licence."""

from __future__ import annotations

import io
import subprocess
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_asset_zip_holds_the_addon_alone() -> None:
    done = subprocess.run(
        ["git", "archive", "--format=tar", "--prefix=gcs/", "HEAD:godot_project"],
        cwd=ROOT,
        capture_output=True,
        timeout=60,
        check=True,
    )
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        files = {member.name for member in archive.getmembers() if member.isfile()}
    assert files, "the archive is empty"
    assert not [name for name in files if not name.startswith("gcs/addons/gcs/")]
    assert {f"gcs/addons/gcs/{name}" for name in ("plugin.cfg", "plugin.gd", "gcs.gd", "LICENSE")} <= files


def test_licence_of_the_addon_is_that_of_the_project() -> None:
    assert (ROOT / "godot_project" / "addons" / "gcs" / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
