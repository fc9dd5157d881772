"""The command ``gcs``: serve battles, play them, check packs, run scenario files.

Exit codes: 0 all well, 1 problems found, 2 wrong usage.
"""

import os

# gRPC reads it when it is imported. By default a client writes a line of gRPC's own to stderr for each failed
# handshake, before the command says in words what was wrong.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")

from bridge.cli.app import app, main

__all__ = ["app", "main"]
