"""The ids of all rules: 33 Entries, five timelines, and the numbered rules of each section."""

from __future__ import annotations

_SECTIONS = {1: 3, 2: 11, 3: 9, 4: 11, 5: 13, 6: 8, 7: 2, 8: 2}

RULES: list[str] = [
    *(f"E{number}" for number in range(1, 34)),
    *(f"T{number}" for number in range(1, 6)),
    *(f"R{section}.{number}" for section, count in _SECTIONS.items() for number in range(1, count + 1)),
]
