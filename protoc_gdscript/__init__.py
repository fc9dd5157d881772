"""`protoc-gen-gdscript`: protobuf and gRPC for Godot 4, as typed GDScript generated from descriptors.

- `plugin.generate(request)` answers a `CodeGeneratorRequest`, as protoc sends one to a plugin;
- `python -m protoc_gdscript` (console script `protoc-gen-gdscript`) is that plugin on stdin and stdout;
- `python -m protoc_gdscript.generate` regenerates all wire code of this project, Python and GDScript, and with
  `--check` says whether what is checked in is current.

Inside, `descriptors` reads what protoc sends into the plain data of `model`, with every name decided by the rules in
`names`, and the `emit_*` modules turn that data into text. The code that they write runs on `addons/gcs/grpc/protobuf`.
The manual is docs/protobuf-for-gdscript.md.
"""

from __future__ import annotations
