"""Numbers of the timings that a graph can start at: the 33 Entries, E1 to E33, then the hooks.

They index the tables of branches that dispatch looks up; the names are those of the node types.
"""

from __future__ import annotations

from typing import Final

ON_BATTLE_START: Final = 1
ON_BATTLE_END: Final = 2
ON_TURN_START: Final = 3
ON_TURN_END: Final = 4
ON_DRAW_PHASE: Final = 5
ON_DISCARD_PHASE: Final = 6
ON_DRAW_PILE_SHUFFLED: Final = 7
ON_CARD_DRAWN: Final = 8
ON_CARD_PLAYED: Final = 9
ON_CARD_DISCARDED: Final = 10
ON_CARD_EXHAUSTED: Final = 11
ON_CARD_RETAINED: Final = 12
ON_CARD_ADDED_TO_HAND: Final = 13
ON_CARD_ADDED_TO_DECK: Final = 14
ON_DAMAGE_DEALT: Final = 15
ON_DAMAGE_TAKEN: Final = 16
ON_ATTACK_TAKEN: Final = 17
ON_HP_GAINED: Final = 18
ON_HP_LOST: Final = 19
ON_ARMOR_GAINED: Final = 20
ON_ARMOR_LOST: Final = 21
ON_ENERGY_GAINED: Final = 22
ON_ENERGY_SPENT: Final = 23
ON_STATUS_INFLICTED: Final = 24
ON_STATUS_RECEIVED: Final = 25
ON_STATUS_EXPIRED: Final = 26
ON_STATUS_REMOVED: Final = 27
ON_STATUS_STACKS_CHANGED: Final = 28
ON_UNIT_SPAWNED: Final = 29
ON_UNIT_DIED: Final = 30
ON_ENEMY_BEHAVIOR_START: Final = 31
ON_INTERNAL_EVENT: Final = 32
ON_GES_EVENT: Final = 33

FIRST_HOOK: Final = 34
DAMAGE_DEALT_HOOK: Final = 34
DAMAGE_TAKEN_HOOK: Final = 35
HP_LOSS_HOOK: Final = 36
HP_GAIN_HOOK: Final = 37
ARMOR_GAIN_HOOK: Final = 38
ARMOR_LOSS_HOOK: Final = 39
CARD_COST_HOOK: Final = 40
STATUS_STACKS_HOOK: Final = 41
DRAW_COUNT_HOOK: Final = 42
ENERGY_REFILL_HOOK: Final = 43
ARMOR_RESET_HOOK: Final = 44
PLAY_COUNT_HOOK: Final = 45

TIMINGS: Final = 46

# By occasion. A unit keeps for each whether any status of it answers, so that the many hits, plays and turns
# that nobody answers need not ask timing by timing.
OF_HITS: Final = (HP_LOSS_HOOK, ON_DAMAGE_TAKEN, ON_ATTACK_TAKEN, ON_HP_LOST)
OF_ATTACKS: Final = (ON_DAMAGE_DEALT,)
OF_PLAYS: Final = (CARD_COST_HOOK, PLAY_COUNT_HOOK)
OF_TURNS: Final = (
    ARMOR_RESET_HOOK,
    ENERGY_REFILL_HOOK,
    DRAW_COUNT_HOOK,
    ON_TURN_START,
    ON_DRAW_PHASE,
    ON_DISCARD_PHASE,
    ON_TURN_END,
)
