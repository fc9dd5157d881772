"""A message as a GDScript class: properties, presence, oneofs, and what its base class asks for."""

from __future__ import annotations

from protoc_gdscript.emit_decode import emit_decode
from protoc_gdscript.emit_encode import emit_encode
from protoc_gdscript.godot_names import FUNCTIONS
from protoc_gdscript.model import EnumType, Field, Kind, Message, Oneof, Presence
from protoc_gdscript.well_known import WELL_KNOWN_METHODS
from protoc_gdscript.writer import Writer


def emit_enum(writer: Writer, enum: EnumType) -> None:
    """Writes an enum with its values."""
    writer.documentation(enum.comment)
    with writer.block(f"enum {enum.name} {{"):
        for name, number, comment in enum.values:
            writer.documentation(comment)
            writer.line(f"{name} = {number},")
    writer.line("}")


def emit_alias(writer: Writer, message: Message) -> None:
    """Writes the public constant of a message. Unlike a class, it may share its name with a class of the game."""
    writer.documentation(message.comment)
    writer.line('@warning_ignore("shadowed_global_identifier")')
    writer.line(f"const {message.name} = {message.inner}")


def emit_class(writer: Writer, message: Message) -> None:
    """Writes a message's class, with what is nested in it."""
    writer.documentation(message.comment)
    with writer.block(f"class {message.inner} extends ProtoMessage:"):
        for nested in message.messages:
            emit_alias(writer, nested)
        for enum in message.enums:
            writer.gap()
            emit_enum(writer, enum)
        for oneof in message.oneofs:
            writer.gap()
            _case_enum(writer, message, oneof)
        _state(writer, message)
        for field in message.fields:
            _presence_methods(writer, field)
        for oneof in message.oneofs:
            _clear_oneof(writer, oneof)
        if message.full_name in WELL_KNOWN_METHODS:
            writer.gap()
            writer.lines(WELL_KNOWN_METHODS[message.full_name].splitlines())
        _overrides(writer, message)
        for nested in message.messages:
            writer.gap()
            emit_class(writer, nested)


def _case_enum(writer: Writer, message: Message, oneof: Oneof) -> None:
    writer.line(f"## Which field of the oneof [code]{oneof.name}[/code] is set.")
    with writer.block(f"enum {oneof.case_enum} {{"):
        writer.line("## None of them.")
        writer.line(f"{oneof.not_set} = 0,")
        for field in message.fields:
            if field.oneof is oneof:
                writer.line(f"## [member {field.member}].")
                writer.line(f"{field.case} = {field.number},")
    writer.line("}")


def _state(writer: Writer, message: Message) -> None:
    """Public properties first, then the private members behind them."""
    writer.gap()
    for field in message.fields:
        _property(writer, field)
    for oneof in message.oneofs:
        writer.documentation(oneof.comment)
        pause = "[br]" if oneof.comment else ""
        writer.line(f"## {pause}Which field of the oneof [code]{oneof.name}[/code] is set; assigning to one sets it.")
        with writer.block(f"var {oneof.case_member}: {oneof.case_type}:"), writer.block("get:"):
            writer.line(f"return {oneof.case_slot}")
    if message.fields:
        writer.gap()
        with writer.block("static var _FIELDS: Array[ProtoField] = ["):
            for field in message.fields:
                writer.line(f"ProtoField.new({_description(field)}),")
        writer.line("]")
    for oneof in message.oneofs:
        writer.line(f"var {oneof.slot}: Variant = null")
        writer.line(f"var {oneof.case_slot}: {oneof.case_type} = {oneof.case_type}.{oneof.not_set}")
    for field in message.fields:
        if field.flag:
            writer.line(f"var {field.flag}: bool")


def _property_type(field: Field) -> str:
    if field.key is not None:
        return f"Dictionary[{field.key.name}, {field.type.name}]"
    return f"Array[{field.type.name}]" if field.presence is Presence.REPEATED else field.type.name


def _property(writer: Writer, field: Field) -> None:
    writer.documentation(field.comment)
    if field.member in FUNCTIONS:
        writer.line('@warning_ignore("shadowed_global_identifier")')
    head = f"var {field.member}: {_property_type(field)}"
    if field.oneof is not None:
        with writer.block(f"{head}:"):
            _oneof_accessors(writer, field, field.oneof)
        return
    if field.type.kind is Kind.ENUM and field.presence in (Presence.IMPLICIT, Presence.EXPLICIT):
        head += f" = {field.type.default}"
    if field.presence is Presence.EXPLICIT:
        with writer.block(f"{head}:"), writer.block("set(_to):"):
            writer.line(f"{field.member} = _to")
            writer.line(f"{field.flag} = true")
        return
    writer.line(head)


def _oneof_accessors(writer: Writer, field: Field, oneof: Oneof) -> None:
    case = f"{oneof.case_type}.{field.case}"
    with writer.block("get:"):
        writer.line(f"return {oneof.slot} if {oneof.case_slot} == {case} else {field.type.default}")
    with writer.block("set(_to):"):
        if field.type.kind is Kind.MESSAGE:
            with writer.block("if _to == null:"):
                writer.line(f"{field.clear}()")
                writer.line("return")
        writer.line(f"{oneof.slot} = _to")
        writer.line(f"{oneof.case_slot} = {case}")


def _presence_methods(writer: Writer, field: Field) -> None:
    if not field.has:
        return
    writer.gap()
    writer.line(f"## Whether [member {field.member}] is set.")
    with writer.block(f"func {field.has}() -> bool:"):
        if field.oneof is not None:
            writer.line(f"return {field.oneof.case_slot} == {field.oneof.case_type}.{field.case}")
        else:
            writer.line(f"return {field.flag or f'{field.member} != null'}")
    writer.gap()
    writer.line(f"## Unsets [member {field.member}].")
    with writer.block(f"func {field.clear}() -> void:"):
        if field.oneof is not None:
            with writer.block(f"if {field.oneof.case_slot} == {field.oneof.case_type}.{field.case}:"):
                writer.line(f"{field.oneof.clear}()")
        else:
            _reset(writer, field)


def _clear_oneof(writer: Writer, oneof: Oneof) -> None:
    writer.gap()
    writer.line(f"## Unsets the field of the oneof [code]{oneof.name}[/code] that is set.")
    with writer.block(f"func {oneof.clear}() -> void:"):
        _reset_oneof(writer, oneof)


def _reset(writer: Writer, field: Field) -> None:
    empty = {Presence.REPEATED: "[]", Presence.MAP: "{}"}.get(field.presence, field.type.default)
    writer.line(f"{field.member} = {empty}")
    if field.flag:
        writer.line(f"{field.flag} = false")


def _reset_oneof(writer: Writer, oneof: Oneof) -> None:
    writer.line(f"{oneof.slot} = null")
    writer.line(f"{oneof.case_slot} = {oneof.case_type}.{oneof.not_set}")


def _overrides(writer: Writer, message: Message) -> None:
    writer.gap()
    with writer.block("func message_name() -> String:"):
        writer.line(f'return "{message.full_name}"')
    if not message.fields:
        return
    writer.gap()
    with writer.block("func message_fields() -> Array[ProtoField]:"):
        writer.line("return _FIELDS")
    writer.gap()
    with writer.block("func clear() -> void:"):
        writer.line("super()")
        for field in message.fields:
            if field.oneof is None:
                _reset(writer, field)
        for oneof in message.oneofs:
            _reset_oneof(writer, oneof)
    writer.gap()
    emit_encode(writer, message)
    writer.gap()
    emit_decode(writer, message)


def _description(field: Field) -> str:
    """The arguments of a field's `ProtoField`, without those at the end that are defaults."""
    arguments = [str(field.number), f'"{field.name}"', f'&"{field.member}"', f"ProtoField.Kind.{field.type.kind.value}"]
    presence = f"ProtoField.Presence.{field.presence.value}"
    teller = field.oneof.case_member if field.oneof is not None else field.flag
    values = field.type.name if field.type.kind is Kind.ENUM else "{}"
    if field.key is not None:
        arguments += [presence, '&""', values, f"ProtoField.Kind.{field.key.kind.value}"]
    elif field.type.kind is Kind.ENUM:
        arguments += [presence, f'&"{teller}"', values]
    elif teller:
        arguments += [presence, f'&"{teller}"']
    elif field.presence is not Presence.IMPLICIT:
        arguments.append(presence)
    return ", ".join(arguments)
