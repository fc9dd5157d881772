"""Set-up of a battle (T1)."""

from __future__ import annotations

import sys
from typing import Final

from runtime.battle.actions import end_turn_if_asked
from runtime.battle.agent import Agent
from runtime.battle.cards import announce_shuffle
from runtime.battle.choices import run_parkable
from runtime.battle.dispatch import NO_PORTS, dispatch_to_listeners
from runtime.battle.encounters import Encounter
from runtime.battle.energy import refill_energy
from runtime.battle.events import ACTION_STARTED, PHASE_CHANGED
from runtime.battle.ges_listeners import BattleListeners
from runtime.battle.hand import draw_normally
from runtime.battle.intents import plan_intent
from runtime.battle.notices import notice
from runtime.battle.random_streams import EFFECTS, INTENTS, MOST_SEED, SHUFFLE, seed_stream
from runtime.battle.stacks import put_status
from runtime.battle.state import (
    DEPTH_LIMIT,
    DRAW,
    ECHO_LIMIT,
    NODE_LIMIT,
    RUNNING,
    SETUP,
    Battle,
    Unit,
)
from runtime.battle.state_copy import copy_state
from runtime.battle.status_order import freeze_holders
from runtime.battle.turns import start_player_turn
from runtime.battle.units import add_enemy
from runtime.graph.definitions import INNATE, Content
from runtime.graph.flows import compile_flows
from runtime.graph.timings import ON_BATTLE_START

DOCUMENTED: Final = "documented"
EXTENDED: Final = "extended"

# Python frames that one level of dispatch may take, loops and all; see `_make_room`.
_FRAMES_PER_LEVEL: Final = 320
# Compiled, a level takes C stack: this many of the widest ones fit into 8 MB with room to spare.
MOST_DEPTH: Final = 200
MOST_NODES: Final = 10_000_000
MOST_ECHO: Final = 1_000


def start_battle(
    content: Content,
    encounter: Encounter,
    *,
    seed: int = 0,
    rules: str = "",
    shuffle: bool = True,
    agent: Agent | None = None,
    logging: bool = True,
    tracing: bool = False,
    depth_limit: int = DEPTH_LIMIT,
    node_limit: int = NODE_LIMIT,
    max_turns: int = 0,
    echo_limit: int = ECHO_LIMIT,
    database_active: bool = True,
    listeners: BattleListeners | None = None,
    copies_at_choices: bool = True,
) -> Battle:
    """Starts a battle and runs its set-up up to the player's first actions (T1, T2).

    Args:
        content: The compiled pack.
        encounter: The encounter, from `runtime.battle.encounters`.
        seed: From 0 to 2**64 - 1.
        rules: ``documented`` or ``extended`` (R7); empty: the pack's.
        shuffle: False keeps every pile's order, for tests.
        agent: Who answers choices; None: the battle waits with `choice` set.
        logging: Whether events are logged.
        tracing: Whether flow nodes are logged, too.
        depth_limit: How deep dispatch may nest (R2.5), from 1 to 200.
        node_limit: How many flow nodes one root may run (R2.5), from 1 to 10,000,000.
        max_turns: After this turn's enemy phase the battle is undecided; 0: no limit.
        echo_limit: How often a GES event may answer itself (R2.11), from 1 to 1,000.
        database_active: Whether the GES events of the pack are on (R6.6).
        listeners: Who outside of the battle hears its GES events, from set-up on.
        copies_at_choices: Whether the battle can be copied at an open choice, too. Every action that may come to
            one then begins with a copy of the state; a server, which copies nothing, saves that.

    Raises:
        ValueError: An argument is out of its range.
    """
    if content.flows is None:
        content.flows = compile_flows(content.pack, content.events)
    rules = rules or content.pack.info.rules
    if rules not in (DOCUMENTED, EXTENDED):
        raise ValueError(f"rules: expected documented or extended, got {rules!r}")
    if not 0 <= seed <= MOST_SEED:
        raise ValueError(f"seed: expected a number from 0 to 2**64 - 1, got {seed}")
    if not 1 <= depth_limit <= MOST_DEPTH:
        raise ValueError(f"depth_limit: expected a number from 1 to {MOST_DEPTH}, got {depth_limit}")
    if not 1 <= node_limit <= MOST_NODES:
        raise ValueError(f"node_limit: expected a number from 1 to {MOST_NODES}, got {node_limit}")
    if not 1 <= echo_limit <= MOST_ECHO:
        raise ValueError(f"echo_limit: expected a number from 1 to {MOST_ECHO}, got {echo_limit}")
    if max_turns < 0:
        raise ValueError(f"max_turns: expected 0 or more, got {max_turns}")
    player = Unit(0, None, encounter.hp, encounter.max_hp, encounter.armor)
    battle = Battle(
        content,
        encounter,
        seed,
        player,
        seed_stream(seed, SHUFFLE),
        seed_stream(seed, INTENTS),
        seed_stream(seed, EFFECTS),
    )
    battle.extended = rules == EXTENDED
    battle.shuffling = shuffle
    battle.agent = agent
    battle.logging = logging or tracing
    battle.tracing = tracing
    battle.depth_limit = depth_limit
    battle.node_limit = node_limit
    battle.max_turns = max_turns
    battle.echo_limit = echo_limit
    battle.database_active = database_active
    battle.listeners = listeners
    battle.copies_at_choices = copies_at_choices
    _make_room(depth_limit)
    begin(battle)
    return battle


def _make_room(depth_limit: int) -> None:
    """Raises the interpreter's recursion limit, so that it is never what stops a battle (R2.5)."""
    needed = 2_000 + depth_limit * _FRAMES_PER_LEVEL
    if sys.getrecursionlimit() < needed:
        sys.setrecursionlimit(needed)


def begin(battle: Battle) -> None:
    """Runs the set-up of a battle that has just been made; it may be parked at a choice."""
    if battle.content.has_choices and battle.agent is None:
        before = copy_state(battle) if battle.copies_at_choices else None
        run_parkable(battle, lambda: _set_up(battle), before, None)
    else:
        _set_up(battle)


def _set_up(battle: Battle) -> None:
    """T1, then T2 of turn 1."""
    encounter = battle.encounter
    player = battle.player
    if battle.logging:
        battle.log.append((ACTION_STARTED, 0, "setup"))
        battle.running.cause = 1
        battle.log.append((PHASE_CHANGED, 1, 0, SETUP))
    for status, stacks in encounter.statuses:
        put_status(player, status, stacks)
    if encounter.variables:
        player.variables = dict(encounter.variables)
    for definition in encounter.enemies:
        add_enemy(battle, definition, 0)
    innate = _lay_out_deck(battle)
    _get_ready(battle, innate)
    battle.running.cause = 0


def _get_ready(battle: Battle, innate: int) -> None:
    """What follows once the deck is laid out. Each step may decide the battle, and then no other follows (R2.7)."""
    encounter = battle.encounter
    announce_shuffle(battle)
    if battle.outcome != RUNNING:
        return
    refill_energy(battle)
    if battle.outcome != RUNNING:
        return
    draw_normally(battle, min(innate, battle.hand_limit))
    if battle.outcome != RUNNING:
        return
    # Whoever has come meanwhile planned when it came (R5.5).
    for unit in battle.units[1 : len(encounter.enemies) + 1]:
        if unit.alive:
            plan_intent(battle, unit)
    _start(battle)


def _lay_out_deck(battle: Battle) -> int:
    """The deck into the draw pile, shuffled, innate cards on top in their order. Returns how many are innate."""
    cards = battle.encounter.cards[:]
    size = len(cards)
    battle.cards = cards
    battle.places = [DRAW] * size
    battle.paid = [0] * size
    battle.plays = battle.encounter.plays
    # The first card listed is the top, which is the end of the list.
    draw = list(range(size - 1, -1, -1))
    if battle.shuffling:
        battle.shuffles.shuffle(draw)
    innate: list[int] = []
    if battle.encounter.has_innate:
        innate = [number for number in draw if cards[number].keywords & INNATE]
        draw = [number for number in draw if not cards[number].keywords & INNATE]
        draw.extend(innate)
    battle.piles[DRAW] = draw
    return len(innate)


def _start(battle: Battle) -> None:
    # E1, frozen for all holders at once (R2.2).
    for unit, listeners in freeze_holders(battle, ON_BATTLE_START):
        dispatch_to_listeners(battle, unit, listeners, NO_PORTS)
    if "battle_started" in battle.content.noticed:
        notice(battle, "battle_started", {})
    if battle.outcome == RUNNING:
        start_player_turn(battle)
        end_turn_if_asked(battle)
