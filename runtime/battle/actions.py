"""Actions carried out in a battle, their checks, and what waits behind an open choice (T3, R5.7, R6.5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from runtime.battle.action_types import (
    Abort,
    Action,
    Advance,
    Answer,
    Concede,
    EndTurn,
    PlayCard,
    Raise,
    SetState,
    SwitchDatabase,
)
from runtime.battle.choices import resume, run_parkable
from runtime.battle.death import end_battle, finish_battle
from runtime.battle.event_arguments import own_units
from runtime.battle.events import ACTION_STARTED
from runtime.battle.ges_raising import land, raise_from_outside
from runtime.battle.legality import check, check_play
from runtime.battle.playing import play, put_away
from runtime.battle.rejections import (
    Rejection,
)
from runtime.battle.schedule import FIRST_HANDLE
from runtime.battle.setting import write_values
from runtime.battle.state import ABORTED, HAND, IN_PLAY, LOST, PLAYER_PHASE, RUNNING, Battle
from runtime.battle.state_copy import copy_state
from runtime.battle.turns import end_turn


def actions_of(battle: Battle) -> list[Action]:
    """Every accepted action of a battle, in order (R8.2)."""
    found: list[Action] = []
    entry = battle.history
    while entry is not None:
        found.append(entry[0])
        entry = entry[1]
    found.reverse()
    return found


def act(battle: Battle, action: Action) -> Rejection | None:
    """Carries out an action, or refuses it; a refused action changes nothing.

    When the action comes to a choice and the battle has no agent, it is parked: `battle.choice` is set,
    and an `Answer` goes on with it. A raise meanwhile waits (R6.5).

    Raises:
        SettingError: A `SetState` names something that is not there.
    """
    if battle.outcome == RUNNING and not battle.content.has_choices:
        # The common cases, without the ways around them: nothing here can be parked.
        if isinstance(action, PlayCard):
            number = action.card
            plays = battle.plays.get(battle.energy)
            # What `legal_actions` has listed and nothing has changed since need not be checked again.
            if (
                plays is None
                or battle.player.hears_plays
                or number not in battle.piles[HAND]
                or action not in plays[number]
            ):
                refused = check_play(battle, action)
                if refused is not None:
                    return refused
            battle.history = (action, battle.history)
            if battle.logging:
                battle.log.append((ACTION_STARTED, 0, "play_card"))
                battle.running.cause = len(battle.log)
            play(battle, number, action.target, True)
            if battle.end_turn_asked:
                end_turn_if_asked(battle)
            battle.running.cause = 0
            return None
        if isinstance(action, EndTurn):
            battle.history = (action, battle.history)
            if battle.logging:
                battle.log.append((ACTION_STARTED, 0, "end_turn"))
                battle.running.cause = len(battle.log)
            end_turn(battle)
            battle.running.cause = 0
            return None
    refused = check(battle, action)
    if refused is not None:
        return refused
    if isinstance(action, (Raise, Advance, SwitchDatabase)):
        if isinstance(action, SwitchDatabase) and action.active == database_will_be_active(battle):
            return None
        if battle.choice is not None:
            battle.waiting.append(action)
            battle.history = (action, battle.history)
            return None
    if isinstance(action, (Concede, Abort)) and battle.choice is not None:
        _drop_parked(battle)
    may_park = battle.content.has_choices and battle.agent is None
    if isinstance(action, Answer):
        battle.history = (action, battle.history)
        _resume(battle, action)
    elif may_park:
        before = copy_state(battle) if battle.copies_at_choices else None
        battle.history = (action, battle.history)
        run_parkable(battle, _work(battle, action), before, action)
    else:
        battle.history = (action, battle.history)
        _carry_out(battle, action)
    while battle.waiting and battle.choice is None:
        _next_waiting(battle)
    return None


def advance(battle: Battle, ms: int) -> Rejection | None:
    """Lets time pass, for tests and simulations: `act` with `Advance`.

    Args:
        battle: The battle.
        ms: How many milliseconds, at least 0.
    """
    return act(battle, Advance(ms))


def database_will_be_active(battle: Battle) -> bool:
    """Whether the pack's GES events are on once what waits behind the open choice is done (R6.6)."""
    active = battle.database_active
    for waiting in battle.waiting:
        if isinstance(waiting, SwitchDatabase):
            active = waiting.active
    return active


def _pass_time(battle: Battle, ms: int) -> None:
    schedule = battle.schedule
    if schedule is None:
        # Whatever is scheduled next counts from then on.
        return
    until = schedule.now + ms
    while battle.outcome == RUNNING and land(battle, until):
        end_turn_if_asked(battle)
    schedule.advance_to(until)


def _resume(battle: Battle, answer: Answer) -> None:
    """Goes on with the action that waits for an answer.

    The time that has passed meanwhile waits behind it; what it schedules from now on counts from the answer all the
    same.
    """
    passed = sum([waiting.ms for waiting in battle.waiting if isinstance(waiting, Advance)])
    first = battle.schedule.next_handle if battle.schedule is not None else FIRST_HANDLE
    resume(battle, answer.picks)
    if passed and battle.schedule is not None:
        battle.schedule.postpone(first, passed)


def _next_waiting(battle: Battle) -> None:
    raised = battle.waiting.pop(0)
    if battle.outcome != RUNNING:
        return
    if battle.content.has_choices and battle.agent is None:
        before = copy_state(battle) if battle.copies_at_choices else None
        run_parkable(battle, _work(battle, raised), before, raised)
    else:
        _carry_out(battle, raised)


def _work(battle: Battle, action: Action) -> Callable[[], None]:
    def work() -> None:
        _carry_out(battle, action)

    return work


def _drop_parked(battle: Battle) -> None:
    """Gives up an action that waits for an answer: what it has done stays done, a card in play goes to its pile."""
    battle.choice = None
    for number, place in enumerate(battle.places):
        if place == IN_PLAY:
            put_away(battle, number)
    battle.running.parked = None
    battle.running.raising = []
    battle.running.break_off()


_KINDS: Final[dict[str, str]] = {
    "PlayCard": "play_card",
    "EndTurn": "end_turn",
    "Concede": "concede",
    "Abort": "abort",
    "Raise": "raise",
    "SetState": "set_state",
}


def _carry_out(battle: Battle, action: Action) -> None:
    if isinstance(action, Advance):
        # Each raise that lands is logged as an action of its own.
        _pass_time(battle, action.ms)
        return
    if isinstance(action, SwitchDatabase):
        battle.database_active = action.active
        return
    if battle.logging:
        battle.log.append((ACTION_STARTED, 0, _KINDS[type(action).__name__]))
        battle.running.cause = len(battle.log)
    if isinstance(action, PlayCard):
        play(battle, action.card, action.target, True)
        end_turn_if_asked(battle)
    elif isinstance(action, EndTurn):
        end_turn(battle)
    elif isinstance(action, Concede):
        end_battle(battle, LOST)
    elif isinstance(action, Abort):
        battle.outcome = ABORTED
        finish_battle(battle)
    elif isinstance(action, Raise):
        raise_from_outside(battle, action.event, own_units(battle, action.arguments), action.answered)
        end_turn_if_asked(battle)
    elif isinstance(action, SetState):
        write_values(battle, action.changes)
    battle.running.cause = 0


def end_turn_if_asked(battle: Battle) -> None:
    """Ends the player's turn when an End Turn node of the action that is done now asked for it."""
    if battle.end_turn_asked and battle.outcome == RUNNING and battle.phase == PLAYER_PHASE:
        end_turn(battle)
