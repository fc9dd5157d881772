"""A service as a typed client over `GrpcChannel`."""

from __future__ import annotations

from protoc_gdscript.model import Method, Service
from protoc_gdscript.writer import Writer

_FORMS = {
    (False, False): "One request, one response.",
    (False, True): "One request, a stream of responses.",
    (True, False): "A stream of requests ([method GrpcCall.send], [method GrpcCall.close_send]), one response.",
    (True, True): "A stream of requests ([method GrpcCall.send], [method GrpcCall.close_send]), a stream of responses.",
}


def emit_service(writer: Writer, service: Service) -> None:
    """Writes a service's public constant and its client class."""
    pause = "[br]" if service.comment else ""
    comment = (*service.comment, f"{pause}The client of the service [code]{service.full_name}[/code].")
    writer.documentation(comment)
    writer.line('@warning_ignore("shadowed_global_identifier")')
    writer.line(f"const {service.name} = {service.inner}")
    writer.gap(2)
    writer.documentation(comment)
    with writer.block(f"class {service.inner} extends RefCounted:"):
        writer.line("var _channel: GrpcChannel")
        writer.gap()
        writer.line("## Calls go over [param channel].")
        with writer.block("func _init(channel: GrpcChannel) -> void:"):
            writer.line("_channel = channel")
        for method in service.methods:
            writer.gap()
            _method(writer, method)


def _method(writer: Writer, method: Method) -> None:
    writer.documentation(method.comment)
    form = _FORMS[method.client_streams, method.server_streams]
    pause = "[br]" if method.comment else ""
    writer.line(f"## {pause}{form} Responses are of class [code]{method.response}[/code].")
    request = "" if method.client_streams else f"request: {method.request}, "
    start = f'_channel.start_call("{method.path}", {method.response}, options)'
    with writer.block(f"func {method.name}({request}options: GrpcCallOptions = null) -> GrpcCall:"):
        if method.client_streams:
            writer.line(f"return {start}")
            return
        writer.line(f"var started: GrpcCall = {start}")
        writer.line("started.send(request)")
        writer.line("started.close_send()")
        writer.line("return started")
