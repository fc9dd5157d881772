"""From a request to what a battle is started with: the pack, the encounter with its overrides, rules and limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from bridge.battles.battle_sizes import check_sizes
from bridge.battles.packs import LoadedPack, PackLibrary
from bridge.error_reasons import ErrorReason
from bridge.errors import CallError, bad_content, invalid, not_found
from bridge.pb.gcs.v1 import service_pb2
from bridge.settings import ServerLimits, ServerSettings
from bridge.wire.names import RULES
from runtime.battle.agent import Agent
from runtime.battle.encounters import Encounter, prepare_encounter
from runtime.battle.ges_listeners import BattleListeners
from runtime.battle.setup import MOST_DEPTH, MOST_ECHO, start_battle
from runtime.battle.state import DEPTH_LIMIT, ECHO_LIMIT, NODE_LIMIT, Battle
from runtime.content.assets import EncounterAsset
from runtime.content.overrides import check_deck, check_encounter, check_player
from runtime.content.problems import PackError

MOST_TURNS: Final = 1_000_000
# A request up to this many bytes, and a deck up to this many cards, is read in about a millisecond.
_SMALL: Final = 16_384
_SMALL_DECK: Final = 500
_PLAYER_NUMBERS: Final = ("hp", "max_hp", "energy", "draw", "hand_limit", "armor")
_PLAYER_MAPS: Final = ("statuses", "variables")


@dataclass(frozen=True, slots=True)
class BattleSetup:
    """All that a battle is started with but its seed.

    Attributes:
        loaded: The pack.
        encounter: The encounter, overrides applied.
        rules: ``documented``, ``extended``, or empty for the pack's.
        shuffle: Whether piles are shuffled.
        depth_limit: How deep dispatch may nest (R2.5).
        node_limit: How many flow nodes one root may run (R2.5).
        max_turns: After which turn the battle is undecided; 0: none.
        echo_limit: How often a GES event may answer itself.
    """

    loaded: LoadedPack
    encounter: Encounter
    rules: str
    shuffle: bool
    depth_limit: int
    node_limit: int
    max_turns: int
    echo_limit: int

    def start(
        self,
        seed: int,
        agent: Agent | None = None,
        logging: bool = True,
        listeners: BattleListeners | None = None,
        database_active: bool = True,
    ) -> Battle:
        """Starts a battle and runs its set-up.

        Args:
            seed: From 0 to 2**64 - 1.
            agent: Who answers choices; None: the battle waits with an open choice.
            logging: Whether events are logged.
            listeners: Who hears its GES events, from set-up on.
            database_active: Whether the pack's GES events are on (R6.6).
        """
        return start_battle(
            self.loaded.content,
            self.encounter,
            seed=seed,
            rules=self.rules,
            shuffle=self.shuffle,
            agent=agent,
            logging=logging,
            depth_limit=self.depth_limit,
            node_limit=self.node_limit,
            max_turns=self.max_turns,
            echo_limit=self.echo_limit,
            database_active=database_active,
            listeners=listeners,
            copies_at_choices=False,
        )


def setup_of(request: service_pb2.StartBattleRequest, library: PackLibrary, settings: ServerSettings) -> BattleSetup:
    """What a request asks for.

    Args:
        request: The request.
        library: The packs of the server.
        settings: What the server allows.

    Raises:
        CallError: Something in it is wrong or not allowed.
    """
    limits = settings.limits
    return setup_with(_pack_of(request, library, settings), request, limits.node_budget, limits)


def setup_with(
    loaded: LoadedPack, request: service_pb2.StartBattleRequest, budget: int, sizes: ServerLimits | None = None
) -> BattleSetup:
    """What a request asks for, with a pack that is there.

    Args:
        loaded: The pack.
        request: The request.
        budget: The most flow nodes under one root.
        sizes: How many cards, enemies, statuses and variables it may have; None: any number.

    Raises:
        CallError: Something in it is wrong or not allowed.
    """
    encounter = _encounter_of(loaded, request, sizes)
    if request.rules not in RULES:
        raise invalid("rules", "one of the values of Rules", request.rules)
    limits = request.limits
    return BattleSetup(
        loaded=loaded,
        encounter=encounter,
        rules=RULES[request.rules],
        shuffle=request.shuffle if request.HasField("shuffle") else True,
        depth_limit=_within("limits.depth", limits.depth, MOST_DEPTH) or DEPTH_LIMIT,
        node_limit=_within("limits.nodes", limits.nodes, budget) or min(NODE_LIMIT, budget),
        max_turns=_within("limits.max_turns", limits.max_turns, MOST_TURNS),
        echo_limit=_within("limits.echo", limits.echo, MOST_ECHO) or ECHO_LIMIT,
    )


async def resolve_setup(
    request: service_pb2.StartBattleRequest, library: PackLibrary, settings: ServerSettings
) -> BattleSetup:
    """What a request asks for, like `setup_of`; what takes long is done in the library's thread.

    Raises:
        CallError: Something in it is wrong or not allowed.
    """
    small = request.ByteSize() <= _SMALL and len(request.deck.cards) <= _SMALL_DECK
    if small and request.WhichOneof("pack_source") == "pack" and library.has(request.pack):
        return setup_of(request, library, settings)
    return await library.apart(setup_of, request, library, settings)


def check_inline_packs(settings: ServerSettings) -> None:
    """Refuses a pack sent by a client where the server takes none.

    Raises:
        CallError: It takes none.
    """
    if not settings.allow_inline_packs:
        message = "this server takes no inline packs"
        raise CallError(ErrorReason.INLINE_PACKS_NOT_ALLOWED, message)


def _pack_of(request: service_pb2.StartBattleRequest, library: PackLibrary, settings: ServerSettings) -> LoadedPack:
    source = request.WhichOneof("pack_source")
    if source is None:
        raise invalid("pack", "the id of a pack, or pack_json")
    if source == "pack":
        return library.require(request.pack)
    check_inline_packs(settings)
    try:
        return library.inline(request.pack_json)
    except PackError as error:
        raise bad_content("pack_json", error) from error


def _within(field: str, value: int, most: int) -> int:
    if not 0 <= value <= most:
        raise invalid(field, f"a number from 0 to {most}", value)
    return value


def _encounter_of(loaded: LoadedPack, request: service_pb2.StartBattleRequest, sizes: ServerLimits | None) -> Encounter:
    content = loaded.content
    pack = content.pack
    source = request.WhichOneof("encounter_source")
    asset: EncounterAsset
    if source is None:
        raise invalid("encounter", "the id of an encounter of the pack, or encounter_json")
    if source == "encounter":
        if request.encounter not in pack.encounters:
            raise not_found("encounter", request.encounter, pack.encounters, f"in the pack {pack.info.id}")
        asset = pack.encounters[request.encounter]
    else:
        try:
            asset = check_encounter(pack, request.encounter_json.encode())
        except PackError as error:
            raise bad_content("encounter_json", error) from error
    if sizes is not None:
        cards = len(request.deck.cards) if request.HasField("deck") else len(pack.decks[asset.deck].cards)
        check_sizes(asset, request.player, cards, pack, sizes)
    player: dict[str, Any] | None = None
    deck: list[str] | None = None
    if request.HasField("player"):
        try:
            player = check_player(pack, _player_fields(request.player))
        except PackError as error:
            raise bad_content("player", error) from error
    if request.HasField("deck"):
        try:
            deck = check_deck(pack, list(request.deck.cards))
        except PackError as error:
            raise bad_content("deck.cards", error) from error
    return prepare_encounter(content, asset, player, deck)


def _player_fields(override: service_pb2.PlayerOverride) -> dict[str, Any]:
    fields: dict[str, Any] = {name: getattr(override, name) for name in _PLAYER_NUMBERS if override.HasField(name)}
    for name in _PLAYER_MAPS:
        given = getattr(override, name)
        if given:
            # A map has no order on the wire; a battle must not depend on one (R8.1).
            fields[name] = {key: given[key] for key in sorted(given)}
    return fields
