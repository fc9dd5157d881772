"""Measuring variants against each other: short rounds, interleaved, judged by ratio.

Machines are noisy. CPU time is taken instead of wall time, every variant runs once in each round, and
best and median of many rounds are reported beside a calibration loop.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from statistics import median
from time import process_time_ns


@dataclass
class Measured:
    """The rounds of one variant.

    Attributes:
        rates: Units of work a second, one figure for each round.
    """

    rates: list[float] = field(default_factory=list)

    @property
    def best(self) -> float:
        """The best round."""
        return max(self.rates)

    @property
    def middle(self) -> float:
        """The median round."""
        return median(self.rates)


def interleave(variants: Mapping[str, Callable[[], int]], rounds: int) -> dict[str, Measured]:
    """Runs all variants in turn, `rounds` times, after one round to warm up.

    Args:
        variants: By name, a function that does some work and returns how many units it was.
        rounds: How many rounds.
    """
    results = {name: Measured() for name in variants}
    for number in range(rounds + 1):
        for name, work in variants.items():
            start = process_time_ns()
            units = work()
            spent = process_time_ns() - start
            if number:
                results[name].rates.append(units * 1e9 / max(spent, 1))
    return results


def calibration() -> int:
    """A fixed loop that tells how fast the machine is at this moment."""
    total = 0
    for number in range(50_000):
        total += number % 7
    return 1 if total else 0
