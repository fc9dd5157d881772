"""The pages of the documentation, cut into their fenced blocks.

What stands behind a fence's language decides what a test does with it:

- ``console``: lines that begin with ``$ `` are commands, what follows is their output; a line ``...`` stands for any
  lines. ``exit=1`` behind the language is the exit code expected.
- ``python``: is run. With ``file=NAME`` it is written to that file instead, for a command further down.
- ``json file=PATH``: is written to that file. Packs made so are checked.
- ``gdscript file=NAME.gd``: is compiled, and run where a test says so.
- ``ini file=NAME``: is written to that file: a project or a scene of Godot.
- ``text`` and ``mermaid``: are shown only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
LANGUAGES: Final = ("console", "python", "json", "gdscript", "ini", "text", "mermaid")
# Pages about Godot: their examples are those of the GDScript tests and of test_first_battle.py.
_LINKS_ONLY: Final = ("docs/first-battle.md", "docs/godot.md", "docs/protobuf-for-gdscript.md", "docs/reference/godot/")
_FENCE: Final = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_WORD: Final = re.compile(r"[^\w\- ]")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block.

    Attributes:
        page: Its page, from the root of the repository.
        line: The line of its fence, from 1.
        language: Its language.
        options: The ``name=value`` pairs behind the language.
        text: What stands in it.
    """

    page: str
    line: int
    language: str
    options: dict[str, str]
    text: str

    @property
    def place(self) -> str:
        """Where it stands, for messages."""
        return f"{self.page}:{self.line}"

    @property
    def file(self) -> str:
        """The file that it is written to, or ``""``."""
        return self.options.get("file", "")


def all_pages() -> list[Path]:
    """Every page of the documentation."""
    own = [ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "packs/README.md")]
    return own + sorted((ROOT / "docs").rglob("*.md"))


def pages_with_examples() -> list[Path]:
    """The pages whose examples are run here."""
    return [page for page in all_pages() if not name_of(page).startswith(_LINKS_ONLY)]


def name_of(page: Path) -> str:
    """A page's path from the root of the repository."""
    return page.relative_to(ROOT).as_posix()


def blocks_of(page: Path) -> list[Block]:
    """The fenced blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    found = []
    for match in _FENCE.finditer(text):
        language, *options = match["info"].split() or [""]
        pairs = dict(option.partition("=")[::2] for option in options)
        found.append(Block(name_of(page), text.count("\n", 0, match.start()) + 1, language, pairs, match["text"]))
    return found


def prose_of(page: Path) -> str:
    """A page without its fenced blocks."""
    return _FENCE.sub("", page.read_text(encoding="utf-8"))


def anchors_of(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them, and those set by hand."""
    found: set[str] = set(re.findall(r'<a id="([^"]+)">', page.read_text(encoding="utf-8")))
    for title in re.findall(r"^#{1,6} +(.+?) *$", prose_of(page), re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
        anchor = _WORD.sub("", words.lower()).replace(" ", "-")
        number = 0
        while (unique := f"{anchor}-{number}" if number else anchor) in found:
            number += 1
        found.add(unique)
    return found
