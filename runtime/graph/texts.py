"""Card texts with placeholders: ``{name}`` is a var, ``{node.input}`` the live value of a node's input."""

from __future__ import annotations

import re
from typing import Final

from runtime.graph.definitions import TextPart

PLACEHOLDER: Final = re.compile(r"\{([^{}.]+)(?:\.([^{}]+))?\}")


def parse_text(text: str) -> tuple[TextPart, ...]:
    """A text as its literal pieces and placeholders, in order."""
    parts: list[TextPart] = []
    place = 0
    for match in PLACEHOLDER.finditer(text):
        if match.start() > place:
            parts.append(TextPart(text[place : match.start()], "", "", ""))
        name, port = match.group(1), match.group(2)
        if port:
            parts.append(TextPart(match.group(), "", name, port))
        else:
            parts.append(TextPart(match.group(), name, "", ""))
        place = match.end()
    if place < len(text):
        parts.append(TextPart(text[place:], "", "", ""))
    return tuple(parts)
