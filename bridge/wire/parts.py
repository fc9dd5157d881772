"""Parts that both the state and the events tell: intents, choices, results."""

from __future__ import annotations

from bridge.pb.gcs.v1 import battle_pb2 as pb
from bridge.wire.names import OUTCOMES, card_name
from runtime.battle.choices import Choice
from runtime.battle.state import Battle

IntentRow = tuple[str, int, int, str, str]


def write_intent(message: pb.Intent, row: IntentRow) -> None:
    """Writes an intent's values into an empty message."""
    kind, amount, hits, text, icon = row
    message.kind = kind
    message.amount = amount
    message.hits = hits
    message.text = text
    message.icon = icon


def write_choice(message: pb.Choice, choice: Choice, cards: list[int]) -> None:
    """Writes an open choice into an empty message.

    Args:
        message: The message.
        choice: The choice.
        cards: Its candidates in the order in which they are told.
    """
    message.kind = choice.kind
    message.prompt = choice.prompt
    message.cards.extend([card_name(number) for number in cards])
    message.options.extend(choice.options)
    message.min = choice.min
    message.max = choice.max
    # An empty message would be no message where nothing else is set in it.
    message.SetInParent()


def write_result(message: pb.Result, battle: Battle) -> None:
    """Writes how a battle ended into an empty message (R3.7)."""
    message.outcome = OUTCOMES[battle.outcome]
    message.hp = battle.player.hp
    for status, stacks in battle.kept.items():
        message.kept_statuses.add(id=status, stacks=stacks)
    for name, value in battle.variables.items():
        if value:
            message.variables[name] = value
    if battle.reward >= 0:
        row = battle.encounter.asset.rewards[battle.reward]
        message.reward.cards.extend(row.cards)
        message.reward.choose = row.choose
