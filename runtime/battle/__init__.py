"""The battle: set-up and turns, cards, damage, statuses, units, intents, dispatch, events.

A battle is plain state (`Battle`); what can be done with it are functions:

    >>> from runtime.battle import EndTurn, act, start_battle
    >>> from runtime.loading import encounter_of, load_content
    >>> content = load_content("starter")
    >>> battle = start_battle(content, encounter_of(content, "first_fight"), seed=7)
    >>> act(battle, EndTurn()) is None
    True
    >>> battle.turn
    2
"""

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
from runtime.battle.actions import act, actions_of, advance
from runtime.battle.agent import Agent
from runtime.battle.canonical import canonical_state, state_hash
from runtime.battle.card import Card
from runtime.battle.choices import Choice
from runtime.battle.copying import CopyError, copy_battle
from runtime.battle.energy import card_cost
from runtime.battle.events import Event, read_events
from runtime.battle.intents import shown_intent
from runtime.battle.legality import check, legal_actions, targets_of, unplayable_reason
from runtime.battle.rejections import Rejection
from runtime.battle.replay import ReplayError, play_replay, replay_of
from runtime.battle.setting import SettingError
from runtime.battle.setup import start_battle
from runtime.battle.state import OUTCOMES, PHASES, PILES, Battle, Status, Unit
from runtime.battle.trace import entry_line, entry_lines
from runtime.graph.intent import Intent

__all__ = [
    "OUTCOMES",
    "PHASES",
    "PILES",
    "Abort",
    "Action",
    "Advance",
    "Agent",
    "Answer",
    "Battle",
    "Card",
    "Choice",
    "Concede",
    "CopyError",
    "EndTurn",
    "Event",
    "Intent",
    "PlayCard",
    "Raise",
    "Rejection",
    "ReplayError",
    "SetState",
    "SettingError",
    "Status",
    "SwitchDatabase",
    "Unit",
    "act",
    "actions_of",
    "advance",
    "canonical_state",
    "card_cost",
    "check",
    "copy_battle",
    "entry_line",
    "entry_lines",
    "legal_actions",
    "play_replay",
    "read_events",
    "replay_of",
    "shown_intent",
    "start_battle",
    "state_hash",
    "targets_of",
    "unplayable_reason",
]
