"""The command ``gcs``: serve battles, play them, check packs, run scenario files.

Exit codes: 0 all well, 1 problems found, 2 wrong usage.
"""

from bridge.cli.app import app, main

__all__ = ["app", "main"]
