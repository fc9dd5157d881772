"""One battle played by a bot: how it ended, the faults in it, and where a bot that found no end went round."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from bridge.battles.battle_setup import BattleSetup
from bridge.pb.gcs.v1 import service_pb2
from bridge.wire.names import OUTCOMES
from runtime.battle.action_types import PlayCard
from runtime.battle.actions import act
from runtime.battle.events import FAULT
from runtime.battle.state import Battle
from runtime.bots import MOST_ACTIONS, make_bot

# Places with faults that are told of one battle.
_MOST_PLACES: Final = 10
# The last actions of a battle without an end in which the card is looked for that is played again and again.
_LAST_ACTIONS: Final = 200
_UNIT: Final = re.compile(r"@\S+")


def play_simulated(setup: BattleSetup, bot: str, seed: int) -> service_pb2.SimulatedBattle:
    """Plays a battle to its end, or to `MOST_ACTIONS`.

    Args:
        setup: What it is started with.
        bot: Who plays, one of `runtime.bots.BOTS`.
        seed: Of the battle and of the bot.
    """
    player = make_bot(bot, seed)
    battle = setup.start(seed, agent=player)
    simulated = service_pb2.SimulatedBattle(seed=seed)
    _take_faults(battle, simulated)
    last: Counter[str] = Counter()
    for number in range(MOST_ACTIONS):
        if battle.over:
            break
        action = player.act(battle)
        if number >= MOST_ACTIONS - _LAST_ACTIONS and isinstance(action, PlayCard):
            last[battle.cards[action.card].definition.id] += 1
        act(battle, action)
        _take_faults(battle, simulated)
    else:
        simulated.repeated_card = max(last, key=lambda card: (last[card], card), default="")
    simulated.outcome = OUTCOMES[battle.outcome]
    simulated.turns = battle.turn
    simulated.hp = battle.player.hp
    return simulated


def _take_faults(battle: Battle, simulated: service_pb2.SimulatedBattle) -> None:
    """Counts the faults of an action and forgets its events: between actions nothing looks at them."""
    for entry in battle.log:
        if entry[0] == FAULT:
            _, _, kind, message, chain = entry
            _count(simulated, str(kind), str(message), chain if isinstance(chain, tuple) else ())
    battle.log = []


def _count(simulated: service_pb2.SimulatedBattle, kind: str, message: str, chain: tuple[str, ...]) -> None:
    # The unit is left out: the same graph fails on all of them.
    root, place = (_UNIT.sub("", chain[at]) if chain else "" for at in (0, -1))
    simulated.fault_count += 1
    for fault in simulated.faults:
        if (fault.kind, fault.place, fault.root) == (kind, place, root):
            fault.count += 1
            return
    if len(simulated.faults) < _MOST_PLACES:
        simulated.faults.add(kind=kind, message=message, place=place, root=root, count=1)
