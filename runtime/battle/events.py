"""What happens in a battle, as it is logged and as it is read.

The log is one list of tuples, each ``(kind, cause, …)``: appending a tuple costs a tenth of making an
object, and most events are never read. `Event` and its fields are made when somebody reads them. The
sequence number of an event is its place in the log plus one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from runtime.battle.state import Battle

ACTION_STARTED: Final = 0
ENTRY_DISPATCHED: Final = 1
CARD_MOVED: Final = 2
CARD_CREATED: Final = 3
CARD_CHANGED: Final = 4
CARD_PLAYED: Final = 5
DRAW_PILE_SHUFFLED: Final = 6
DAMAGE_RESOLVED: Final = 7
HP_CHANGED: Final = 8
MAX_HP_CHANGED: Final = 9
ARMOR_CHANGED: Final = 10
ENERGY_CHANGED: Final = 11
STACKS_CHANGED: Final = 12
INTENT_CHANGED: Final = 13
UNIT_SPAWNED: Final = 14
UNIT_DIED: Final = 15
UNIT_REMOVED: Final = 16
PHASE_CHANGED: Final = 17
ENEMY_ACTED: Final = 18
VARIABLE_CHANGED: Final = 19
INTERNAL_EVENT_RAISED: Final = 20
GES_EVENT_RAISED: Final = 21
CHOICE_REQUESTED: Final = 22
CHOICE_ANSWERED: Final = 23
FAULT: Final = 24
WARNING: Final = 25
BATTLE_ENDED: Final = 26
NODE_RUN: Final = 27

# The fields of each kind, in the order of its tuple behind kind and cause. Units are numbers (-1: no
# unit), cards are numbers (-1: no card), piles and phases the numbers of `runtime.battle.state`.
FIELDS: Final[dict[int, tuple[str, tuple[str, ...]]]] = {
    ACTION_STARTED: ("action_started", ("kind",)),
    ENTRY_DISPATCHED: ("entry_dispatched", ("branch", "unit", "card", "ports", "card_id")),
    CARD_MOVED: ("card_moved", ("card", "card_id", "from_pile", "to_pile", "index", "reason")),
    CARD_CREATED: ("card_created", ("card", "card_id", "pile", "index")),
    CARD_CHANGED: ("card_changed", ("card", "card_id", "what")),
    CARD_PLAYED: ("card_played", ("card", "card_id", "target", "paid", "by_player")),
    DRAW_PILE_SHUFFLED: ("draw_pile_shuffled", ("size",)),
    DAMAGE_RESOLVED: ("damage_resolved", ("source", "target", "amount", "absorbed", "hp_loss", "is_attack")),
    HP_CHANGED: ("hp_changed", ("unit", "before", "after", "reason")),
    MAX_HP_CHANGED: ("max_hp_changed", ("unit", "before", "after")),
    ARMOR_CHANGED: ("armor_changed", ("unit", "before", "after", "reason")),
    ENERGY_CHANGED: ("energy_changed", ("before", "after", "reason")),
    STACKS_CHANGED: ("stacks_changed", ("unit", "status", "before", "after", "reason")),
    INTENT_CHANGED: ("intent_changed", ("unit", "intent")),
    UNIT_SPAWNED: ("unit_spawned", ("unit", "enemy", "hp", "max_hp")),
    UNIT_DIED: ("unit_died", ("unit", "killer")),
    UNIT_REMOVED: ("unit_removed", ("unit",)),
    PHASE_CHANGED: ("phase_changed", ("turn", "phase")),
    ENEMY_ACTED: ("enemy_acted", ("unit", "intent")),
    VARIABLE_CHANGED: ("variable_changed", ("scope", "owner", "name", "before", "after")),
    INTERNAL_EVENT_RAISED: ("internal_event_raised", ("name", "arguments")),
    GES_EVENT_RAISED: ("ges_event_raised", ("event", "arguments", "from_battle", "origin", "lineage")),
    CHOICE_REQUESTED: ("choice_requested", ("choice",)),
    CHOICE_ANSWERED: ("choice_answered", ("cards", "option")),
    FAULT: ("fault", ("kind", "message", "chain")),
    WARNING: ("warning", ("kind", "message")),
    BATTLE_ENDED: ("battle_ended", ("result",)),
    NODE_RUN: ("node_run", ("node", "type", "inputs", "outputs")),
}


class Event:
    """One thing that happened.

    Attributes:
        sequence: Its number in the battle, from 1.
        cause: The number of the event that caused it, 0 for none; the causes make the events a tree.
        kind: A name such as ``entry_dispatched``.
        fields: The fields of its kind (`FIELDS`), as objects of the runtime.
    """

    __slots__ = ("cause", "fields", "kind", "number", "sequence")

    def __init__(self, sequence: int, entry: tuple[Any, ...]) -> None:
        self.sequence = sequence
        self.number: int = entry[0]
        self.cause: int = entry[1]
        kind, names = FIELDS[self.number]
        self.kind = kind
        self.fields: dict[str, Any] = dict(zip(names, entry[2:], strict=True))

    def __repr__(self) -> str:
        return f"Event({self.sequence}, {self.kind}, {self.fields!r})"


def read_events(battle: Battle, after: int = 0) -> list[Event]:
    """The battle's events with a sequence number above `after`, in order."""
    return [Event(after + index + 1, entry) for index, entry in enumerate(battle.log[after:])]


def warn(battle: Battle, kind: str, message: str) -> None:
    """Logs a warning event: something odd that ends nothing."""
    if battle.logging:
        battle.log.append((WARNING, battle.running.cause, kind, message))
