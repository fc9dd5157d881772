"""What the plugin writes and what it refuses, from small `.proto` files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest, CodeGeneratorResponse

from protoc_gdscript.generate import descriptor_set
from protoc_gdscript.plugin import generate


def run(folder: Path, files: dict[str, str], parameter: str = "") -> CodeGeneratorResponse:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    descriptors = descriptor_set(list(files), folder)
    return generate(
        CodeGeneratorRequest(file_to_generate=list(files), proto_file=descriptors.file, parameter=parameter)
    )


def text_of(folder: Path, body: str) -> str:
    response = run(folder, {"a.proto": f'syntax = "proto3";\n{body}'})
    assert not response.error
    return response.file[0].content


def test_proto3_optional_is_announced(tmp_path: Path) -> None:
    response = run(tmp_path, {"a.proto": 'syntax = "proto3"; message M { optional int32 a = 1; }'})
    assert response.supported_features == CodeGeneratorResponse.FEATURE_PROTO3_OPTIONAL


@pytest.mark.parametrize("syntax", ['syntax = "proto2";', 'edition = "2023";', ""])
def test_other_syntaxes_are_refused_by_name(tmp_path: Path, syntax: str) -> None:
    response = run(tmp_path, {"a.proto": f"{syntax} message M {{}}"})
    assert re.fullmatch(r"a\.proto: syntax is (proto2|editions); GDScript is generated .* only", response.error)
    assert not response.file


def test_parameters_are_refused(tmp_path: Path) -> None:
    response = run(tmp_path, {"a.proto": 'syntax = "proto3";'}, parameter="fast=1")
    assert response.error == "protoc-gen-gdscript takes no parameters, but was given 'fast=1'"


def test_two_files_of_one_class_are_refused(tmp_path: Path) -> None:
    files = {"a/b_c.proto": 'syntax = "proto3"; package x;', "b/b_c.proto": 'syntax = "proto3"; package x;'}
    response = run(tmp_path, files)
    assert response.error == "b/b_c.proto and a/b_c.proto would both be class XBC; rename one of the files"


@pytest.mark.parametrize(
    ("name", "package", "class_name"),
    [
        ("gcs/v1/battle.proto", "gcs.v1", "GcsV1Battle"),
        ("google/protobuf/field_mask.proto", "google.protobuf", "GoogleProtobufFieldMask"),
        ("a.proto", "", "A"),
        ("node.proto", "", "Node_"),
        ("1up.proto", "", "Proto1up"),
        ("my-file.v2.proto", "x_y", "XYMyFileV2"),
    ],
)
def test_the_class_is_named_after_package_and_file(tmp_path: Path, name: str, package: str, class_name: str) -> None:
    declaration = f"package {package};" if package else ""
    response = run(tmp_path, {name: f'syntax = "proto3"; {declaration} message M {{}}'})
    assert response.file[0].name == name.removesuffix(".proto") + ".pb.gd"
    assert f"\nclass_name {class_name}\n" in response.file[0].content


def test_comments_become_documentation(tmp_path: Path) -> None:
    text = text_of(
        tmp_path,
        """
// Not attached to anything.

// Above.
//
//   Indented.
message M {
  // Field.
  int32 a = 1; // After it.
  /* Block
   * of two. */
  int32 b = 2;
}
""",
    )
    assert "## Not attached to anything.\n" in text.split("## Above.")[0], "the file's own comment"
    assert "## Above.\n##\n##   Indented.\nclass _M" in text
    assert "\t## Field.\n\t## After it.\n\tvar a: int\n\t## Block\n\t## of two.\n\tvar b: int\n" in text


def test_a_licence_is_no_documentation(tmp_path: Path) -> None:
    response = run(tmp_path, {"a.proto": '// Licence.\n\nsyntax = "proto3";\nmessage M {}\n'})
    assert "Licence" not in response.file[0].content
    assert "## The messages and services of a.proto.\n" in response.file[0].content


def test_types_of_other_files_are_named_by_their_class(tmp_path: Path) -> None:
    response = run(
        tmp_path,
        {
            "p/one.proto": 'syntax = "proto3"; package p; message A { message B {} enum E { ZERO = 0; } }',
            "q/two.proto": 'syntax = "proto3"; package q; import "p/one.proto"; '
            "message C { p.A.B b = 1; map<string, p.A.E> e = 2; repeated p.A a = 3; }",
        },
    )
    two = response.file[1].content
    assert "\tvar b: POne.A.B\n" in two
    assert "\tvar e: Dictionary[String, POne.A.E]\n" in two
    assert "\tvar a: Array[POne.A]\n" in two


def test_wide_messages_are_searched_by_halves(tmp_path: Path) -> None:
    wide = text_of(tmp_path, "message M { " + " ".join(f"bool f{n} = {n};" for n in range(1, 41)) + " }")
    narrow = text_of(tmp_path, "message M { bool a = 1; }")
    assert "if _tag < 168:" in wide
    assert "if _tag <" not in narrow


def test_generated_code_declares_every_type(tmp_path: Path) -> None:
    text = text_of(
        tmp_path, "message M { optional int32 a = 1; oneof o { M m = 2; string s = 3; } map<int32, M> n = 4; }"
    )
    untyped = [line for line in text.splitlines() if re.match(r"\s*(static )?var \w+\s*(=|:=|$)", line)]
    assert untyped == []
    assert ":=" not in text
