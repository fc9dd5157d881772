"""``python -m tools.attacks [NAME …]``: attacks servers of its own, and prints what a bystander notices."""

from __future__ import annotations

import argparse
import statistics

from tools.attacks.bystander import Measured, measure, percentile
from tools.attacks.catalogue import ATTACKS

_MS = 1_000


def main() -> None:
    """Measures the named attacks, or all of them."""
    parser = argparse.ArgumentParser(prog="python -m tools.attacks", description=main.__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(ATTACKS)}; none: all")
    parser.add_argument("--size", type=int, help="how large each attack is; by default its own long form")
    parser.add_argument("--rounds", type=int, default=5, help="quiet time and attack take turns so often")
    parser.add_argument("--calls", type=int, default=500, help="calls of the bystander in each half of a round")
    parser.add_argument("--settle", type=float, default=12.0, help="seconds until the memory is looked at afterwards")
    given = parser.parse_args()
    unknown = sorted(set(given.names) - set(ATTACKS))
    if unknown:
        parser.error(f"no attack {', '.join(unknown)}; expected some of {', '.join(ATTACKS)}")
    print(
        "attack               quiet p50/p99 ms   attacked p50/p99 ms   p99 ratio   memory MB before/most/after   failed"
    )
    for name in given.names or ATTACKS:
        found = measure(name, given.size or ATTACKS[name].long, given.rounds, given.calls, given.settle)
        print(_line(name, found), flush=True)


def _line(name: str, found: Measured) -> str:
    quiet = [statistics.median(percentile(one, percent) for one in found.quiet) * _MS for percent in (50, 99)]
    attacked = [statistics.median(percentile(one, percent) for one in found.attacked) * _MS for percent in (50, 99)]
    counts = ", ".join(f"{what} {number}" for what, number in sorted(found.counts.items()))
    memory = " / ".join(str(size) for size in found.memory)
    return (
        f"{name:20} {quiet[0]:7.2f} /{quiet[1]:7.2f}   {attacked[0]:9.2f} /{attacked[1]:8.2f}"
        f"   {found.p99_ratio():9.1f}   {memory:>28}   {dict(found.failed) or 0}\n    {counts}"
    )


if __name__ == "__main__":
    main()
