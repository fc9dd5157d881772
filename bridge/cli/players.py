"""Who plays in the terminal: the user, a bot in this process, or a bot that sees only what a player sees."""

from __future__ import annotations

from typing import Protocol

import typer
from rich.console import Console
from rich.text import Text

from bridge.cli.board import Board
from bridge.scenario.driver import Action, Answer, Concede, EndTurn, PlayCard
from bridge.scenario.in_process import InProcessDriver
from bridge.scenario.views import BattleView, CardView, ChoiceView
from bridge.wire.names import card_name
from runtime import battle as runtime
from runtime.battle.random_streams import RandomStream, seed_stream
from runtime.battle.state import unit_name
from runtime.bots import BOT_STREAM, make_bot


class Player(Protocol):
    """Chooses actions."""

    def choose(self, view: BattleView) -> Action:
        """The next action in a running battle."""


class BotPlayer:
    """A bot of the runtime, for battles in this process."""

    def __init__(self, name: str, seed: int, driver: InProcessDriver) -> None:
        """A bot.

        Args:
            name: One of `runtime.bots.BOTS`.
            seed: Of its random numbers.
            driver: Whose battle it plays.
        """
        self._bot = make_bot(name, seed)
        self._driver = driver

    def choose(self, view: BattleView) -> Action:
        """What the bot does."""
        action = self._bot.act(self._driver.battle)
        if isinstance(action, runtime.PlayCard):
            return PlayCard(card_name(action.card), unit_name(action.target) if action.target >= 0 else "")
        if isinstance(action, runtime.Answer):
            if action.kind == "option":
                return Answer(option=action.picks[0])
            return Answer(cards=tuple(card_name(card) for card in action.picks))
        return EndTurn()


class RandomViewPlayer:
    """Plays any legal action, knowing only what a player is shown: for battles of a server.

    It draws the same numbers for the same things as the random bot of the runtime, so that with the same seed
    both play the same battle.
    """

    def __init__(self, seed: int) -> None:
        """A player.

        Args:
            seed: Of its random numbers.
        """
        self._random = RandomStream(seed_stream(seed, BOT_STREAM))

    def choose(self, view: BattleView) -> Action:
        """Any legal action or valid answer."""
        if view.choice is not None:
            return self._answer(view.choice)
        actions = plays_of(view)
        index = self._random.below(len(actions) + 1)
        return actions[index] if index < len(actions) else EndTurn()

    def _answer(self, choice: ChoiceView) -> Answer:
        if choice.kind == "option":
            return Answer(option=self._random.below(len(choice.options)))
        left = list(choice.instances)
        count = self._random.between(choice.min, min(choice.max, len(left)))
        return Answer(cards=tuple(left.pop(self._random.below(len(left))) for _ in range(count)))


def plays_of(view: BattleView) -> list[Action]:
    """Every play that would be accepted now, in the order of the hand."""
    return [PlayCard(card.id, target) for card in view.hand if card.playable for target in (card.targets or ("",))]


class InputEndedError(Exception):
    """There is nobody to ask any more: the input has ended in the middle of a battle."""


class HumanPlayer:
    """Asks the user."""

    def __init__(self, console: Console, board: Board) -> None:
        """A user at a terminal.

        Args:
            console: Where to ask.
            board: Shows the battle.
        """
        self._console = console
        self._board = board

    def choose(self, view: BattleView) -> Action:
        """What the user says.

        Raises:
            InputEndedError: The input has ended.
        """
        if view.choice is not None:
            return self._choice(view.choice)
        self._board.show(view)
        while True:
            answer = self._ask("card number [target number], e to end the turn, c to concede")
            if answer == ["c"]:
                return Concede()
            if answer == ["e"]:
                return EndTurn()
            action = self._play(view, answer)
            if action is not None:
                return action

    def _play(self, view: BattleView, answer: list[str]) -> Action | None:
        number = _number(answer[0], len(view.hand)) if answer else None
        if number is None or len(answer) > 2:
            self._again(f"expected a card number from 1 to {len(view.hand)}, e or c")
            return None
        card = view.hand[number - 1]
        if not card.playable:
            self._again(f"{self._board.card_name(card.card_id)} cannot be played: {card.unplayable_reason}")
            return None
        if not card.targets:
            return PlayCard(card.id)
        return self._target(card, answer[1:])

    def _target(self, card: CardView, answer: list[str]) -> Action | None:
        given = answer
        if not answer:
            if len(card.targets) == 1:
                return PlayCard(card.id, card.targets[0])
            named = ", ".join(f"{number} {name}" for number, name in enumerate(card.targets, 1))
            given = self._ask(f"target: {named}")
        number = _number(given[0], len(card.targets)) if given else None
        if number is None:
            self._again(f"expected a target number from 1 to {len(card.targets)}")
            return None
        return PlayCard(card.id, card.targets[number - 1])

    def _choice(self, choice: ChoiceView) -> Action:
        self._board.show_choice(choice)
        is_option = choice.kind == "option"
        size = len(choice.options) if is_option else len(choice.cards)
        least, most = (1, 1) if is_option else (choice.min, choice.max)
        while True:
            answer = self._ask(("number" if most == 1 else f"{least} to {most} numbers") + ", c to concede")
            if answer == ["c"]:
                return Concede()
            numbers = [_number(word, size) for word in answer]
            picks = [number - 1 for number in numbers if number is not None]
            if None in numbers or len(set(picks)) != len(picks) or not least <= len(picks) <= most:
                self._again(f"expected {least} to {most} different numbers from 1 to {size}, or c")
            elif is_option:
                return Answer(option=picks[0])
            else:
                return Answer(cards=tuple(choice.instances[pick] for pick in picks))

    def _ask(self, what: str) -> list[str]:
        try:
            return self._console.input(Text(f"{what} > ", style="bold")).lower().split()
        except EOFError as error:
            self._console.print()
            raise InputEndedError from error

    def _again(self, message: str) -> None:
        self._console.print(Text(message, style="yellow"))


def _number(word: str, most: int) -> int | None:
    return int(word) if word.isdecimal() and 1 <= int(word) <= most else None


def bot_player(name: str, seed: int, driver: object) -> Player:
    """The player for ``--bot``.

    Args:
        name: ``random`` or ``greedy``.
        seed: Of its random numbers.
        driver: Whose battle it plays.

    Raises:
        typer.BadParameter: The greedy bot is asked to play on a server: it looks ahead on copies of the battle.
    """
    if isinstance(driver, InProcessDriver):
        return BotPlayer(name, seed, driver)
    if name != "random":
        raise typer.BadParameter(f"the {name} bot looks ahead on copies of the battle: it plays without --address")
    return RandomViewPlayer(seed)
