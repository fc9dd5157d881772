"""The reference battle in the runtime, played as `benchmarks.bare_loop` plays it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from runtime.battle import act, legal_actions, start_battle
from runtime.battle.encounters import Encounter
from runtime.battle.state import RUNNING, WON
from runtime.content.assets import StatusAsset
from runtime.graph.compile import compile_pack
from runtime.graph.definitions import Content
from runtime.loading import encounter_of, load_content
from runtime.nodes import library
from runtime.packs import load_pack

PACK = Path(__file__).resolve().parents[1] / "packs" / "reference"
IDLE_STATUSES = 30


def load_reference() -> tuple[Content, Encounter]:
    """The reference pack and its encounter."""
    content = load_content(PACK)
    return content, encounter_of(content, "reference")


def load_with_idle_statuses() -> tuple[Content, Encounter]:
    """The same battle with 30 statuses on the player that listen to nothing that happens in it."""
    pack = load_pack(PACK)
    idle = {f"idle_{number}": StatusAsset(id=f"idle_{number}") for number in range(IDLE_STATUSES)}
    pack.statuses.update(idle)
    content = compile_pack(pack, library())
    return content, encounter_of(content, "reference", {"statuses": dict.fromkeys(idle, 1)})


def play(
    content: Content, encounter: Encounter, seed: int, draw_number: Callable[[], float], logging: bool
) -> tuple[bool, int]:
    """Plays one battle with uniformly random legal actions.

    Args:
        content: The reference pack.
        encounter: Its encounter.
        seed: The battle's seed.
        draw_number: Gives numbers from 0 up to 1 for the choice of actions.
        logging: Whether events are logged.

    Returns:
        Whether the player won, and how many actions it took.
    """
    battle = start_battle(content, encounter, seed=seed, logging=logging)
    actions = 0
    while battle.outcome == RUNNING:
        legal = legal_actions(battle)
        act(battle, legal[int(draw_number() * len(legal))])
        actions += 1
    return battle.outcome == WON, actions
