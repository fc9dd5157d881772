"""Texts and types as Godot's documentation has them, as Markdown with links between the classes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from xml.etree import ElementTree

# Classes generated from the package gcs.v1; their messages stand on the page of the wire.
_WIRE_CLASS: Final = re.compile(r"GcsV1[A-Z]\w*\.(?P<message>[\w.]+)")
_CODE_BLOCK: Final = re.compile(r"\[(?P<tag>codeblock|gdscript)[^\]]*\]\n?(?P<code>.*?)\n?\[/(?P=tag)\]", re.DOTALL)
_TAG: Final = re.compile(
    r"\[code[^\]]*\](?P<code>.*?)\[/code\]"
    r"|\[url=(?P<url>[^\]]+)\](?P<label>.*?)\[/url\]"
    r"|\[param (?P<param>\w+)\]"
    r"|\[(?P<kind>method|member|signal|constant|enum) (?P<target>[\w.@]+)\]"
    r"|\[(?P<name>/?(?:b|i|br|lb|rb))\]"
    r"|\[(?P<type>[A-Z][\w.]*)\]",
    re.DOTALL,
)
_KINDS: Final = ("method", "member", "signal", "constant")
_PLAIN: Final = {"b": "**", "/b": "**", "i": "*", "/i": "*", "br": "\n\n", "lb": "\\[", "rb": "\\]"}
_SPECIAL: Final = re.compile(r"([\\\[\]*<`]|(?<!\w)_|_(?!\w))")


@dataclass(frozen=True, slots=True)
class Links:
    """Where names lead to.

    Attributes:
        page: The page that the text stands on.
        pages: The pages of all classes, by class.
        docs: What Godot says of all classes.
        own: The class that the text belongs to: a name without a class is one of its own or of its bases.
    """

    page: str
    pages: Mapping[str, str]
    docs: Mapping[str, ElementTree.Element]
    own: str

    def to_class(self, name: str) -> str:
        """The target of a link to a class, a message or an enum of the wire; empty for one of the engine."""
        wire = _WIRE_CLASS.fullmatch(name)
        if wire is not None:
            return "../wire.md#" + wire["message"].replace(".", "").lower()
        if name in self.pages:
            return self._target(name, anchor_of(name))
        owner, _, enum = name.rpartition(".")
        return self._target(owner, anchor_of(owner, enum, "enum")) if self._kind_of(owner, enum) == "enum" else ""

    def to_member(self, name: str) -> str:
        """The target of a link to a method, property, signal, constant or enum; empty for one of the engine."""
        owner, _, member = name.rpartition(".")
        for each in self._lineage(owner or self.own):
            kind = self._kind_of(each, member)
            if kind:
                return self._target(each, anchor_of(each, member, kind))
        return ""

    def _lineage(self, name: str) -> Iterator[str]:
        while name in self.docs:
            yield name
            name = self.docs[name].get("inherits", "")

    def _kind_of(self, owner: str, name: str) -> str:
        """What a public name of a class is: a tag of the documentation or ``enum``; empty for none."""
        if owner in self.docs and not name.startswith("_"):
            for element in self.docs[owner].iter():
                if element.tag in _KINDS and element.get("name") == name:
                    return element.tag
                if element.tag == "constant" and element.get("enum") == name:
                    return "enum"
        return ""

    def _target(self, owner: str, anchor: str) -> str:
        page = self.pages[owner]
        return f"#{anchor}" if page == self.page else f"{page}.md#{anchor}"


def anchor_of(name: str, member: str = "", kind: str = "") -> str:
    """The anchor of a class, as GitHub makes it of the heading, or of something in it.

    Args:
        name: The class.
        member: The name in it.
        kind: What that is: ``method``, ``member``, ``signal``, ``constant`` or ``enum``. The same word may be a
            property, a constant and an enum, in different spellings.
    """
    parts = [name.replace(".", ""), *([kind] if kind in ("constant", "enum") else []), *([member] if member else [])]
    return "-".join(parts).lower()


def markdown(text: str | None, links: Links) -> str:
    """A text of the documentation as Markdown; empty for none."""
    # The indentation is that of the XML; code keeps its own, which is in spaces.
    lines = "\n".join(line.lstrip("\t") for line in (text or "").strip().splitlines())
    parts = []
    end = 0
    for block in _CODE_BLOCK.finditer(lines):
        parts += [_prose(lines[end : block.start()], links), f"```gdscript\n{_tabs(block['code'])}\n```"]
        end = block.end()
    parts.append(_prose(lines[end:], links))
    return "\n\n".join(part for part in parts if part)


def marked_type(name: str, links: Links, enum: str = "") -> str:
    """A type as GDScript writes it, with links, to stand inside ``<code>``."""
    shown = (enum or name).replace("._", ".")
    if shown.endswith("[]"):
        return f"Array\\[{marked_type(shown[:-2], links)}\\]"
    typed = re.fullmatch(r"(Dictionary|Array)\[(.*)\]", shown)
    if typed is not None:
        return f"{typed[1]}\\[{', '.join(marked_type(part, links) for part in typed[2].split(', '))}\\]"
    target = links.to_class(shown)
    return f"[{plain(shown)}]({target})" if target else plain(shown)


def plain(text: str | None) -> str:
    """A text with everything escaped that Markdown would read as its own."""
    return _SPECIAL.sub(r"\\\1", " ".join((text or "").split()))


def _prose(text: str, links: Links) -> str:
    parts = []
    end = 0
    for tag in _TAG.finditer(text):
        parts += [_escaped(text[end : tag.start()]), _tag(tag, links)]
        end = tag.end()
    parts.append(_escaped(text[end:]))
    return re.sub(r" *\n[ \n]*", "\n\n", "".join(parts)).strip()


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", re.sub(r" +", " ", text))


def _tag(tag: re.Match[str], links: Links) -> str:
    if tag["code"] is not None:
        return f"`{tag['code']}`"
    if tag["url"] is not None:
        return f"[{_escaped(tag['label'])}]({tag['url']})"
    if tag["param"] is not None:
        return f"`{tag['param'].lstrip('_')}`"
    if tag["name"] is not None:
        return _PLAIN[tag["name"]]
    name, target = tag["type"], links.to_class(tag["type"] or "")
    if tag["kind"] is not None:
        name, target = tag["target"], links.to_member(tag["target"])
    return f"[`{name}`]({target})" if target else f"`{name}`"


def _tabs(code: str) -> str:
    return re.sub(r"^(?: {4})+", lambda spaces: "\t" * (len(spaces[0]) // 4), code, flags=re.MULTILINE)
