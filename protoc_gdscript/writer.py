"""GDScript text, line by line, with indentation by tabs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class Writer:
    """Collects lines."""

    def __init__(self) -> None:
        """Starts with no line."""
        self._lines: list[str] = []
        self._depth = 0

    def line(self, text: str) -> None:
        """Adds one line at the current indentation."""
        self._lines.append("\t" * self._depth + text)

    def lines(self, texts: Iterable[str]) -> None:
        """Adds lines at the current indentation."""
        for text in texts:
            self.line(text)

    def gap(self, lines: int = 1) -> None:
        """Leaves at least this many empty lines before what comes next; none at the start of a block."""
        if self._lines and self._lines[-1].endswith(":"):
            return
        present = 0
        while present < len(self._lines) and not self._lines[-1 - present]:
            present += 1
        self._lines.extend([""] * max(0, lines - present))

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Adds a head such as `if x:` and indents what is written inside."""
        self.line(head)
        self._depth += 1
        yield
        self._depth -= 1

    def documentation(self, lines: Iterable[str]) -> None:
        """Adds `##` comments; an empty line parts paragraphs."""
        for text in lines:
            self.line(f"## {text}" if text else "##")

    def text(self) -> str:
        """Everything, with one line end at the end."""
        return "\n".join(self._lines).rstrip("\n") + "\n"
