"""How a failed scenario is told, as plain text."""

from __future__ import annotations

from bridge.scenario.runner import Failure


def report_lines(failure: Failure) -> list[str]:
    """A failure: file, step, expected, actual, and the Entries around it, the wrong one marked."""
    lines = [f"{failure.path.as_posix()}: {failure.step}"]
    if failure.note:
        lines.append(f"  note      {failure.note}")
    lines += [f"  expected  {failure.expected}", f"  actual    {failure.actual}"]
    if failure.entries or failure.marked >= 0:
        lines.append("  entries around it")
        lines += [f"  {'>' if index == failure.marked else ' '}   {line}" for index, line in enumerate(failure.entries)]
        if failure.marked == len(failure.entries):
            lines.append("  >   (no further Entry)")
    else:
        lines.append("  no Entry was dispatched")
    return lines
