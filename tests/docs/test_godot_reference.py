"""The reference of the addon's classes: current, without gaps, and readable as Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.docs.pages import ROOT
from tools import godot_reference
from tools.godot_bbcode import Links, markdown, marked_type
from tools.godot_reference import DoctoolError, class_docs, pages, scripts_of, undocumented
from tools.godot_source import SourceError, declaration_of, default_of
from tools.play import PlayError

FOLDER = ROOT / "docs" / "reference" / "godot"

CLASS = """
<class name="GcsLamp" inherits="GcsLight">
    <brief_description>A lamp.</brief_description>
    <methods>
        <method name="dim"><description>Dims it.</description></method>
        <method name="glow"><description></description></method>
        <method name="_hum"><description></description></method>
    </methods>
    <signals><signal name="burnt"><description>  </description></signal></signals>
    <members><member name="level" type="int">How bright.</member><member name="color" type="Color"></member></members>
    <constants>
        <constant name="OFF" value="0" enum="Level">No light.</constant>
        <constant name="ON" value="1" enum="Level"></constant>
        <constant name="Bulb" value="&lt;Object&gt;"></constant>
    </constants>
</class>
"""
BASE = '<class name="GcsLight" inherits="Node"><methods><method name="shine" /></methods></class>'


@pytest.fixture(scope="module")
def docs(godot: Path) -> Mapping[str, ElementTree.Element]:
    return class_docs(godot)


@pytest.fixture
def links() -> Links:
    lamps = {"GcsLamp": ElementTree.fromstring(CLASS), "GcsLight": ElementTree.fromstring(BASE)}
    return Links("battle", {"GcsLamp": "battle", "GcsLight": "grpc"}, lamps, "GcsLamp")


def test_everything_public_says_what_it_is(docs: Mapping[str, ElementTree.Element]) -> None:
    assert undocumented(docs) == []


def test_every_class_of_the_addon_is_there(docs: Mapping[str, ElementTree.Element]) -> None:
    assert set(docs) >= set(scripts_of())
    assert {"Gcs", "GcsClient", "GrpcCall", "ProtoMessage"} <= set(docs)
    assert not [name for name in docs if name.startswith("GcsV1")], "generated messages have the page of the wire"


def test_the_pages_are_current(docs: Mapping[str, ElementTree.Element]) -> None:
    for name, text in pages(docs).items():
        assert (FOLDER / name).read_text(encoding="utf-8") == text, "run `python3 -m tools.reference`"
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(pages(docs))


def test_defaults_that_are_calls_and_long_constants_stand_there_as_in_the_script(
    docs: Mapping[str, ElementTree.Element],
) -> None:
    text = pages(docs)["battle.md"]
    assert "hand: [GcsPile](#gcspile) = GcsPile.new(GcsV1Battle.Pile.PILE_HAND)</code>" in text
    assert "unknown>" not in "".join(pages(docs).values())
    table = text[text.index("<code>TABLE</code>") :]
    assert (
        '\n  \t\t"name": TOKEN, "default": "", "hint": PROPERTY_HINT_PASSWORD,' in table[: table.index("\n  ]\n  ```")]
    )


SCRIPT = """
const SHORT: int = 1
const LIST: Array[int] = [
	1,
	# ]
	2,
]
const TEXT: String = "]"
@export var level: int = SHORT + 1
var color: Color = Color.from_hsv(0.1, 1.0, 1.0):
	set(value):
		color = value
var dark: bool

class Wick:
	const PARTS: Dictionary[String, int] = {
		"a": 1,
	}

	static var level: int = _level()

class Oil:
	var level: int = SHORT
"""


@pytest.mark.parametrize(
    ("inner", "name", "expected"),
    [
        ("", "level", "SHORT + 1"),
        ("", "color", "Color.from_hsv(0.1, 1.0, 1.0)"),
        ("Wick", "level", "_level()"),
        ("Oil", "level", "SHORT"),
    ],
)
def test_a_default_is_found_in_its_class(inner: str, name: str, expected: str) -> None:
    assert default_of(SCRIPT, inner, name) == expected


@pytest.mark.parametrize(
    ("inner", "name", "expected"),
    [
        ("", "SHORT", "const SHORT: int = 1"),
        ("", "LIST", "const LIST: Array[int] = [\n\t1,\n\t# ]\n\t2,\n]"),
        ("", "TEXT", 'const TEXT: String = "]"'),
        ("Wick", "PARTS", 'const PARTS: Dictionary[String, int] = {\n\t"a": 1,\n}'),
    ],
)
def test_a_constant_is_found_with_all_its_lines(inner: str, name: str, expected: str) -> None:
    assert declaration_of(SCRIPT, inner, name) == expected


def test_what_a_script_does_not_declare_is_told() -> None:
    for inner, name in (("", "dark"), ("", "lev"), ("Wick", "color"), ("Lid", "level")):
        with pytest.raises(SourceError, match=inner if inner == "Lid" else name):
            default_of(SCRIPT, inner, name)


def test_what_says_nothing_is_found(links: Links) -> None:
    lamp = {"GcsLamp": links.docs["GcsLamp"]}
    assert undocumented(lamp) == ["GcsLamp.burnt", "GcsLamp.glow", "GcsLamp.color", "GcsLamp.ON"]
    lamp["GcsLamp"].find("brief_description").text = "\n\t"  # type: ignore[union-attr]
    assert undocumented(lamp)[0] == "GcsLamp"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[code]a < b[/code] and a < b", "`a < b` and a \\< b"),
        ("[param level] of [member level]", "`level` of [`level`](#gcslamp-level)"),
        ("[method GcsLamp.dim]", "[`GcsLamp.dim`](#gcslamp-dim)"),
        ("inherited [method shine]", "inherited [`shine`](grpc.md#gcslight-shine)"),
        ("[constant ON] of [enum Level]", "[`ON`](#gcslamp-constant-on) of [`Level`](#gcslamp-enum-level)"),
        ("[signal burnt] of [GcsLamp], a [Node]", "[`burnt`](#gcslamp-burnt) of [`GcsLamp`](#gcslamp), a `Node`"),
        ("[constant ERR_BUSY]", "`ERR_BUSY`"),
        ("one[br]two", "one\n\ntwo"),
        ("[url=https://godotengine.org]Godot[/url]", "[Godot](https://godotengine.org)"),
        ("[b]bold[/b] a_b _c [1] 2*3", "**bold** a_b \\_c \\[1\\] 2\\*3"),
        ("\n\t\tSo:\n[codeblock]\nif x:\n    y()\n[/codeblock]\nOr.\n", "So:\n\n```gdscript\nif x:\n\ty()\n```\n\nOr."),
        (None, ""),
    ],
)
def test_a_text_becomes_markdown(links: Links, text: str | None, expected: str) -> None:
    assert markdown(text, links) == expected


@pytest.mark.parametrize(
    ("name", "enum", "expected"),
    [
        ("int", "", "int"),
        ("int", "GcsLamp.Level", "[GcsLamp.Level](#gcslamp-enum-level)"),
        ("String[]", "", "Array\\[String\\]"),
        ("Dictionary[String, GcsLamp]", "", "Dictionary\\[String, [GcsLamp](#gcslamp)\\]"),
        ("GcsV1Battle._Result", "", "[GcsV1Battle.Result](../wire.md#result)"),
    ],
)
def test_a_type_is_written_as_in_gdscript(links: Links, name: str, enum: str, expected: str) -> None:
    assert marked_type(name, links, enum) == expected


def test_a_godot_that_fails_is_told(tmp_path: Path) -> None:
    script = "#!/bin/sh\ncase \"$*\" in *--import*) exit 0;; esac\necho 'SCRIPT ERROR: Parse Error'\n"
    fake = tmp_path / "godot"
    fake.write_text(script, encoding="utf-8")
    fake.chmod(0o755)
    with pytest.raises(DoctoolError, match="Parse Error"):
        class_docs(fake)
    fake.write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
    with pytest.raises((PlayError, DoctoolError)):
        class_docs(fake, godot_reference.ADDON / "battle")
