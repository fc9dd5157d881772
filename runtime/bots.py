"""Bots: players that need no engine, for tests, simulations and the terminal.

A bot chooses whole actions by `act` and, as the battle's agent, answers choices in the middle of one by
`choose`. Every bot is deterministic: its random numbers come from a stream of its own, made from a seed.

    >>> from runtime.bots import make_bot, play_out
    >>> bot = make_bot("greedy", seed=7)
"""

from __future__ import annotations

from typing import Final

from runtime.battle.action_types import Action, Answer, EndTurn, PlayCard
from runtime.battle.actions import act
from runtime.battle.agent import Agent
from runtime.battle.choices import OPTION_CHOICE, Choice
from runtime.battle.copying import copy_battle
from runtime.battle.legality import legal_actions
from runtime.battle.random_streams import STREAMS, RandomStream, seed_stream
from runtime.battle.state import Battle
from runtime.evaluation import evaluate

# The stream of a bot follows those of a battle, so that a bot of the battle's own seed does not run in step with it.
BOT_STREAM: Final = STREAMS

# More answers to one choice than this a bot does not try.
MOST_ANSWERS: Final = 64

# After this many actions a battle goes nowhere: a card that costs nothing can be played again and again.
MOST_ACTIONS: Final = 10_000


class Bot(Agent):
    """A player."""

    def act(self, battle: Battle) -> Action:
        """The next action in a running battle; an `Answer` when a choice is open."""
        choice = battle.choice
        if choice is not None:
            return Answer(self.choose(battle, choice), choice.kind)
        return self.move(battle)

    def move(self, battle: Battle) -> Action:
        """The next action when no choice is open."""
        raise NotImplementedError


class RandomBot(Bot):
    """Takes any legal action and any valid answer, all equally likely."""

    def __init__(self, seed: int) -> None:
        self.random = RandomStream(seed_stream(seed, BOT_STREAM))

    def move(self, battle: Battle) -> Action:
        """Any legal action."""
        actions = legal_actions(battle)
        return actions[self.random.below(len(actions))]

    def choose(self, battle: Battle, choice: Choice) -> list[int]:
        """Any valid answer: how many first, then which."""
        if choice.kind == OPTION_CHOICE:
            return [self.random.below(len(choice.options))]
        count = self.random.between(choice.min, min(choice.max, len(choice.cards)))
        left = choice.cards[:]
        return [left.pop(self.random.below(len(left))) for _ in range(count)]


class GreedyBot(Bot):
    """Looks one action ahead: tries each play on a copy of the battle and keeps the best (`evaluate`).

    It ends the turn when no play makes things better. Equally good plays are drawn by lot. The copies get
    random numbers of their own, so it does not know what the battle's dice will say.
    """

    def __init__(self, seed: int) -> None:
        self.random = RandomStream(seed_stream(seed, BOT_STREAM))

    def move(self, battle: Battle) -> Action:
        """The play that leaves the best state, or the end of the turn."""
        best: list[Action] = [EndTurn()]
        most = evaluate(battle)
        tried: set[tuple[str, int, int, int]] = set()
        for action in legal_actions(battle):
            if not isinstance(action, PlayCard):
                continue
            card = battle.cards[action.card]
            # Cards that are alike do the same.
            if card.variables is None and card.once is None:
                alike = (card.definition.id, card.cost, card.keywords, action.target)
                if alike in tried:
                    continue
                tried.add(alike)
            value = self._value_of(battle, action)
            if value > most:
                most = value
                best = [action]
            elif value == most and not isinstance(best[0], EndTurn):
                best.append(action)
        return best[self.random.below(len(best))]

    def choose(self, battle: Battle, choice: Choice) -> list[int]:
        """The answer that leaves the best state.

        In the middle of an action that does not wait, which cannot be copied, it takes the fewest cards and the
        first of what is offered.
        """
        answers = answers_to(choice)
        if battle.choice is not choice or len(answers) == 1:
            return answers[0]
        best = answers[0]
        most = self._value_of(battle, Answer(best, choice.kind))
        for picks in answers[1:]:
            value = self._value_of(battle, Answer(picks, choice.kind))
            if value > most:
                most = value
                best = picks
        return best

    def _value_of(self, battle: Battle, action: Action) -> int:
        twin = copy_battle(battle)
        # An agent answers what the copy asks, and nothing is parked.
        twin.agent = _FirstAnswer()
        twin.logging = False
        twin.log = []
        if battle.choice is None:
            twin.shuffles = RandomStream(self._fresh(battle, 0))
            twin.intents = RandomStream(self._fresh(battle, 1))
            twin.effects = RandomStream(self._fresh(battle, 2))
        act(twin, action)
        return evaluate(twin)

    def _fresh(self, battle: Battle, stream: int) -> int:
        return seed_stream(self.random.state ^ battle.turn, stream)


class _FirstAnswer(Agent):
    """Answers with the fewest cards and the first of what is offered."""

    def choose(self, battle: Battle, choice: Choice) -> list[int]:
        return answers_to(choice)[0]


def answers_to(choice: Choice) -> list[list[int]]:
    """Valid answers to a choice, at most `MOST_ANSWERS`: fewer cards first, in the order offered."""
    if choice.kind == OPTION_CHOICE:
        return [[index] for index in range(len(choice.options))][:MOST_ANSWERS]
    found: list[list[int]] = []
    for count in range(choice.min, min(choice.max, len(choice.cards)) + 1):
        _combine(choice.cards, count, found)
    return found


def _combine(cards: list[int], count: int, found: list[list[int]]) -> None:
    """Appends the combinations of `count` cards, in order, up to `MOST_ANSWERS` in all."""
    places = list(range(count))
    while len(found) < MOST_ANSWERS:
        found.append([cards[place] for place in places])
        last = count - 1
        while last >= 0 and places[last] == len(cards) - count + last:
            last -= 1
        if last < 0:
            return
        places[last] += 1
        for place in range(last + 1, count):
            places[place] = places[place - 1] + 1


BOTS: Final = ("random", "greedy")


def make_bot(name: str, seed: int) -> Bot:
    """A bot by its name.

    Args:
        name: One of `BOTS`.
        seed: From 0 to 2**64 - 1.

    Raises:
        ValueError: There is no such bot.
    """
    if name == "random":
        return RandomBot(seed)
    if name == "greedy":
        return GreedyBot(seed)
    raise ValueError(f"no bot {name!r}; expected {' or '.join(BOTS)}")


def play_out(battle: Battle, bot: Bot, most_actions: int = MOST_ACTIONS) -> bool:
    """Plays a battle to its end.

    Args:
        battle: A running battle, with the bot as its agent or without one.
        bot: Who plays.
        most_actions: When to give up.

    Returns:
        Whether it ended.
    """
    for _ in range(most_actions):
        if battle.over:
            return True
        act(battle, bot.act(battle))
    return battle.over
