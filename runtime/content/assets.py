"""The assets of a pack as typed objects: the same fields, names and defaults as in the JSON files.

The JSON Schema and the checker are derived from these classes (`runtime.content.shape`), which is why
bounds and patterns stand in the types. A wrong value never gets into an object; it is reported.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

Int = Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]
Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Positive = Annotated[int, Meta(ge=1, le=2**31 - 1)]
AssetId = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]*$", description="lower snake case")]
OptionalAssetId = Annotated[str, Meta(pattern=r"^([a-z][a-z0-9_]*)?$", description="lower snake case")]
# `runtime.content.guids` has the check, for what is no GUID has its own message; this tells editors.
Guid = Annotated[
    str,
    Meta(extra_json_schema={"pattern": "^([0-9a-fA-F]{32}|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$"}),
]
# Within 1 and the 32-bit limit; `references` checks it, because msgspec (0.23) crashes on a bounded int that
# stands beside a fixed tuple in a union.
HitPoints = Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": 2**31 - 1})]
Keyword = Literal["exhaust", "ethereal", "retain", "innate", "unplayable", "power"]
Extra = dict[str, Any]


class Asset(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of every asset: strict about unknown fields."""


class NodeAsset(Asset, frozen=True):
    """One node of a graph."""

    id: str
    type: str
    params: dict[str, Any] = msgspec.field(default_factory=dict)
    pos: tuple[float, float] | UnsetType = UNSET
    note: str = ""


class GraphAsset(Asset, frozen=True):
    """A graph: nodes, and links from an output port to an input port, each written ``node.port``."""

    nodes: list[NodeAsset] = msgspec.field(default_factory=list)
    links: list[tuple[str, str]] = msgspec.field(default_factory=list)
    groups: list[Any] = msgspec.field(default_factory=list)


class CardAsset(Asset, frozen=True):
    """A card."""

    id: AssetId
    cost: Count | Literal["x"]
    target: Literal["none", "enemy", "self", "any"]
    name: str = ""
    text: str = ""
    type: str = ""
    rarity: str = ""
    keywords: list[Keyword] = msgspec.field(default_factory=list)
    tags: list[str] = msgspec.field(default_factory=list)
    vars: dict[str, Int] = msgspec.field(default_factory=dict)
    upgrade: str | None = None
    graph: GraphAsset | UnsetType = UNSET
    graph_of: str | None = None
    extra: Extra = msgspec.field(default_factory=dict)


class StatusAsset(Asset, frozen=True):
    """A status."""

    id: AssetId
    name: str = ""
    text: str = ""
    kind: Literal["buff", "debuff"] = "buff"
    stack_rule: Literal["add", "max", "replace"] = "add"
    max_stacks: Positive = 999
    decay: Count = 0
    decay_skips_new: bool = False
    visible: bool = True
    keeps: bool = False
    tags: list[str] = msgspec.field(default_factory=list)
    graph: GraphAsset = msgspec.field(default_factory=GraphAsset)
    extra: Extra = msgspec.field(default_factory=dict)


class EnemyAsset(Asset, frozen=True):
    """An enemy."""

    id: AssetId
    hp: HitPoints | tuple[Positive, Positive]
    name: str = ""
    text: str = ""
    armor: Count = 0
    statuses: dict[str, Positive] = msgspec.field(default_factory=dict)
    tags: list[str] = msgspec.field(default_factory=list)
    graph: GraphAsset = msgspec.field(default_factory=GraphAsset)
    extra: Extra = msgspec.field(default_factory=dict)


class PlayerAsset(Asset, frozen=True):
    """The player of an encounter."""

    hp: Positive
    max_hp: Positive | UnsetType = UNSET
    energy: Count = 3
    draw: Count = 5
    hand_limit: Count = 10
    armor: Count = 0
    statuses: dict[str, Positive] = msgspec.field(default_factory=dict)
    variables: dict[str, Int] = msgspec.field(default_factory=dict)


class RewardAsset(Asset, frozen=True):
    """One row of rewards, drawn by weight on a win."""

    cards: list[str] = msgspec.field(default_factory=list)
    choose: Count = 1
    weight: Positive = 1


class EncounterAsset(Asset, frozen=True):
    """An encounter: the enemies, the player's figures and deck, and the rewards.

    In a pack it must have an id; an encounter object that a battle is started with may go without.
    """

    enemies: Annotated[list[str], Meta(min_length=1)]
    deck: str
    player: PlayerAsset
    id: OptionalAssetId = ""
    name: str = ""
    max_enemies: Positive = 5
    keep_hand: bool = False
    rewards: list[RewardAsset] = msgspec.field(default_factory=list)
    extra: Extra = msgspec.field(default_factory=dict)


class DeckAsset(Asset, frozen=True):
    """A deck: card ids in order."""

    id: AssetId
    cards: Annotated[list[str], Meta(min_length=1)]
    name: str = ""
    extra: Extra = msgspec.field(default_factory=dict)


ArgumentType = Literal[
    "none", "int", "float", "bool", "text", "vector2", "vector3", "color", "unit", "card", "status", "struct"
]


# Types of the fields of a struct: what can be read with Event Arg, and numbers with a point.
FieldType = Literal["int", "float", "bool", "text", "unit", "card", "status"]


class EventAsset(Asset, frozen=True):
    """A GES event; `fields` declares those of a struct, by name, and without it a struct may have any."""

    id: AssetId
    guid: Guid
    name: str = ""
    category: str = ""
    argument: ArgumentType = "none"
    sender: bool = False
    fields: dict[str, FieldType] | UnsetType = UNSET
    extra: Extra = msgspec.field(default_factory=dict)


class TriggerAsset(Asset, frozen=True):
    """What follows from an event at once or after a delay."""

    from_: str = msgspec.field(name="from")
    to: str
    delay_ms: Count = 0
    priority: Int = 0
    when: dict[str, Any] | None = None
    pass_: bool = msgspec.field(name="pass", default=True)


class ChainStepAsset(Asset, frozen=True):
    """One step of a chain."""

    to: str
    delay_ms: Count = 0
    duration_ms: Count = 0
    when: dict[str, Any] | None = None
    pass_: bool = msgspec.field(name="pass", default=True)


class ChainAsset(Asset, frozen=True):
    """Steps that follow from an event one after the other."""

    from_: str = msgspec.field(name="from")
    steps: Annotated[list[ChainStepAsset], Meta(min_length=1)]


class FlowAsset(Asset, frozen=True):
    """GES triggers and chains."""

    id: AssetId
    triggers: list[TriggerAsset] = msgspec.field(default_factory=list)
    chains: list[ChainAsset] = msgspec.field(default_factory=list)
    extra: Extra = msgspec.field(default_factory=dict)


class PackInfo(Asset, frozen=True):
    """What ``pack.json`` says."""

    id: AssetId
    name: str = ""
    version: str = "0.0.0"
    rules: Literal["documented", "extended"] = "documented"
    notify: dict[str, Guid] = msgspec.field(default_factory=dict)
    extra: Extra = msgspec.field(default_factory=dict)


class PackObject(PackInfo, frozen=True):
    """A whole pack as one JSON object: the fields of ``pack.json`` and lists of assets."""

    id: AssetId = "inline"
    cards: list[CardAsset] = msgspec.field(default_factory=list)
    statuses: list[StatusAsset] = msgspec.field(default_factory=list)
    enemies: list[EnemyAsset] = msgspec.field(default_factory=list)
    encounters: list[EncounterAsset] = msgspec.field(default_factory=list)
    decks: list[DeckAsset] = msgspec.field(default_factory=list)
    events: list[EventAsset] = msgspec.field(default_factory=list)
    flows: list[FlowAsset] = msgspec.field(default_factory=list)


class Pack(Struct, frozen=True, kw_only=True):
    """A pack that has been read and checked: every asset by its id, in the order of the ids.

    GUIDs, in `EventAsset.guid`, `PackInfo.notify` and in graphs, are lower case with hyphens here,
    however the files write them; a node's param that was given as null is left out.
    """

    info: PackInfo
    cards: dict[str, CardAsset]
    statuses: dict[str, StatusAsset]
    enemies: dict[str, EnemyAsset]
    encounters: dict[str, EncounterAsset]
    decks: dict[str, DeckAsset]
    events: dict[str, EventAsset]
    flows: dict[str, FlowAsset]
    content_hash: str
