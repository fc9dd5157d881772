"""The command that regenerates everything: current, deterministic, and careful with what it finds."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest, CodeGeneratorResponse

from protoc_gdscript import generate
from protoc_gdscript.generate import GDSCRIPT_TESTS, ROOT, TEST_PROTO, GenerationError, Target

SHOP = "wire_test/v1/shop.proto"


def test_checked_in_code_is_current(capsys: pytest.CaptureFixture[str]) -> None:
    assert generate.main(["--check"]) == 0, capsys.readouterr()


def test_check_names_what_is_stale_and_writes_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    target = Target(tmp_path / "pb", ("*.gd",))
    monkeypatch.setattr(generate, "ROOT", tmp_path)
    generate.write(target, {"a/old.pb.gd": "1\n", "a/changed.pb.gd": "1\n", "a/same.pb.gd": "1\n"})
    fresh = {"a/changed.pb.gd": "2\n", "a/same.pb.gd": "1\n", "a/new.pb.gd": "1\n"}
    monkeypatch.setattr(generate, "generate_all", lambda: {target: fresh})

    assert generate.main(["--check"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "pb/a/changed.pb.gd has changed",
        "pb/a/new.pb.gd is missing",
        "pb/a/old.pb.gd is no longer generated",
    ]
    assert (target.folder / "a/old.pb.gd").exists()

    assert generate.main([]) == 0
    assert generate.main(["--check"]) == 0


def test_what_is_no_longer_generated_goes_with_its_uid_and_the_rest_stays(tmp_path: Path) -> None:
    target = Target(tmp_path, ("*.gd",))
    generate.write(target, {"old.pb.gd": "1\n", "same.pb.gd": "1\n"})
    for name in ("old.pb.gd.uid", "same.pb.gd.uid"):
        (tmp_path / name).write_text("uid://x\n")
    os.utime(tmp_path / "same.pb.gd", (1, 1))
    generate.write(target, {"same.pb.gd": "1\n"})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["same.pb.gd", "same.pb.gd.uid"]
    assert (tmp_path / "same.pb.gd").stat().st_mtime == 1, "an unchanged file is not touched"


@pytest.mark.parametrize("seed", ["1", "2"])
def test_output_does_not_depend_on_the_run(seed: str) -> None:
    descriptors = generate.descriptor_set([SHOP], TEST_PROTO)
    request = CodeGeneratorRequest(file_to_generate=[SHOP], proto_file=descriptors.file)
    done = subprocess.run(
        [sys.executable, "-m", "protoc_gdscript"],
        input=request.SerializeToString(),
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONHASHSEED": seed},
        cwd=ROOT,
        timeout=60,
        check=True,
    )
    response = CodeGeneratorResponse.FromString(done.stdout)
    golden = GDSCRIPT_TESTS.folder / "wire_test/v1/shop.pb.gd"
    assert [(file.name, file.content) for file in response.file] == [
        ("wire_test/v1/shop.pb.gd", golden.read_text(encoding="utf-8"))
    ]


def test_protoc_runs_the_plugin(tmp_path: Path) -> None:
    """As a user does: protoc finds the plugin by name and writes the files."""
    plugin = tmp_path / ("protoc-gen-gdscript.bat" if os.name == "nt" else "protoc-gen-gdscript")
    command = f'"{sys.executable}" -m protoc_gdscript'
    plugin.write_text(f"@{command}\r\n" if os.name == "nt" else f"#!/bin/sh\nexec {command}\n")
    plugin.chmod(0o755)
    subprocess.run(
        [
            *(sys.executable, "-m", "grpc_tools.protoc", f"--proto_path={TEST_PROTO}"),
            *(f"--plugin=protoc-gen-gdscript={plugin}", f"--gdscript_out={tmp_path}", "wire_test/other/part.proto"),
        ],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=60,
        check=True,
    )
    written = (tmp_path / "wire_test/other/part.pb.gd").read_text(encoding="utf-8")
    assert written == (GDSCRIPT_TESTS.folder / "wire_test/other/part.pb.gd").read_text(encoding="utf-8")


def test_python_modules_import_each_other_where_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "protos" / "moved" / "v1").mkdir(parents=True)
    for name, text in {
        "one.proto": "message One { string text = 1; }",
        "two.proto": 'import "moved/v1/one.proto"; message Two { One one = 1; } '
        "service S { rpc Go(One) returns (Two); }",
    }.items():
        (tmp_path / "protos" / "moved" / "v1" / name).write_text(f'syntax = "proto3"; package moved.v1; {text}')
    files = generate.python_files(["moved/v1/one.proto", "moved/v1/two.proto"], tmp_path / "protos", "house.pb")
    for name, text in files.items():
        path = tmp_path / "house" / "pb" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    two = importlib.import_module("house.pb.moved.v1.two_pb2")
    assert two.Two(one={"text": "a"}).one.text == "a"
    assert importlib.import_module("house.pb.moved.v1.two_pb2_grpc").SStub
    assert "house.pb.moved.v1 import one_pb2" in files["moved/v1/two_pb2.pyi"]
    assert not [name for name in files if "one_pb2_grpc" in name], "no gRPC module for a file without services"


def test_imports_of_other_modules_are_left_alone() -> None:
    text = (
        "from gcs.v1 import battle_pb2 as gcs_dot_v1_dot_battle__pb2\n"
        "from gcs.v1 import battle_pb20\n"
        "from google.protobuf import any_pb2\n"
        "import gcs.v1.battle_pb2\n"
        "x: gcs.v1.battle_pb2.Card\n"
        "'gcs/v1/battle.proto', 'gcs.v1.battle_pb2'\n"
    )
    assert generate.rewrite_imports(text, {"gcs.v1.battle_pb2"}, "bridge.pb") == (
        "from bridge.pb.gcs.v1 import battle_pb2 as gcs_dot_v1_dot_battle__pb2\n"
        "from gcs.v1 import battle_pb20\n"
        "from google.protobuf import any_pb2\n"
        "import bridge.pb.gcs.v1.battle_pb2\n"
        "x: bridge.pb.gcs.v1.battle_pb2.Card\n"
        "'gcs/v1/battle.proto', 'gcs.v1.battle_pb2'\n"
    )


def test_a_wrong_proto_file_is_reported_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "wrong.proto").write_text('syntax = "proto3";\nmessage A { Missing b = 1; }\n')
    with pytest.raises(GenerationError, match=r"wrong\.proto:2:13: \"Missing\" is not defined"):
        generate.gdscript_files(["wrong.proto"], tmp_path)
