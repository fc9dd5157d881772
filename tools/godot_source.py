"""What a GDScript file says of its variables and constants where Godot's documentation does not.

Godot gives the value of a default only when it is a plain one; of a call it says that it is unknown. The value of a
constant that is a table it writes in one line, with numbers in place of names.
"""

from __future__ import annotations

import re
import textwrap
from typing import Final

_INNER: Final = r"^class {name}\b[^\n]*:\n(?P<body>(?:[ \t]+[^\n]*\n|\n)*)"
_DEFAULT: Final = r"^(?:@[^\n]*\s)?(?:static )?var {name}\b[^\n=]*=\s*(?P<value>[^\n]+)$"
_CONSTANT: Final = r"^const {name}\b[^\n]*\n(?:[ \t][^\n]*\n)*[\]}})][^\n]*$|^const {name}\b[^\n]*$"


class SourceError(Exception):
    """The file has no such class, variable or constant."""


def default_of(source: str, inner: str, name: str) -> str:
    """The expression that a variable begins with.

    Args:
        source: The text of the file.
        inner: The inner class that it belongs to; empty: the file's own.
        name: The variable.

    Raises:
        SourceError: It is not there, or begins with nothing.
    """
    # A property with a getter or setter has a colon at the end of the line.
    return _found(_DEFAULT, _body(source, inner), name)["value"].removesuffix(":").rstrip()


def declaration_of(source: str, inner: str, name: str) -> str:
    """The whole declaration of a constant, with its lines.

    Args:
        source: The text of the file.
        inner: The inner class that it belongs to; empty: the file's own.
        name: The constant.

    Raises:
        SourceError: It is not there.
    """
    return _found(_CONSTANT, _body(source, inner), name)[0]


def _body(source: str, inner: str) -> str:
    return textwrap.dedent(_found(_INNER, source, inner)["body"]) if inner else source


def _found(pattern: str, text: str, name: str) -> re.Match[str]:
    match = re.search(pattern.format(name=re.escape(name)), text, re.MULTILINE)
    if match is None:
        raise SourceError(f"nothing declares {name}")
    return match
