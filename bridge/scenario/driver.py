"""Driving a battle from outside: what may be done, and the interface that both drivers have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from bridge.scenario.views import BattleView, Happening
from runtime.battle.rejections import Rejection
from runtime.content.assets import Pack


@dataclass(frozen=True, slots=True)
class BattleSpec:
    """What a battle is to be started with, as a scenario file or a command names it.

    Attributes:
        pack: The pack.
        encounter: The id of an encounter of the pack, or an encounter object.
        player: Fields of the encounter's player to override, or None.
        deck: Card ids to play with instead of the encounter's deck, or None.
        seed: From 0 to 2**64 - 1.
        rules: ``documented`` or ``extended``; empty: the pack's.
        shuffle: False keeps every pile's order.
    """

    pack: Pack
    encounter: str | Mapping[str, Any]
    player: Mapping[str, Any] | None = None
    deck: Sequence[str] | None = None
    seed: int = 0
    rules: str = ""
    shuffle: bool = True


@dataclass(frozen=True, slots=True)
class PlayCard:
    """Plays the card instance on a unit, or on none when the target is empty."""

    card: str
    target: str = ""


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Ends the player's turn."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Answers the open choice: with card instances, or with an option's index; -1: with cards."""

    cards: tuple[str, ...] = ()
    option: int = -1


@dataclass(frozen=True, slots=True)
class Concede:
    """Gives the battle up."""


@dataclass(frozen=True, slots=True)
class SetState:
    """Writes state silently, for tests."""

    values: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class RaiseEvent:
    """Raises a GES event from outside.

    Attributes:
        event: The event's id or GUID, as written.
        arg: What it carries, as a JSON value (`bridge.scenario.payloads`); None: no argument.
        sender: Who raises it, likewise.
    """

    event: str
    arg: Any = None
    sender: Any = None


Action = PlayCard | EndTurn | Answer | Concede | SetState | RaiseEvent


class DriverError(Exception):
    """The battle cannot be driven: no server answers, it does not allow what was asked, or the set-up is wrong."""


class Driver(Protocol):
    """One battle, in this process or behind gRPC.

    Attributes:
        view: The battle now.
        happenings: Every event from the start of set-up, in order.
    """

    view: BattleView
    happenings: list[Happening]

    def start(self, spec: BattleSpec) -> None:
        """Starts the battle.

        Raises:
            PackError: The pack, the encounter or an override is wrong.
            DriverError: It cannot be started for another reason.
        """

    def act(self, action: Action) -> Rejection | None:
        """Carries out an action; None when it was accepted, else why it was rejected: it changed nothing.

        Raises:
            DriverError: The action makes no sense, or the battle cannot be reached.
        """

    def close(self) -> None:
        """Gives back what the driver holds; a server forgets the battle."""
