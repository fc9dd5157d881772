"""Real Godot for the codec: many messages through one process."""

from __future__ import annotations

import struct
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.godot.gdscript import engine_errors, import_project
from tests.protoc_gdscript.messages import TYPES

LIMIT = 240.0
"""Seconds that one run may take."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What Godot made of one message.

    Attributes:
        accepted: Whether it was parsed.
        data: The message written again; of a refused one the reason.
        text: Its text form.
    """

    accepted: bool
    data: bytes
    text: str


Roundtrip = Callable[[Sequence[tuple[str, bytes]]], list[Answer]]


@pytest.fixture(scope="session")
def godot_project(godot: Path, pytestconfig: pytest.Config) -> Path:
    """The Godot project under test, imported."""
    project: Path = pytestconfig.getoption("--godot-project")
    import_project(godot, project)
    return project


@pytest.fixture
def roundtrip(godot: Path, godot_project: Path, tmp_path: Path) -> Roundtrip:
    """Sends messages, each with its type's name, through `vectors.gd`."""

    def run(messages: Sequence[tuple[str, bytes]]) -> list[Answer]:
        source, answers = tmp_path / "messages.bin", tmp_path / "answers.bin"
        source.write_bytes(b"".join(struct.pack("<BI", TYPES.index(name), len(data)) + data for name, data in messages))
        done = subprocess.run(
            [
                *(str(godot), "--headless", "--path", str(godot_project)),
                *("--script", "res://tests/protobuf/vectors.gd", "--", str(source), str(answers)),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            encoding="utf-8",
            errors="replace",
            timeout=LIMIT,
            check=False,
        )
        assert engine_errors(done.stdout.splitlines(), []) == []
        assert done.returncode == 0, done.stdout
        assert f"{len(messages)} messages, 0 of them differ" in done.stdout
        return _read(answers.read_bytes())

    return run


def _read(raw: bytes) -> list[Answer]:
    answers = []
    position = 0
    while position < len(raw):
        flag, length = struct.unpack_from("<BI", raw, position)
        position += 5
        data = raw[position : position + length]
        position += length
        (length,) = struct.unpack_from("<I", raw, position)
        position += 4
        answers.append(Answer(bool(flag), data, raw[position : position + length].decode()))
        position += length
    return answers
