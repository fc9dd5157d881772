"""`protoc-gen-gdscript`: a `CodeGeneratorRequest` on stdin, the response on stdout, as protoc wants it."""

from __future__ import annotations

import sys

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest

from protoc_gdscript.plugin import generate


def main() -> None:
    """Answers one request of protoc."""
    request = CodeGeneratorRequest.FromString(sys.stdin.buffer.read())
    sys.stdout.buffer.write(generate(request).SerializeToString())


if __name__ == "__main__":
    main()
