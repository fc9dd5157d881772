"""Have everything of Godot that the tests need, before they ask for it one by one: `python -m tools.fetch`.

The engine, the template of exported games and the virtual screen, all at once: what takes its time is waiting for the
mirror. What is there already is left alone. What cannot be had is told here, and fails the tests that need it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from tools import export
from tools.display import DisplayError, find_xvfb
from tools.godot import GodotMissingError, find


def engine_and_template() -> None:
    """Godot, and what it makes games of."""
    with export.data_folder(find()):
        pass


def fetch() -> list[str]:
    """Fetches what is missing. Returns a line for each thing that could not be had."""
    steps: list[Callable[[], object]] = [engine_and_template]
    if sys.platform.startswith("linux"):
        steps.append(find_xvfb)
    failures = []
    with ThreadPoolExecutor(len(steps)) as pool:
        for step in [pool.submit(step) for step in steps]:
            try:
                step.result()
            except (GodotMissingError, DisplayError, export.ExportError) as error:
                failures.append(str(error))
    return failures


def main() -> int:
    """Fetches what is missing; exit code 1 when something could not be had."""
    failures = fetch()
    for failure in failures:
        print(f"fetch: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
