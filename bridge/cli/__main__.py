"""``python -m bridge.cli`` is ``gcs``."""

from bridge.cli import main

main()
