"""``python -m benchmarks``: the reference battle beside a bare loop, as a table."""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable

from rich.console import Console
from rich.table import Table

from benchmarks import bare_loop, reference
from benchmarks.measure import Measured, calibration, interleave
from runtime.battle.encounters import Encounter
from runtime.graph.definitions import Content

BATTLES_A_ROUND = 20


def bare_battles() -> int:
    draw_number = random.Random(1).random
    for seed in range(BATTLES_A_ROUND):
        bare_loop.play(seed, draw_number)
    return BATTLES_A_ROUND


def battles(content: Content, encounter: Encounter, logging: bool) -> Callable[[], int]:
    def work() -> int:
        draw_number = random.Random(1).random
        for seed in range(BATTLES_A_ROUND):
            reference.play(content, encounter, seed, draw_number, logging)
        return BATTLES_A_ROUND

    return work


def actions_a_battle() -> float:
    draw_number = random.Random(1).random
    return sum(bare_loop.play(seed, draw_number)[1] for seed in range(BATTLES_A_ROUND)) / BATTLES_A_ROUND


def is_compiled() -> bool:
    from runtime.battle import dispatch

    return not (dispatch.__file__ or "").endswith(".py")


def print_table(results: dict[str, Measured], actions: float) -> None:
    console = Console(width=110)
    build = "compiled with mypyc" if is_compiled() else "plain CPython"
    table = Table(title=f"Reference battle, {build}, one core, {actions:.1f} actions a battle")
    for column in ("variant", "battles/s best", "median", "actions/s best", "to bare loop", "to log off"):
        table.add_column(column, justify="left" if column == "variant" else "right")
    bare = results["bare loop"].best
    off = results["log off"].best
    for name, measured in results.items():
        if name == "calibration":
            continue
        table.add_row(
            name,
            f"{measured.best:,.0f}",
            f"{measured.middle:,.0f}",
            f"{measured.best * actions:,.0f}",
            f"{measured.best / bare:.2f}",
            f"{measured.best / off:.2f}" if name != "bare loop" else "",
        )
    console.print(table)
    loop = results["calibration"]
    console.print(f"calibration loop: {1e3 / loop.best:.2f} ms best, {1e3 / loop.middle:.2f} ms median")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=60, help="interleaved rounds of 20 battles each")
    arguments = parser.parse_args()
    content, encounter = reference.load_reference()
    idle_content, idle_encounter = reference.load_with_idle_statuses()
    variants = {
        "calibration": calibration,
        "bare loop": bare_battles,
        "log off": battles(content, encounter, False),
        "log on": battles(content, encounter, True),
        "log off, 30 idle": battles(idle_content, idle_encounter, False),
    }
    print_table(interleave(variants, arguments.rounds), actions_a_battle())


if __name__ == "__main__":
    main()
