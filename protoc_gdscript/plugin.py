"""The plugin as a function: what protoc asks, and what it gets."""

from __future__ import annotations

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest, CodeGeneratorResponse

from protoc_gdscript.descriptors import UnsupportedProtoError, read
from protoc_gdscript.emit_file import emit_file


def generate(request: CodeGeneratorRequest) -> CodeGeneratorResponse:
    """Generates GDScript for the files that a request asks for.

    Args:
        request: What protoc sends to a plugin.

    Returns:
        The files, or `error` set to what is wrong with the `.proto` files or the parameters, which protoc shows.
    """
    response = CodeGeneratorResponse(supported_features=CodeGeneratorResponse.FEATURE_PROTO3_OPTIONAL)
    if request.parameter:
        response.error = f"protoc-gen-gdscript takes no parameters, but was given {request.parameter!r}"
        return response
    try:
        files = [(file.output, emit_file(file)) for file in read(request)]
    except UnsupportedProtoError as error:
        response.error = str(error)
        return response
    for name, content in files:
        response.file.add(name=name, content=content)
    return response
