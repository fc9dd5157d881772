"""Death of units (R4.8), their leaving, and the decision of the battle (R2.7)."""

from __future__ import annotations

from runtime.battle.dispatch import NO_PORTS, dispatch_to_listeners, run_status_branch
from runtime.battle.events import BATTLE_ENDED, HP_CHANGED, UNIT_DIED, UNIT_REMOVED
from runtime.battle.notices import notice
from runtime.battle.random_streams import REWARDS, RandomStream, seed_stream
from runtime.battle.state import (
    ALIVE,
    DEAD,
    DYING,
    ENDED,
    LOST,
    NO_LISTENERS,
    REMOVED,
    RUNNING,
    WON,
    Battle,
    Listener,
    Unit,
)
from runtime.battle.status_order import freeze_holders, index_statuses
from runtime.graph.frame import DeathPorts, Ports
from runtime.graph.timings import ON_BATTLE_END, ON_UNIT_DIED


def die(battle: Battle, unit: Unit, killer: Unit | None) -> None:
    """Lets a unit at 0 HP die: E30 on its statuses, then on those of a distinct living killer.

    Args:
        battle: The battle.
        unit: The unit, its life still ALIVE.
        killer: The attacker of the fatal hit, or None.
    """
    unit.life = DYING
    battle.plays = {}
    outer = battle.running.cause
    if battle.logging:
        battle.log.append((UNIT_DIED, outer, unit.number, killer.number if killer is not None else -1))
        battle.running.cause = len(battle.log)
    # Both sides' receivers are frozen when E30 begins; the victim's are never skipped although gone (R2.2).
    killers = killer.listeners[ON_UNIT_DIED] if killer is not None else NO_LISTENERS
    victims = unit.listeners[ON_UNIT_DIED]
    if victims:
        _run_always(battle, unit, victims, DeathPorts(False, killer, unit))
    if killers and killer is not None and killer is not unit and killer.alive:
        dispatch_to_listeners(battle, killer, killers, DeathPorts(True, killer, unit))
    _complete_death(battle, unit)
    if "unit_died" in battle.content.noticed:
        notice(battle, "unit_died", {"unit": unit, "source": killer})
    battle.running.cause = outer


def _run_always(battle: Battle, unit: Unit, listeners: tuple[Listener, ...], ports: Ports) -> None:
    for status, branch in listeners:
        if branch is not None:
            run_status_branch(battle, unit, status, branch, ports)


def _complete_death(battle: Battle, unit: Unit) -> None:
    if unit.hp != 0:
        # Healed while its E30 ran: too late (R4.8 asks only once, before E30).
        if battle.logging:
            battle.log.append((HP_CHANGED, battle.running.cause, unit.number, unit.hp, 0, "death"))
        unit.hp = 0
    unit.life = DEAD
    battle.fallen = True
    if unit is not battle.player:
        _clear(unit)


def _clear(unit: Unit) -> None:
    """Takes all statuses off a unit, silently, and its intent with them."""
    unit.leaf = None
    if not unit.statuses:
        return
    for status in unit.statuses.values():
        status.present = False
        status.stacks = 0
    unit.statuses = {}
    index_statuses(unit)


def complete_deaths(battle: Battle) -> None:
    """Ends every death that an abandoned root left open (R2.5): E30 exactly once per unit."""
    for unit in battle.units:
        if unit.life == DYING:
            _complete_death(battle, unit)
        elif unit.life == ALIVE and unit.hp == 0:
            die(battle, unit, None)
    if battle.fallen:
        check_decision(battle)


def remove_unit(battle: Battle, unit: Unit) -> None:
    """Lets a unit leave the battle alive: no Entry, no killer; from then on it counts as not living.

    Without the player the battle is lost (R5.12).
    """
    unit.life = REMOVED
    battle.plays = {}
    _clear(unit)
    battle.fallen = True
    if battle.logging:
        battle.log.append((UNIT_REMOVED, battle.running.cause, unit.number))
    if "unit_removed" in battle.content.noticed:
        notice(battle, "unit_removed", {"unit": unit})
    if battle.running.hit_depth == 0:
        check_decision(battle)


def check_decision(battle: Battle) -> None:
    """Decides the battle if it can be (R2.7): both sides down at once is a loss."""
    if battle.outcome != RUNNING:
        return
    player = battle.player
    enemies_live = False
    for unit in battle.units:
        if unit.life <= DYING:
            if unit.hp == 0 or unit.life == DYING:
                return
            if unit is not player:
                enemies_live = True
    if player.life >= DEAD:
        end_battle(battle, LOST)
    elif not enemies_live:
        end_battle(battle, WON)


def end_battle(battle: Battle, outcome: int) -> None:
    """Ends the battle with WON or LOST: E2, rewards, then the battle-ended event (R2.7, R3.7).

    E2 runs as roots of its own, whatever encloses it: a limit reached there must not keep the battle
    from ending.
    """
    battle.outcome = outcome
    battle.fallen = True
    chain = battle.running.chain
    battle.running.chain = []
    player = battle.player
    # A dead player's statuses are all there still: they go when E2 has run (R4.8).
    for unit, listeners in freeze_holders(battle, ON_BATTLE_END, player_even_dead=True):
        dispatch_to_listeners(battle, unit, listeners, NO_PORTS)
    battle.running.chain = chain
    rewards = battle.encounter.asset.rewards
    if outcome == WON and rewards:
        # The stream of rewards gives one number a battle, so it lives no longer than this.
        stream = RandomStream(seed_stream(battle.seed, REWARDS))
        battle.reward = stream.weighted([row.weight for row in rewards])
    finish_battle(battle)
    if player.life >= DEAD:
        _clear(player)


def finish_battle(battle: Battle) -> None:
    """Closes a battle whose outcome is set, however it came to it: the event, and the notice for the engine (R6.3)."""
    battle.phase = ENDED
    if battle.player.statuses:
        battle.kept = {
            status.definition.id: status.stacks for status in battle.player.statuses.values() if status.definition.keeps
        }
    if battle.logging:
        battle.log.append((BATTLE_ENDED, battle.running.cause, battle.outcome))
    if "battle_ended" in battle.content.notify:
        notice(battle, "battle_ended", {"outcome": battle.outcome})
