"""The build backend: setuptools, plus what the compiled build needs when `GCS_COMPILE=1` asks for it.

mypyc checks the types of what it compiles, so the build environment then also holds what that imports. Hooks that run
before that environment is complete, or that need no compiler, see `setup.py` without the extensions.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403 - a backend offers all hooks of the one it wraps

Settings = dict[str, str | list[str] | None] | None

SWITCH = "GCS_COMPILE"
COMPILE_REQUIREMENTS = [
    "greenlet>=3.1",
    "grpcio-status>=1.85.1",
    "grpcio>=1.85.1",
    "msgspec>=0.19",
    "mypy>=2.4,<3",
    "protobuf>=7.35.1",
    "types-greenlet>=3.1",
    "types-grpcio>=1.0",
    "types-protobuf>=7.34",
]


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    """What building a wheel needs beside setuptools."""
    with _without_extensions():
        needed: list[str] = build_meta.get_requires_for_build_wheel(config_settings)
    return needed + _compile_requirements()


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    """What an editable install needs beside setuptools."""
    with _without_extensions():
        needed: list[str] = build_meta.get_requires_for_build_editable(config_settings)
    return needed + _compile_requirements()


def get_requires_for_build_sdist(config_settings: Settings = None) -> list[str]:
    """What packing the sources needs beside setuptools."""
    with _without_extensions():
        needed: list[str] = build_meta.get_requires_for_build_sdist(config_settings)
    return needed


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    """Pack the sources, which are the same for both forms."""
    with _without_extensions():
        name: str = build_meta.build_sdist(sdist_directory, config_settings)
    return name


def _compile_requirements() -> list[str]:
    return COMPILE_REQUIREMENTS if os.environ.get(SWITCH) == "1" else []


@contextmanager
def _without_extensions() -> Iterator[None]:
    before = os.environ.pop(SWITCH, None)
    try:
        yield
    finally:
        if before is not None:
            os.environ[SWITCH] = before
