"""Random numbers that are the same on every platform and Python version (R8.1).

Each stream is one 64-bit integer. The generator is Knuth's MMIX linear congruential generator,
``state = state * 6364136223846793005 + 1442695040888963407 mod 2**64``, of which the upper 32 bits are
used; a number below n is ``(upper * n) >> 32``. Streams of one battle start from the seed by SplitMix64,
so that they do not run in step.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import Final

MASK: Final = 0xFFFFFFFFFFFFFFFF
# Seeds go from 0 to here. One that is drawn is less than the other: every JSON parser and every engine holds it.
MOST_SEED: Final = MASK
DRAWN_SEEDS: Final = 1 << 53
MULTIPLIER: Final = 6364136223846793005
INCREMENT: Final = 1442695040888963407
GOLDEN_GAMMA: Final = 0x9E3779B97F4A7C15

SHUFFLE: Final = 0
INTENTS: Final = 1
EFFECTS: Final = 2
REWARDS: Final = 3
STREAMS: Final = 4


def seed_stream(seed: int, stream: int) -> int:
    """The first state of a stream: output number ``stream + 1`` of SplitMix64 started at the seed."""
    z = (seed + (stream + 1) * GOLDEN_GAMMA) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


class RandomStream:
    """One stream of random numbers.

    Attributes:
        state: All there is to save: an integer from 0 to 2**64 - 1.
    """

    __slots__ = ("state",)

    def __init__(self, state: int) -> None:
        self.state = state

    def below(self, count: int) -> int:
        """A number from 0 to count - 1; 0 when count is 1, without drawing."""
        if count <= 1:
            return 0
        state = (self.state * MULTIPLIER + INCREMENT) & MASK
        self.state = state
        return ((state >> 32) * count) >> 32

    def between(self, low: int, high: int) -> int:
        """A number from low to high, both included; low when high is below it."""
        if high <= low:
            return low
        return low + self.below(high - low + 1)

    def weighted(self, weights: list[int]) -> int:
        """An index drawn by weight; -1 when there is no weight at all."""
        return self.weighted_of(list(accumulate(weights))) if weights else -1

    def weighted_of(self, sums: list[int]) -> int:
        """An index drawn by weight; -1 when there is no weight at all.

        Args:
            sums: For each index, the sum of the weights up to it, its own included.
        """
        total = sums[-1]
        if total > 1:
            # `below`, written out: every plan of an enemy comes by here.
            state = (self.state * MULTIPLIER + INCREMENT) & MASK
            self.state = state
            return bisect_right(sums, ((state >> 32) * total) >> 32)
        return bisect_right(sums, 0) if total else -1

    def shuffle(self, items: list[int]) -> None:
        """Shuffles a list in place (Fisher-Yates from its end)."""
        state = self.state
        for last in range(len(items) - 1, 0, -1):
            state = (state * MULTIPLIER + INCREMENT) & MASK
            other = ((state >> 32) * (last + 1)) >> 32
            items[last], items[other] = items[other], items[last]
        self.state = state
