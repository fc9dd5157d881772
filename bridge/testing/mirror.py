"""A battle's state kept up to date from its changes alone, as every client with a screen does it."""

from __future__ import annotations

from typing import Any, Final

from bridge.pb.gcs.v1 import battle_pb2 as pb
from bridge.pb.gcs.v1 import events_pb2

_SCALARS: Final = ("turn", "phase", "outcome", "energy", "max_energy", "cards_played_this_turn", "seed")


class MirrorError(Exception):
    """An update does not follow the one before."""


class Mirror:
    """A battle as its updates tell it.

    Attributes:
        state: The whole state.
        events: All events that it was told, in order.
        version: The state's version.
        last_sequence: The number of the last event.
    """

    def __init__(self) -> None:
        self.state = pb.BattleState()
        self.events: list[events_pb2.Event] = []
        self.version = 0
        self.last_sequence = 0

    def take(self, update: events_pb2.Update) -> None:
        """Takes over an update.

        A snapshot stands for what was before it: where it comes first, or without events, they are counted on from it.

        Raises:
            MirrorError: Something is missing before it, or comes twice.
        """
        kind = update.WhichOneof("state")
        if kind == "change":
            if update.state_version != self.version + 1:
                raise MirrorError(f"version {update.state_version} came after {self.version}")
            self._change(update.change)
        elif kind == "snapshot":
            self.state.CopyFrom(update.snapshot)
            if not update.events:
                self.last_sequence = update.last_sequence
            elif self.version == 0:
                self.last_sequence = update.events[0].sequence - 1
        if kind is not None:
            self.version = update.state_version
        for event in update.events:
            if event.sequence != self.last_sequence + 1:
                raise MirrorError(f"event {event.sequence} came after {self.last_sequence}")
            self.last_sequence = event.sequence
            self.events.append(event)

    def _change(self, change: pb.StateChange) -> None:
        state = self.state
        for name in _SCALARS:
            if change.HasField(name):
                setattr(state, name, getattr(change, name))
        for unit in change.units:
            _put(state.units, unit)
        for card in change.cards:
            _put(state.cards, card)
        for hidden in change.hidden_cards:
            del state.cards[next(index for index, card in enumerate(state.cards) if card.id == hidden)]
        for pile in change.piles:
            next(told for told in state.piles if told.pile == pile.pile).CopyFrom(pile)
        if change.choice_closed:
            state.ClearField("choice")
        if change.HasField("choice"):
            state.choice.CopyFrom(change.choice)
        for name, value in change.variables.items():
            state.variables[name] = value
            if not value:
                del state.variables[name]
        if change.HasField("result"):
            state.result.CopyFrom(change.result)
        state.cards.sort(key=lambda card: int(card.id[1:]))


def _put(messages: Any, message: pb.UnitState | pb.CardState) -> None:
    """Replaces the message of the same id in a repeated field, or adds it."""
    for told in messages:
        if told.id == message.id:
            told.CopyFrom(message)
            return
    messages.append(message)
