"""How proto names become GDScript names.

A name stays what it is in the `.proto` file unless GDScript refuses it there; then it gets one trailing `_`, and
another for as long as the result is taken. GDScript refuses keywords, built-in types, engine classes, and members that
a message inherits from `ProtoMessage`, `RefCounted` and `Object`. A leading `_` is escaped, too: such names belong to
the runtime.

What the engine reserves stands in `godot_names`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from protoc_gdscript.godot_names import CLASSES, KEYWORDS, OBJECT_MEMBERS

# Members of ProtoMessage in addons/gcs/grpc/protobuf/proto_message.gd, and one of each generated class.
MESSAGE_MEMBERS = frozenset({
    "MAX_DEPTH", "clear", "clone", "equals", "merge", "merge_bytes", "message_fields", "message_name", "parse",
    "parse_error", "to_bytes", "to_text", "unknown_fields",
    "_FIELDS", "_PADDING", "_decode", "_encode", "_fail", "_fail_inside", "_keep", "_to_string",
})  # fmt: skip

# Parameters and locals of generated methods: a member of the same name would be shadowed.
MESSAGE_LOCALS = frozenset({
    "_byte", "_data", "_depth", "_end", "_entry", "_item", "_key", "_out", "_pos", "_shift", "_start", "_stop", "_tag",
    "_to", "_value",
})  # fmt: skip
CLIENT_LOCALS = frozenset({"channel", "options", "request", "started"})

# Classes of the runtime and of the gRPC client that generated code names.
RUNTIME_CLASSES = frozenset({
    "GrpcCall", "GrpcCallOptions", "GrpcChannel", "ProtoField", "ProtoMessage", "ProtoReflection", "ProtoText",
    "ProtoWire",
})  # fmt: skip

_SEPARATORS = re.compile(r"[^A-Za-z0-9]+")
_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def pascal(text: str) -> str:
    """`gcs.v1` → `GcsV1`, `ges_events` → `GesEvents`; capitals inside a word stay."""
    return "".join(part[0].upper() + part[1:] for part in _SEPARATORS.split(text) if part)


def snake(text: str) -> str:
    """`GetServerInfo` → `get_server_info`, `HTTPGet` → `http_get`."""
    return "_".join(_WORD_START.split(text)).lower()


def file_class(package: str, path: str) -> str:
    """The global class of a file: package and file name, as `GcsV1Battle` for gcs/v1/battle.proto in package gcs.v1."""
    stem = path.rsplit("/", 1)[-1].removesuffix(".proto")
    name = pascal(package) + pascal(stem)
    if not name or name[0].isdigit():
        name = "Proto" + name
    return name + "_" if is_reserved(name) else name


def output_path(path: str) -> str:
    """Where a file's code goes: `gcs/v1/battle.proto` → `gcs/v1/battle.pb.gd`."""
    return path.removesuffix(".proto") + ".pb.gd"


def enum_value(name: str) -> str:
    """An enum's value; only keywords are refused there."""
    return f"{name}_" if name in KEYWORDS else name


def is_reserved(name: str) -> bool:
    """Whether GDScript refuses the name anywhere: keyword, built-in type, engine class, or a class of the runtime."""
    return name in KEYWORDS or name in RUNTIME_CLASSES or name in CLASSES


class Scope:
    """The member names of one class, each handed out once and escaped where needed."""

    def __init__(self, reserved: Iterable[str] = ()) -> None:
        """Starts a scope in which `reserved` and the members of Object are taken."""
        self._taken = {*reserved, *OBJECT_MEMBERS}

    def claim(self, name: str) -> str:
        """Takes a public name.

        Args:
            name: The name as in the `.proto` file or built from it.

        Returns:
            The name, with as many trailing `_` as it takes to be free.
        """
        if name.startswith("_") or is_reserved(name):
            name += "_"
        return self.claim_private(name)

    def claim_private(self, name: str) -> str:
        """Takes a name of the runtime's own, such as `_has_turn`."""
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name
