"""The reference battle written out by hand: lists and ints, no graphs, no dispatch, no events.

It is the yardstick for the runtime, which plays the same battle from graphs (``packs/reference``): five
strikes, four defends and a mallet against a lugworm with three moves. Random numbers come from the
runtime's own generator and streams, so that both draw the same cards and the same moves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from runtime.battle.random_streams import EFFECTS, INCREMENT, INTENTS, MASK, MULTIPLIER, SHUFFLE, seed_stream

STRIKE: Final = 0
DEFEND: Final = 1
MALLET: Final = 2
COSTS: Final = (1, 1, 2)
DECK: Final = [STRIKE] * 5 + [DEFEND] * 4 + [MALLET]

GNASH: Final = 0
REAR_UP: Final = 1
COIL: Final = 2
WEIGHTS: Final = (45, 30, 25)
# How often a move may follow itself.
MOST_IN_A_ROW: Final = 1


def play(seed: int, draw_number: Callable[[], float]) -> tuple[bool, int]:
    """Plays one battle with uniformly random legal actions.

    Args:
        seed: The battle's seed.
        draw_number: Gives numbers from 0 up to 1 for the choice of actions.

    Returns:
        Whether the player won, and how many actions it took.
    """
    shuffles = seed_stream(seed, SHUFFLE)
    moves = seed_stream(seed, INTENTS)
    effects = (seed_stream(seed, EFFECTS) * MULTIPLIER + INCREMENT) & MASK
    enemy_hp = 40 + (((effects >> 32) * 5) >> 32)
    hp, armor, energy = 80, 0, 3
    enemy_armor, strength, vulnerable = 0, 0, 0
    draw = DECK[::-1]
    discard: list[int] = []
    for last in range(len(draw) - 1, 0, -1):
        shuffles = (shuffles * MULTIPLIER + INCREMENT) & MASK
        other = ((shuffles >> 32) * (last + 1)) >> 32
        draw[last], draw[other] = draw[other], draw[last]
    hand = [draw.pop() for _ in range(5)]
    move, row = -1, 0
    actions = 0
    while True:
        # Plan.
        weights = list(WEIGHTS)
        if row >= MOST_IN_A_ROW:
            weights[move] = 0
        moves = (moves * MULTIPLIER + INCREMENT) & MASK
        rest = ((moves >> 32) * sum(weights)) >> 32
        planned = 0
        for index, weight in enumerate(weights):
            rest -= weight
            if rest < 0:
                planned = index
                break
        row = row + 1 if planned == move else 1
        move = planned
        # The player's turn.
        while True:
            playable = [place for place, card in enumerate(hand) if COSTS[card] <= energy]
            chosen = int(draw_number() * (len(playable) + 1))
            actions += 1
            if chosen == len(playable):
                break
            card = hand.pop(playable[chosen])
            energy -= COSTS[card]
            if card == DEFEND:
                armor += 5
            else:
                damage = 6 if card == STRIKE else 8
                if vulnerable:
                    damage = damage * 150 // 100
                absorbed = min(enemy_armor, damage)
                enemy_armor -= absorbed
                enemy_hp -= damage - absorbed
                if enemy_hp <= 0:
                    return True, actions
                if card == MALLET:
                    vulnerable += 2
            discard.append(card)
        discard += hand
        hand.clear()
        # The enemy's step.
        enemy_armor = 0
        if move == REAR_UP:
            strength += 3
            enemy_armor += 6
        else:
            damage = (11 if move == GNASH else 7) + strength
            absorbed = min(armor, damage)
            armor -= absorbed
            hp -= damage - absorbed
            if hp <= 0:
                return False, actions
            if move == COIL:
                enemy_armor += 5
        if vulnerable:
            vulnerable -= 1
        # The next turn.
        armor = 0
        energy = 3
        for _ in range(5):
            if not draw:
                draw = discard[::-1]
                discard = []
                for last in range(len(draw) - 1, 0, -1):
                    shuffles = (shuffles * MULTIPLIER + INCREMENT) & MASK
                    other = ((shuffles >> 32) * (last + 1)) >> 32
                    draw[last], draw[other] = draw[other], draw[last]
            hand.append(draw.pop())
