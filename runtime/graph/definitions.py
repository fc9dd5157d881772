"""Compiled assets, with their graphs as branches: shared by all battles, and written to by the compiler alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from runtime.content.assets import CardAsset, EnemyAsset, EventAsset, Pack, StatusAsset
from runtime.graph.program import Behavior, Branch
from runtime.graph.timings import TIMINGS

if TYPE_CHECKING:
    from runtime.graph.flows import Following

# Keywords of cards as bits: a card's keywords in force are one Int.
EXHAUST: Final = 1
ETHEREAL: Final = 2
RETAIN: Final = 4
INNATE: Final = 8
UNPLAYABLE: Final = 16
POWER: Final = 32
KEYWORDS: Final = {
    "exhaust": EXHAUST,
    "ethereal": ETHEREAL,
    "retain": RETAIN,
    "innate": INNATE,
    "unplayable": UNPLAYABLE,
    "power": POWER,
}

# Keywords of cards that a turn's end does not simply discard.
STAYS_OR_EXHAUSTS: Final = ETHEREAL | RETAIN

# What a card may be played on.
TARGET_NONE: Final = 0
TARGET_SELF: Final = 1
# From here on the player has to choose.
TARGET_ENEMY: Final = 2
TARGET_ANY: Final = 3
TARGETS: Final = {"none": TARGET_NONE, "enemy": TARGET_ENEMY, "self": TARGET_SELF, "any": TARGET_ANY}

# The cost of a card that costs x (R4.10).
COST_X: Final = -1

# Stack rules (R5.1).
ADD: Final = 0
MAX: Final = 1
REPLACE: Final = 2
STACK_RULES: Final = {"add": ADD, "max": MAX, "replace": REPLACE}


class CardDefinition:
    """A card as its asset defines it."""

    __slots__ = (
        "asset",
        "base_cost",
        "behavior",
        "id",
        "keywords",
        "name",
        "rarity",
        "tags",
        "target",
        "text_parts",
        "type",
        "upgrade",
        "vars",
    )

    def __init__(self, asset: CardAsset) -> None:
        self.asset = asset
        self.id: str = asset.id
        self.name: str = asset.name
        self.type: str = asset.type
        self.rarity: str = asset.rarity
        self.base_cost: int = asset.cost if isinstance(asset.cost, int) else COST_X
        self.target: int = TARGETS[asset.target]
        self.keywords: int = 0
        for keyword in asset.keywords:
            self.keywords |= KEYWORDS[keyword]
        self.tags: frozenset[str] = frozenset(asset.tags)
        self.vars: dict[str, int] = dict(asset.vars)
        self.upgrade: CardDefinition | None = None
        self.behavior = Behavior(TIMINGS)
        self.text_parts: tuple[TextPart, ...] = ()


class TextPart:
    """A piece of a card's text: literal text, a var, or the live value of a node's input."""

    __slots__ = ("literal", "node", "port", "var")

    def __init__(self, literal: str, var: str, node: str, port: str) -> None:
        self.literal = literal
        self.var = var
        self.node = node
        self.port = port


class StatusDefinition:
    """A status as its asset defines it."""

    __slots__ = (
        "asset",
        "behavior",
        "decay",
        "decay_skips_new",
        "id",
        "keeps",
        "kind",
        "max_stacks",
        "name",
        "stack_rule",
        "tags",
    )

    def __init__(self, asset: StatusAsset) -> None:
        self.asset = asset
        self.id: str = asset.id
        self.name: str = asset.name
        self.kind: str = asset.kind
        self.stack_rule: int = STACK_RULES[asset.stack_rule]
        self.max_stacks: int = asset.max_stacks
        self.decay: int = asset.decay
        self.decay_skips_new: bool = asset.decay_skips_new
        self.keeps: bool = asset.keeps
        self.tags: frozenset[str] = frozenset(asset.tags)
        self.behavior = Behavior(TIMINGS)


class EnemyDefinition:
    """An enemy as its asset defines it."""

    __slots__ = ("armor", "asset", "behavior", "hp_high", "hp_low", "id", "name", "plan", "statuses", "tags")

    def __init__(self, asset: EnemyAsset) -> None:
        self.asset = asset
        self.id: str = asset.id
        self.name: str = asset.name
        hp = asset.hp
        if isinstance(hp, tuple):
            self.hp_low: int = hp[0]
            self.hp_high: int = hp[1]
        else:
            self.hp_low = hp
            self.hp_high = hp
        self.armor: int = asset.armor
        self.tags: frozenset[str] = frozenset(asset.tags)
        self.statuses: list[tuple[StatusDefinition, int]] = []
        self.behavior = Behavior(TIMINGS)
        self.plan: Branch | None = None


class EventDefinition:
    """A GES event as its asset defines it.

    Attributes:
        fields: The types of the fields of a struct, by name; None where a struct may have any.
    """

    __slots__ = ("argument", "asset", "fields", "guid", "id", "sender")

    def __init__(self, asset: EventAsset) -> None:
        self.asset = asset
        self.id: str = asset.id
        self.guid: str = asset.guid
        self.argument: str = asset.argument
        self.sender: bool = asset.sender
        self.fields: dict[str, str] | None = dict(asset.fields) if isinstance(asset.fields, dict) else None


class Content:
    """A compiled pack: what battles are started from.

    Attributes:
        pack: The pack it was compiled from.
        internal_heard: Names of internal events that some graph of the pack receives; a notice that is
            in here, or bound in `notify`, is raised (R6.3).
        noticed: Names, without the prefix ``gcs.``, of the notices that a graph hears or a GES event is
            bound to.
        cards_listen: By timing, whether any card of the pack listens to it.
        cards_change_costs: Whether any card has a Card Cost Hook.
        hears_turns: Whether a card or a notice listens to the phases of turns.
        hears_shuffles: Whether a card or a notice listens to the draw pile being shuffled.
        hears_discards: Whether a card or a notice listens to cards being discarded.
        notify: Notices bound to GES events: name without the prefix ``gcs.`` to event.
        has_choices: Whether any graph may ask the player.
        ges_heard: GUIDs of the GES events that some graph of the pack receives.
        flows: What follows from GES events, by GUID (`runtime.graph.flows`); filled in when the first battle starts.
    """

    __slots__ = (
        "cards",
        "cards_change_costs",
        "cards_listen",
        "enemies",
        "events",
        "events_by_guid",
        "flows",
        "ges_heard",
        "has_choices",
        "hash",
        "hears_discards",
        "hears_shuffles",
        "hears_turns",
        "id",
        "internal_heard",
        "noticed",
        "notify",
        "pack",
        "statuses",
    )

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self.id: str = pack.info.id
        self.hash: str = pack.content_hash
        self.cards: dict[str, CardDefinition] = {}
        self.statuses: dict[str, StatusDefinition] = {}
        self.enemies: dict[str, EnemyDefinition] = {}
        self.events: dict[str, EventDefinition] = {}
        self.events_by_guid: dict[str, EventDefinition] = {}
        self.internal_heard: frozenset[str] = frozenset()
        self.notify: dict[str, EventDefinition] = {}
        self.has_choices: bool = False
        self.noticed: frozenset[str] = frozenset()
        self.cards_listen: list[bool] = [False] * TIMINGS
        self.ges_heard: frozenset[str] = frozenset()
        self.flows: dict[str, Following] | None = None
        self.cards_change_costs: bool = False
        self.hears_turns: bool = False
        self.hears_discards: bool = False
        self.hears_shuffles: bool = False
