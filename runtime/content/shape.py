"""Checks plain JSON values against the asset classes and builds assets from them, reporting all that is wrong.

msgspec's own conversion stops at the first mistake, so its type information is walked here instead. Where
a value is wrong it is reported and a neutral one takes its place, so that everything else can still be
checked; `Report` keeps silent about what is neutral.
"""

from __future__ import annotations

import functools
import re
from typing import Any, TypeVar

from msgspec import Struct, inspect

from runtime.content.problems import Place, Report, listed, shown

S = TypeVar("S", bound=Struct)


def build(cls: type[S], value: object, place: Place, report: Report) -> S:
    """Builds an asset from a plain JSON value; neutral wherever the value was wrong.

    Args:
        cls: The asset's class.
        value: What `runtime.content.json_text` gave.
        place: Where the value stands.
        report: Collects what is wrong.
    """
    asset = _build(value, _type_of(cls), place, report)
    if not isinstance(asset, cls):
        raise TypeError(f"{cls.__name__} is no struct")
    return asset


def build_fields(cls: type[Struct], value: object, place: Place, report: Report) -> dict[str, Any]:
    """Checks an object that gives some of a class's fields; what it gives, by the fields' Python names."""
    kind = _type_of(cls)
    if not isinstance(kind, inspect.StructType):
        raise TypeError(f"{cls.__name__} is no struct")
    if isinstance(value, dict):
        return _given_fields(value, kind, place, report)
    report.malformed(place, "wrong type", expected=_description(kind), found=shown(value))
    return {}


@functools.cache
def field_names(cls: type[Struct]) -> tuple[str, ...]:
    """The JSON names of a class's fields."""
    return tuple(cls.__struct_encode_fields__)


@functools.cache
def _type_of(cls: type[Struct]) -> inspect.Type:
    return inspect.type_info(cls)


def _build(value: Any, kind: inspect.Type, place: Place, report: Report) -> Any:
    match kind:
        case inspect.Metadata():
            return _build(value, kind.type, place, report)
        case inspect.AnyType():
            return value
        case inspect.UnionType():
            member = _member(value, kind)
            if member is not None:
                return _build(value, member, place, report)
    if not _has_json_type(value, kind):
        report.malformed(place, "wrong type", expected=_description(kind), found=shown(value))
        return _neutral(kind)
    match kind:
        case inspect.StructType():
            return _build_struct(value, kind, place, report)
        case inspect.DictType():
            return {key: _build(item, kind.value_type, place.at(key), report) for key, item in value.items()}
        case inspect.ListType():
            if kind.min_length is not None and len(value) < kind.min_length:
                report.error(place, "too short", expected=_description(kind), found=shown(value))
            return [_build(item, kind.item_type, place.at(index), report) for index, item in enumerate(value)]
        case inspect.TupleType():
            if len(value) != len(kind.item_types):
                found = f"a list of {len(value)}"
                report.malformed(place, "wrong length", expected=_description(kind), found=found)
                return _neutral(kind)
            parts = enumerate(zip(value, kind.item_types, strict=True))
            return tuple(_build(item, item_kind, place.at(index), report) for index, (item, item_kind) in parts)
    return _build_scalar(value, kind, place, report)


def _build_struct(value: dict[str, Any], kind: inspect.StructType, place: Place, report: Report) -> Struct:
    fields = _given_fields(value, kind, place, report)
    for field in kind.fields:
        if field.required and field.name not in fields:
            name = field.encode_name
            report.malformed(place.at(name), f"missing field {shown(name)}", expected=_description(field.type))
            fields[field.name] = _neutral(field.type)
    made: Struct = kind.cls(**fields)
    return made


def _given_fields(value: dict[str, Any], kind: inspect.StructType, place: Place, report: Report) -> dict[str, Any]:
    names = field_names(kind.cls)
    for key in value:
        if key not in names:
            report.unknown(place.at(key), "field", key, names)
    return {
        field.name: _build(value[field.encode_name], field.type, place.at(field.encode_name), report)
        for field in kind.fields
        if field.encode_name in value
    }


def _build_scalar(value: Any, kind: inspect.Type, place: Place, report: Report) -> Any:
    wrong = ""
    hint = ""
    match kind:
        case inspect.IntType():
            if (kind.ge is not None and value < kind.ge) or (kind.le is not None and value > kind.le):
                wrong = "out of range"
        case inspect.StrType():
            if kind.pattern is not None and not re.fullmatch(kind.pattern, value):
                wrong = "malformed id"
        case inspect.LiteralType():
            if value not in kind.values:
                wrong = "unknown word"
                hint = report.nearest(value, [str(word) for word in kind.values])
        case inspect.FloatType():
            value = float(value)
    if wrong:
        report.malformed(place, wrong, expected=_description(kind), found=shown(value), hint=hint)
        return _neutral(kind)
    return value


def _member(value: object, union: inspect.UnionType) -> inspect.Type | None:
    """The member of a union that a value is meant to be: the one with its JSON type."""
    return next((member for member in union.types if _has_json_type(value, member)), None)


def _has_json_type(value: object, kind: inspect.Type) -> bool:
    match kind:
        case inspect.Metadata():
            return _has_json_type(value, kind.type)
        case inspect.AnyType():
            return True
        case inspect.StructType() | inspect.DictType():
            return isinstance(value, dict)
        case inspect.ListType() | inspect.TupleType():
            return isinstance(value, list)
        case inspect.StrType() | inspect.LiteralType():
            return isinstance(value, str)
        case inspect.BoolType():
            return isinstance(value, bool)
        case inspect.IntType():
            return isinstance(value, int) and not isinstance(value, bool)
        case inspect.FloatType():
            return isinstance(value, int | float) and not isinstance(value, bool)
        case inspect.NoneType():
            return value is None
    return False


def _description(kind: inspect.Type) -> str:
    match kind:
        case inspect.Metadata():
            described = (kind.extra_json_schema or {}).get("description")
            return f"{_description(kind.type)} ({described})" if described else _description(kind.type)
        case inspect.UnionType():
            return " or ".join(_description(member) for member in kind.types)
        case inspect.StructType() | inspect.DictType():
            return "an object"
        case inspect.ListType():
            return f"a list of at least {kind.min_length}" if kind.min_length else "a list"
        case inspect.TupleType():
            return f"a list of {len(kind.item_types)}: " + ", ".join(_description(item) for item in kind.item_types)
        case inspect.LiteralType():
            return listed([str(word) for word in kind.values])
        case inspect.StrType():
            return f"a text like {kind.pattern}" if kind.pattern else "a text"
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType():
            return "an integer" if kind.ge is None else f"an integer from {kind.ge} to {kind.le}"
        case inspect.FloatType():
            return "a number"
        case inspect.NoneType():
            return "null"
    return "any value"


def _neutral(kind: inspect.Type) -> Any:
    match kind:
        case inspect.Metadata():
            return _neutral(kind.type)
        case inspect.UnionType():
            return _neutral(kind.types[0])
        case inspect.StructType():
            missing = {field.name: _neutral(field.type) for field in kind.fields if field.required}
            return kind.cls(**missing)
        case inspect.DictType():
            return {}
        case inspect.ListType():
            return []
        case inspect.TupleType():
            return tuple(_neutral(item) for item in kind.item_types)
        case inspect.LiteralType():
            return kind.values[0]
        case inspect.StrType():
            return ""
        case inspect.BoolType():
            return False
        case inspect.IntType():
            return kind.ge or 0
        case inspect.FloatType():
            return 0.0
    return None
