"""The timelines of both sides' turns: T2, T4, T5."""

from __future__ import annotations

from runtime.battle.card import UNTIL_TURN
from runtime.battle.card_changes import expire_changes
from runtime.battle.death import finish_battle
from runtime.battle.dispatch import NO_PORTS, dispatch_to_card_in, dispatch_to_statuses, log_fault
from runtime.battle.energy import refill_energy
from runtime.battle.events import PHASE_CHANGED
from runtime.battle.hand import draw_normally, resolve_hand
from runtime.battle.intents import plan_intent, take_enemy_turn
from runtime.battle.notices import notice
from runtime.battle.state import (
    ALIVE,
    ENEMY_PHASE,
    HAND,
    PLAYER_PHASE,
    RUNNING,
    UNDECIDED,
    Battle,
    Unit,
)
from runtime.battle.statuses import decay_statuses
from runtime.battle.vitals import reset_armor
from runtime.graph.timings import (
    ON_DISCARD_PHASE,
    ON_DRAW_PHASE,
    ON_TURN_END,
    ON_TURN_START,
)

# End Turn nodes may skip this many player turns in one action; a status that ends every turn as it
# begins must not keep the process busy for ever.
MOST_SKIPPED_TURNS = 100


def start_player_turn(battle: Battle) -> None:
    """T2: reset and refill, E3 of statuses and of the cards that were in hand, E5, the normal draw."""
    player = battle.player
    battle.turn += 1
    battle.phase = PLAYER_PHASE
    battle.cards_played = 0
    battle.end_turn_asked = False
    if battle.logging:
        battle.log.append((PHASE_CHANGED, battle.running.cause, battle.turn, PLAYER_PHASE))
    heard = player.hears_turns or battle.content.hears_turns
    frozen = battle.piles[HAND][:] if heard else []
    first = battle.turn == 1
    if not first:
        # Decision of T2: on turn 1 set-up has done both, so what E1 granted survives.
        if player.armor:
            reset_armor(battle, player)
            if battle.outcome != RUNNING:
                return
        if heard or battle.energy != battle.max_energy:
            refill_energy(battle)
    if not heard:
        # Nobody listens to what follows: only the draw is left of it.
        if not first:
            draw_normally(battle)
        return
    if battle.outcome != RUNNING:
        return
    if battle.content.noticed:
        _notice_turn(battle, "turn_started", player)
    if player.listeners[ON_TURN_START]:
        dispatch_to_statuses(battle, player, ON_TURN_START, NO_PORTS)
    if battle.content.cards_listen[ON_TURN_START]:
        _dispatch_to_hand(battle, frozen, ON_TURN_START)
    if first or battle.outcome != RUNNING:
        return
    # E5 comes also where nothing is drawn (R3.1).
    if player.listeners[ON_DRAW_PHASE]:
        dispatch_to_statuses(battle, player, ON_DRAW_PHASE, NO_PORTS)
    if battle.outcome == RUNNING:
        draw_normally(battle)


def _notice_turn(battle: Battle, name: str, unit: Unit) -> None:
    if name in battle.content.noticed:
        notice(battle, name, {"unit": unit})


def _dispatch_to_hand(battle: Battle, frozen: list[int], timing: int) -> None:
    """Dispatches to cards of a frozen hand that are still in hand."""
    for number in frozen:
        dispatch_to_card_in(battle, number, HAND, timing)


def end_player_turn(battle: Battle) -> None:
    """T4: E6, E4 of the cards in hand, hand resolution, E4 of player statuses, decay."""
    player = battle.player
    if player.hears_turns or battle.content.hears_turns:
        # E6 comes also where nothing is discarded (R3.1).
        dispatch_to_statuses(battle, player, ON_DISCARD_PHASE, NO_PORTS)
        if battle.content.cards_listen[ON_TURN_END]:
            _dispatch_to_hand(battle, battle.piles[HAND][:], ON_TURN_END)
        if battle.outcome != RUNNING:
            return
    resolve_hand(battle)
    if battle.fallen and battle.outcome != RUNNING:
        return
    if battle.altered:
        for number in range(len(battle.cards)):
            expire_changes(battle, number, UNTIL_TURN)
    if player.hears_turns:
        dispatch_to_statuses(battle, player, ON_TURN_END, NO_PORTS)
        decay_statuses(battle, player)
    if battle.content.noticed:
        _notice_turn(battle, "turn_ended", player)


def run_enemy_phase(battle: Battle) -> None:
    """T5: every enemy that lives now takes its step; then those that still live plan anew."""
    battle.phase = ENEMY_PHASE
    battle.end_turn_asked = False
    if battle.logging:
        battle.log.append((PHASE_CHANGED, battle.running.cause, battle.turn, ENEMY_PHASE))
    # Frozen: who comes during the phase has no step in it. A unit that is dead now stays dead.
    enemies = battle.units[1:]
    for unit in enemies:
        if unit.life == ALIVE and unit.hp > 0:
            _run_step(battle, unit)
            if battle.fallen and battle.outcome != RUNNING:
                return
    for unit in enemies:
        if unit.life == ALIVE and unit.hp > 0:
            plan_intent(battle, unit)


def _run_step(battle: Battle, unit: Unit) -> None:
    """One enemy's step: armor to 0, E3, the stored leaf as it is after E3, E4, decay."""
    if unit.armor:
        reset_armor(battle, unit)
    noticed = battle.content.noticed
    if noticed:
        _notice_turn(battle, "turn_started", unit)
    if unit.hears_turns:
        dispatch_to_statuses(battle, unit, ON_TURN_START, NO_PORTS)
    if not battle.fallen or _can_go_on(battle, unit):
        take_enemy_turn(battle, unit)
    if unit.hears_turns:
        if _can_go_on(battle, unit):
            dispatch_to_statuses(battle, unit, ON_TURN_END, NO_PORTS)
        if _can_go_on(battle, unit):
            decay_statuses(battle, unit)
    if noticed and _can_go_on(battle, unit):
        _notice_turn(battle, "turn_ended", unit)


def _can_go_on(battle: Battle, unit: Unit) -> bool:
    return battle.outcome == RUNNING and unit.hp > 0 and unit.life == ALIVE


def end_turn(battle: Battle) -> None:
    """The End Turn action: T4, T5, T2 of the next turn; and again while an End Turn node asks for it."""
    for _ in range(MOST_SKIPPED_TURNS):
        end_player_turn(battle)
        if battle.fallen and battle.outcome != RUNNING:
            return
        run_enemy_phase(battle)
        if battle.fallen and battle.outcome != RUNNING:
            return
        if battle.max_turns and battle.turn >= battle.max_turns:
            battle.outcome = UNDECIDED
            finish_battle(battle)
            return
        start_player_turn(battle)
        if battle.outcome != RUNNING or not battle.end_turn_asked:
            return
    battle.end_turn_asked = False
    log_fault(battle, "turns", f"{MOST_SKIPPED_TURNS} turns in a row were ended as they began")
