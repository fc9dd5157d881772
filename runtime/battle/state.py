"""The state of a battle: plain slotted objects that hold integers, without reference cycles.

A battle owns its units and piles; a unit owns its statuses. Nothing points back, so that a battle that
is dropped is freed at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from runtime.battle.card import Card
from runtime.battle.random_streams import RandomStream
from runtime.battle.running_action import RunningAction
from runtime.graph.definitions import Content, EnemyDefinition, StatusDefinition
from runtime.graph.program import Branch, Leaf
from runtime.graph.timings import TIMINGS

if TYPE_CHECKING:
    from runtime.battle.action_types import Action
    from runtime.battle.agent import Agent
    from runtime.battle.choices import Choice
    from runtime.battle.encounters import Encounter
    from runtime.battle.ges_listeners import BattleListeners
    from runtime.battle.schedule import Schedule

# Phases of a battle.
SETUP: Final = 0
PLAYER_PHASE: Final = 1
ENEMY_PHASE: Final = 2
ENDED: Final = 3
PHASES: Final = ("setup", "player", "enemy", "ended")

# Outcomes of a battle.
RUNNING: Final = 0
WON: Final = 1
LOST: Final = 2
ABORTED: Final = 3
UNDECIDED: Final = 4
OUTCOMES: Final = ("running", "won", "lost", "aborted", "undecided")

# Life of a unit: ALIVE until its E30 begins, DYING until it is done; REMOVED: it left alive.
ALIVE: Final = 0
DYING: Final = 1
DEAD: Final = 2
REMOVED: Final = 3

# Where a card is. IN_PLAY and GONE are no piles: a card in play hears nothing (R6.1), a played power is gone.
HAND: Final = 0
DRAW: Final = 1
DISCARD: Final = 2
EXHAUST_PILE: Final = 3
IN_PLAY: Final = 4
GONE: Final = 5
PILES: Final = ("hand", "draw", "discard", "exhaust", "in_play", "gone")
PILE_NUMBERS: Final = {name: number for number, name in enumerate(PILES)}

# An index that follows the Entries and hooks in a unit's table: statuses that decay (R3.5).
DECAYING: Final = TIMINGS

# Limits that a battle starts with (R2.5).
DEPTH_LIMIT: Final = 128
NODE_LIMIT: Final = 10_000
# How often a GES event may answer itself before it is cut (R2.11).
ECHO_LIMIT: Final = 16


class Status:
    """A status on a unit. `present` turns false for good when it leaves the holder's map."""

    __slots__ = ("applied_by_enemy", "definition", "once", "present", "stacks")

    def __init__(self, definition: StatusDefinition, stacks: int) -> None:
        self.definition = definition
        self.stacks = stacks
        self.present = True
        self.applied_by_enemy = False
        self.once: dict[str, int] | None = None


# A status and a branch of it, as a unit's table lists them; the branch is None in the list of what decays.
Listener: TypeAlias = "tuple[Status, Branch | None]"

NO_LISTENERS: Final[tuple[Listener, ...]] = ()
EMPTY_TABLE: Final[list[tuple[Listener, ...]]] = [NO_LISTENERS] * (TIMINGS + 1)


_NAMES: Final[list[str]] = ["player"] + [f"enemy{number}" for number in range(64)]


class Unit:
    """The player or an enemy.

    Attributes:
        number: 0 for the player, n + 1 for ``enemy<n>``; never used again in a battle.
        name: ``player`` or ``enemy<n>``.
        definition: The enemy's definition; None for the player.
        statuses: By asset id, in the order first applied (R2.4).
        listeners: Branches of its statuses by timing, in status order, hooks by phase. The tuples are
            replaced, never changed: whoever holds one has a frozen list of receivers (R2.2).
        hears_hits: Whether any of them answers a hit or a loss of HP that it takes.
        hears_attacks: Whether any answers a hit that it deals.
        hears_plays: Whether any changes what cards cost or how often they run.
        hears_turns: Whether any answers a phase of a turn, or decays.
        leaf: The stored leaf of the planned intent, or None.
        pattern: What the Pattern nodes of its graph remember, by node.
        once: What Once Per remembers of it.
    """

    __slots__ = (
        "armor",
        "definition",
        "hears_attacks",
        "hears_hits",
        "hears_plays",
        "hears_turns",
        "hp",
        "leaf",
        "life",
        "listeners",
        "max_hp",
        "name",
        "number",
        "once",
        "pattern",
        "statuses",
        "variables",
    )

    def __init__(self, number: int, definition: EnemyDefinition | None, hp: int, max_hp: int, armor: int) -> None:
        self.number = number
        self.name = _NAMES[number] if number < len(_NAMES) else unit_name(number)
        self.definition = definition
        self.hp = hp
        self.max_hp = max_hp
        self.armor = armor
        self.life = ALIVE
        self.statuses: dict[str, Status] = {}
        self.listeners: list[tuple[Listener, ...]] = EMPTY_TABLE[:]
        self.hears_hits = False
        self.hears_attacks = False
        self.hears_plays = False
        self.hears_turns = False
        self.variables: dict[str, int] = {}
        self.leaf: Leaf | None = None
        self.pattern: dict[str, int] | None = None
        self.once: dict[str, int] | None = None

    @property
    def is_player(self) -> bool:
        """Whether it is the player."""
        return self.number == 0

    @property
    def alive(self) -> bool:
        """Whether it is living: HP above 0, not dying, dead or removed."""
        return self.hp > 0 and self.life == ALIVE


def unit_name(number: int) -> str:
    """How a unit is called outside: ``player``, ``enemy0``, ``enemy1`` and so on."""
    if 0 <= number < len(_NAMES):
        return _NAMES[number]
    return f"enemy{number - 1}"


# The accepted actions of a battle, the last one first, as pairs of an action and what came before it:
# copies share it, and recording costs a tuple.
History: TypeAlias = "tuple[Action, Any] | None"


class Battle:
    """The state of one battle. What can be done with it stands in the modules beside this one.

    Attributes:
        piles: Cards by pile number: hand from left to right; draw, discard and exhaust pile with the
            top at the end of the list. Values are card numbers.
        places: The place of every card by its number.
        cards: Every card instance by its number.
        paid: What was paid for each card when it was last played, or its X (R4.10).
        plays: By energy, the plays that are legal with it, by card number: what has been asked for since
            cards, costs and living units last changed; whatever changes them puts a new map here.
        altered: Whether any card has a cost or keyword set on it.
        has_staying: Whether a turn's end may do anything but discard with any card.
        units: The player, then the enemies in order of their number, dead ones included.
        log: What happened, as tuples (`runtime.battle.events`); empty while `logging` is off.
        running: The action that runs now.
        fallen: Whether a unit has died or left, or the battle is decided; until then no branch has to stop.
        kept: The player's statuses that outlast the battle, filled in at its end.
        agent: Who answers choices at once; None: the action is parked until `choice` is answered.
        choice: The open choice, or None.
        waiting: Raises from outside, and what else comes between actions, that wait until the open choice is
            answered (R6.5).
        listeners: Who outside of the battle hears its GES events, or None.
        database_active: Whether the GES events of the pack are on (R6.6).
        schedule: The GES events that are raised later, or None when there were none yet.
        echo_limit: How often an event may answer itself.
        history: Every accepted action, the last one first (R8.2).
        reward: The row of rewards drawn on a win, or -1.
    """

    __slots__ = (
        "agent",
        "altered",
        "cards",
        "cards_played",
        "choice",
        "content",
        "copies_at_choices",
        "database_active",
        "depth_limit",
        "draw",
        "echo_limit",
        "effects",
        "encounter",
        "end_turn_asked",
        "energy",
        "extended",
        "fallen",
        "hand_limit",
        "has_staying",
        "history",
        "intents",
        "kept",
        "listeners",
        "log",
        "logging",
        "max_energy",
        "max_turns",
        "node_limit",
        "outcome",
        "paid",
        "phase",
        "piles",
        "places",
        "player",
        "plays",
        "reward",
        "running",
        "schedule",
        "seed",
        "shuffles",
        "shuffling",
        "tracing",
        "turn",
        "units",
        "variables",
        "waiting",
    )

    def __init__(
        self, content: Content, encounter: Encounter, seed: int, player: Unit, shuffles: int, intents: int, effects: int
    ) -> None:
        self.content = content
        self.encounter = encounter
        self.seed = seed
        self.extended = False
        self.turn = 0
        self.phase = SETUP
        self.outcome = RUNNING
        self.player = player
        self.units: list[Unit] = [player]
        self.cards: list[Card] = []
        self.places: list[int] = []
        self.paid: list[int] = []
        self.plays: dict[int, list[list[Action]]] = {}
        self.altered = False
        self.has_staying = encounter.has_staying
        self.piles: list[list[int]] = [[], [], [], []]
        self.energy = 0
        self.max_energy = encounter.energy
        self.draw = encounter.draw
        self.hand_limit = encounter.hand_limit
        self.variables: dict[str, int] = {}
        self.cards_played = 0
        self.end_turn_asked = False
        self.reward = -1
        self.kept: dict[str, int] = {}
        self.shuffling = True
        self.shuffles = RandomStream(shuffles)
        self.intents = RandomStream(intents)
        self.effects = RandomStream(effects)
        self.copies_at_choices = True
        self.depth_limit = DEPTH_LIMIT
        self.node_limit = NODE_LIMIT
        self.max_turns = 0
        self.fallen = False
        self.running = RunningAction()
        self.logging = True
        self.tracing = False
        self.log: list[tuple[object, ...]] = []
        self.agent: Agent | None = None
        self.choice: Choice | None = None
        self.waiting: list[Action] = []
        self.listeners: BattleListeners | None = None
        self.database_active = True
        self.schedule: Schedule | None = None
        self.echo_limit = ECHO_LIMIT
        self.history: History = None

    @property
    def over(self) -> bool:
        """Whether nothing more can happen: the battle is decided and no choice of its E2 is open."""
        return self.outcome != RUNNING and self.choice is None
