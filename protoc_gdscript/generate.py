"""Regenerates all wire code of this project from `proto/gcs/v1/*.proto`: `python -m protoc_gdscript.generate`.

- Python into `bridge/pb`: messages, gRPC stubs, and types for both (mypy-protobuf). protoc writes imports as if
  `proto/` were on the import path (`from gcs.v1 import battle_pb2`); they are rewritten to where the modules are
  (`from bridge.pb.gcs.v1 import battle_pb2`), so that no path has to be set up and no name can clash.
- GDScript into `godot_project/addons/gcs/pb`, with the google files that are used beside ours (errors with details).
- GDScript of the codec's own tests into `godot_project/tests/protobuf/pb`.

What is no longer generated is deleted. With `--check` nothing is written; exit code 1 and a list say what is not
current.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module, resources
from pathlib import Path

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from protoc_gdscript.plugin import generate

ROOT = Path(__file__).resolve().parents[1]
PROTO = ROOT / "proto"
TEST_PROTO = ROOT / "tests" / "protoc_gdscript" / "protos"

# Google's files that Godot needs beside our own: what a gRPC error carries in `grpc-status-details-bin`.
GOOGLE_FILES = ("google/rpc/error_details.proto", "google/rpc/status.proto")

_PACKAGE_DOCUMENTATION = '"""Generated from proto/ by `make proto`: change the .proto files, not this."""\n'


class GenerationError(Exception):
    """protoc or a plugin failed or is missing; the message is what it printed, or what to install."""


@dataclass(frozen=True, slots=True)
class Target:
    """A folder of generated code.

    Attributes:
        folder: Where it is in the project.
        patterns: What generated files in it are named. Others, such as Godot's `.uid` files, are left alone.
    """

    folder: Path
    patterns: tuple[str, ...]


PYTHON = Target(ROOT / "bridge" / "pb", ("*.py", "*.pyi"))
GDSCRIPT = Target(ROOT / "godot_project" / "addons" / "gcs" / "pb", ("*.gd",))
GDSCRIPT_TESTS = Target(ROOT / "godot_project" / "tests" / "protobuf" / "pb", ("*.gd",))


def main(arguments: Sequence[str] | None = None) -> int:
    """Generates, or checks with `--check`. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m protoc_gdscript.generate", description="Generates all wire code.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail when generated code is not current")
    check = parser.parse_args(arguments).check
    try:
        generated = generate_all()
    except GenerationError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    stale = [line for target, files in generated.items() for line in differences(target, files)]
    if not check:
        for target, files in generated.items():
            write(target, files)
    sys.stdout.writelines(f"{line}\n" for line in stale)
    if check and stale:
        sys.stderr.write("generated code is not current: run `make proto`\n")
        return 1
    return 0


def generate_all() -> dict[Target, dict[str, str]]:
    """Generates everything.

    Returns:
        For each target the text of each file by its path within the target's folder.

    Raises:
        GenerationError: A `.proto` file is wrong, or a plugin is missing.
    """
    names = proto_names(PROTO)
    gdscript = gdscript_files([*names, *GOOGLE_FILES], PROTO)
    tests = gdscript_files(proto_names(TEST_PROTO), TEST_PROTO)
    return {
        PYTHON: python_files(names, PROTO),
        GDSCRIPT: gdscript,
        GDSCRIPT_TESTS: {name: text for name, text in tests.items() if name not in gdscript},
    }


def proto_names(root: Path) -> list[str]:
    """All `.proto` files below a folder, as they import each other."""
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*.proto"))


def python_files(names: Sequence[str], root: Path, package: str = "bridge.pb") -> dict[str, str]:
    """Generates Python modules and their types.

    Args:
        names: The `.proto` files, relative to `root`.
        root: The folder that their imports start from.
        package: The package that the modules will lie in.

    Returns:
        The text of each file by its path within the package.

    Raises:
        GenerationError: A `.proto` file is wrong, or a plugin is missing.
    """
    with tempfile.TemporaryDirectory() as folder:
        _protoc(
            root,
            [
                f"--plugin=protoc-gen-mypy={_plugin('protoc-gen-mypy')}",
                f"--plugin=protoc-gen-mypy_grpc={_plugin('protoc-gen-mypy_grpc')}",
                *(f"--{kind}_out={folder}" for kind in ("python", "grpc_python", "mypy", "mypy_grpc")),
                *names,
            ],
        )
        files = {
            path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
            for path in sorted(Path(folder).rglob("*.py*"))
        }
    modules = {name.removesuffix(".proto").replace("/", ".") + "_pb2" for name in names}
    # For a file without services there is nothing but a version check in the gRPC module.
    empty = {name for name, text in files.items() if name.endswith("_pb2_grpc.py") and "\nclass " not in text}
    files = {name: text for name, text in files.items() if name not in empty and name.removesuffix("i") not in empty}
    rewritten = {name: rewrite_imports(text, modules, package) for name, text in files.items()}
    packages = {parent.as_posix() for name in files for parent in Path(name).parents}
    for parent in packages:
        rewritten[(Path(parent) / "__init__.py").as_posix()] = _PACKAGE_DOCUMENTATION
    return rewritten


def rewrite_imports(text: str, modules: set[str], package: str) -> str:
    """Moves the imports of generated modules into `package`.

    Args:
        text: A module or a stub that protoc wrote.
        modules: The generated modules as protoc imports them, such as `gcs.v1.battle_pb2`.
        package: Where they are, such as `bridge.pb`.

    Returns:
        The text with `from gcs.v1 import battle_pb2` and `import gcs.v1.battle_pb2` rewritten, and every use of the
        latter. Imports of other modules stay.
    """
    for module in modules:
        parent, _, name = module.rpartition(".")
        text = re.sub(rf"(?m)^from {re.escape(parent)} import {name}\b", f"from {package}.{parent} import {name}", text)
        text = re.sub(rf"(?<![\w./\"']){re.escape(module)}\b(?!\.proto)", f"{package}.{module}", text)
    return text


def gdscript_files(names: Sequence[str], root: Path) -> dict[str, str]:
    """Generates GDScript for files and for all that they import.

    Args:
        names: The `.proto` files, relative to `root` or to google's own folder.
        root: The folder that their imports start from.

    Returns:
        The text of each file by its path below the output folder.

    Raises:
        GenerationError: A `.proto` file is wrong or not supported.
    """
    descriptors = descriptor_set(names, root)
    response = generate(
        CodeGeneratorRequest(file_to_generate=[file.name for file in descriptors.file], proto_file=descriptors.file)
    )
    if response.error:
        raise GenerationError(response.error)
    return {file.name: file.content for file in response.file}


def descriptor_set(names: Sequence[str], root: Path) -> FileDescriptorSet:
    """Parses files and all that they import, imports first, comments included.

    Raises:
        GenerationError: A `.proto` file is wrong.
    """
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "descriptors.pb"
        _protoc(root, [f"--descriptor_set_out={out}", "--include_imports", "--include_source_info", *names])
        return FileDescriptorSet.FromString(out.read_bytes())


def differences(target: Target, files: dict[str, str]) -> list[str]:
    """What in a target's folder is missing, out of date, or no longer generated: one line each."""
    found = _present(target)
    lines = []
    for name in sorted(files.keys() | found.keys()):
        path = (target.folder / name).relative_to(ROOT).as_posix()
        if name not in found:
            lines.append(f"{path} is missing")
        elif name not in files:
            lines.append(f"{path} is no longer generated")
        elif found[name] != files[name]:
            lines.append(f"{path} has changed")
    return lines


def write(target: Target, files: dict[str, str]) -> None:
    """Makes a target's folder hold exactly these files; unchanged ones are not touched."""
    found = _present(target)
    for name in found.keys() - files.keys():
        path = target.folder / name
        path.unlink()
        path.with_name(path.name + ".uid").unlink(missing_ok=True)
    for name, text in files.items():
        if found.get(name) != text:
            path = target.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")


def _present(target: Target) -> dict[str, str]:
    return {
        path.relative_to(target.folder).as_posix(): path.read_text(encoding="utf-8")
        for pattern in target.patterns
        for path in target.folder.rglob(pattern)
    }


def _plugin(name: str) -> Path:
    """A console script of this interpreter's environment, or else on PATH."""
    beside = shutil.which(name, path=sysconfig.get_path("scripts"))
    found = beside or shutil.which(name)
    if found is None:
        raise GenerationError(f"{name} is missing: pip install mypy-protobuf")
    return Path(found)


def _protoc(root: Path, arguments: Sequence[str]) -> None:
    """Runs the protoc of grpcio-tools, with google's own files to import."""
    includes = (root, resources.files("grpc_tools") / "_proto", _google_rpc_root())
    command = [sys.executable, "-m", "grpc_tools.protoc", *(f"--proto_path={path}" for path in includes), *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise GenerationError(result.stderr.strip() or f"protoc ended with {result.returncode}")


def _google_rpc_root() -> Path:
    """The folder that holds google/rpc/*.proto, as googleapis-common-protos installs them."""
    try:
        folders = import_module("google.rpc").__path__
    except ModuleNotFoundError:
        folders = []
    for folder in folders:
        if (Path(folder) / "status.proto").is_file():
            return Path(folder).parents[1]
    raise GenerationError("google/rpc/status.proto is missing: pip install googleapis-common-protos")


if __name__ == "__main__":
    sys.exit(main())
