"""A clone is whole by itself: no file names a path of some machine, a package registry's host or a folder outside."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Written so that this file does not name them either. `/root/Name` is a node's path in Godot's tree, and `unix:` before
# the temporary folder is how the address of a socket is shown.
FORBIDDEN = {
    "a path of some machine": re.compile(r"(?<![\w.:}/])/(?:wor[k]|hom[e]|Use[r]s|roo[t](?![/][A-Z%])|tm[p])/"),
    "a package registry's host": re.compile(r"pyp[i]\.org|deb\.debia[n]\.org|registry\.npmj[s]|pythonhoste[d]\.org"),
    "a folder outside of the clone": re.compile(r"\.\./share[d]\b|share[d]/spec\b"),
}


def project_files() -> list[Path]:
    """Files that are in the repository or would get into it with the next commit."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return [ROOT / name for name in sorted(listing.stdout.split("\0")) if name and (ROOT / name).is_file()]


def offences(text: str) -> list[str]:
    """What a text names that it should not, with line numbers."""
    return [
        f"line {number} names {what}: {line.strip()[:100]}"
        for number, line in enumerate(text.splitlines(), start=1)
        for what, pattern in FORBIDDEN.items()
        if pattern.search(line)
    ]


def test_no_file_names_a_place_outside() -> None:
    files = project_files()
    assert Path(__file__).resolve() in files
    found = []
    for path in files:
        content = path.read_bytes()
        if b"\0" not in content:
            found += [f"{path.relative_to(ROOT)}: {each}" for each in offences(content.decode("utf-8"))]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "line",
    [
        "see /wor" + "k/main",
        "HOME=/roo" + "t/.cache",
        "'/tm" + "p/x'",
        "http://deb.debia" + "n.org",
        "../share" + "d/spec",
    ],
)
def test_an_outside_place_is_noticed(line: str) -> None:
    assert offences(line)


@pytest.mark.parametrize("line", ['get_node("/root/Gcs")', "unix:/tmp/gcs.sock", "tests/work/x", "res://tmp/x"])
def test_inside_places_pass(line: str) -> None:
    assert not offences(line)
