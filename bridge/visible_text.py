"""Text from packs, files and clients, made safe to print: what a terminal or an editor would obey is written out.

Escape sequences recolour a terminal or rewrite what it shows, bidirectional controls turn a line around, line ends
forge lines. None of them has a place in a name or in a line of output.
"""

from __future__ import annotations

import re
from typing import Final

# C0 without the tab, DEL and C1; marks, embeddings, overrides and isolates of direction; separators of lines and
# paragraphs; what has no width at all, but not the joiners that scripts and emoji need; halves of surrogate pairs.
_CONTROLS: Final = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    r"""The text as one line, its controls written as Python would: ``\x1b``, ``\n``, ``\u202e``."""
    return _CONTROLS.sub(_escaped, text)


def visible_json(text: str) -> str:
    r"""JSON text without controls: those inside of strings as ``\u202e``. Line ends between values stay."""
    return _CONTROLS.sub(lambda found: found[0] if found[0] == "\n" else json_escapes(found[0]), text)


def json_escapes(text: str) -> str:
    r"""Each character as JSON's ``\uXXXX``, in two halves beyond the first 65,536."""
    data = text.encode("utf-16-be", errors="surrogatepass")
    return "".join(f"\\u{data[at]:02x}{data[at + 1]:02x}" for at in range(0, len(data), 2))


def _escaped(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape", errors="surrogatepass").decode("ascii")
