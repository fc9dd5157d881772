"""A failed scenario as plain text."""

from __future__ import annotations

from collections.abc import Iterator

from bridge.scenario.runner import Failure, Mismatch


def report_lines(failure: Failure) -> list[str]:
    """A failure: file, step, all that is not as expected, and the Entries around it, the wrong ones marked."""
    lines = [f"{failure.path.as_posix()}: {failure.step}"]
    if failure.note:
        lines.append(f"  note      {failure.note}")
    for mismatch in failure.mismatches:
        lines += [f"  expected  {mismatch.expected}", f"  actual    {mismatch.actual}"]
    # Those without a mark all show the last Entries.
    marked = [mismatch for mismatch in failure.mismatches if mismatch.marked >= 0]
    for mismatch in marked or failure.mismatches[:1]:
        lines += _entries(mismatch, mismatch.expected if len(marked) > 1 else "")
    return lines


def _entries(mismatch: Mismatch, title: str) -> Iterator[str]:
    if not mismatch.entries and mismatch.marked < 0:
        yield "  no Entry was dispatched"
        return
    yield "  entries around it" if not title else f"  entries around {title}"
    for index, line in enumerate(mismatch.entries):
        yield f"  {'>' if index == mismatch.marked else ' '}   {line}"
    if mismatch.marked == len(mismatch.entries):
        yield "  >   (no further Entry)"
