"""Copies of a battle, for bots that search.

A copy stands between actions. At an open choice the state before the action is copied, and the action
is played again with the answers given so far.
"""

from __future__ import annotations

from runtime.battle.action_types import Answer
from runtime.battle.actions import act
from runtime.battle.choices import CARD_CHOICE
from runtime.battle.setup import begin
from runtime.battle.state import Battle
from runtime.battle.state_copy import copy_state


class CopyError(Exception):
    """A battle cannot be copied at this moment."""


def copy_battle(battle: Battle) -> Battle:
    """A battle that plays on as this one would, independent of it. The copy does not share its agent's state.

    It has no listeners: what happens in it is heard by nobody outside.

    Raises:
        CopyError: A choice is open, and the battle was started without `copies_at_choices`.
    """
    parked = battle.running.parked
    if parked is None or battle.choice is None:
        return copy_state(battle)
    if parked.before is None:
        raise CopyError("the battle was started without copies_at_choices: it is copied only between actions")
    twin = copy_battle(parked.before)
    if parked.action is None:
        begin(twin)
    else:
        act(twin, parked.action)
    for picks in parked.answers:
        kind = twin.choice.kind if twin.choice is not None else CARD_CHOICE
        act(twin, Answer(picks, kind))
    twin.history = battle.history
    twin.waiting = battle.waiting[:]
    return twin
