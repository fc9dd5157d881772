"""A battle that runs in this process."""

from __future__ import annotations

from typing import Final

from bridge.errors import CallError
from bridge.scenario.driver import (
    Action,
    Answer,
    BattleSpec,
    Concede,
    DriverError,
    EndTurn,
    PlayCard,
    RaiseEvent,
    SetState,
)
from bridge.scenario.format import INVALID_ARGUMENT
from bridge.scenario.happenings import card_id, happening_of, intent_view
from bridge.scenario.packs import event_named
from bridge.scenario.payloads import PayloadError, payload_of
from bridge.scenario.views import BattleView, CardView, ChoiceView, Happening, RewardView, UnitView
from bridge.wire.actions import INVALID_ACTION
from bridge.wire.arguments import ArgumentTypes
from bridge.wire.names import card_name, card_number, find_unit
from bridge.wire.payloads import arguments_of
from runtime import battle as runtime
from runtime.battle.choices import OPTION_CHOICE
from runtime.battle.legality import needs_target
from runtime.battle.rejections import BATTLE_OVER, CHOICE_PENDING, Rejection
from runtime.battle.state import DISCARD, DRAW, EXHAUST_PILE, HAND, OUTCOMES, PHASES, RUNNING, Battle, Unit
from runtime.battle.texts import card_text
from runtime.graph.compile import compile_pack
from runtime.loading import encounter_of
from runtime.nodes import library

# R6.1: the order in which a card is looked for.
_SEARCHED: Final = (HAND, DRAW, DISCARD, EXHAUST_PILE)


class InProcessDriver:
    """Drives a battle of the runtime directly; see `bridge.scenario.driver.Driver`.

    Attributes:
        battle: The battle itself, once it has started.
    """

    view: BattleView
    battle: Battle

    def __init__(self, tracing: bool = False) -> None:
        """A driver without a battle.

        Args:
            tracing: Whether flow nodes are told, too.
        """
        self.happenings: list[Happening] = []
        self._tracing = tracing
        self._settled = 0

    def start(self, spec: BattleSpec) -> None:
        """Starts the battle; see `Driver.start`."""
        content = compile_pack(spec.pack, library())
        deck = list(spec.deck) if spec.deck is not None else None
        encounter = encounter_of(content, spec.encounter, player=spec.player, deck=deck)
        try:
            self.battle = runtime.start_battle(
                content,
                encounter,
                seed=spec.seed,
                rules=spec.rules,
                shuffle=spec.shuffle,
                tracing=self._tracing,
            )
        except ValueError as error:
            raise DriverError(str(error)) from error
        self._types = ArgumentTypes(content.pack)
        self._look()

    def act(self, action: Action) -> Rejection | None:
        """Carries out an action; see `Driver.act`."""
        if isinstance(action, RaiseEvent):
            found = self._raise(action)
            if isinstance(found, Rejection):
                return found
            rejected = runtime.act(self.battle, found)
        else:
            try:
                rejected = runtime.act(self.battle, _runtime_action(self.battle, action))
            except runtime.SettingError as error:
                return Rejection(INVALID_ACTION, str(error))
        if rejected is not None:
            return rejected
        self._look()
        return None

    def close(self) -> None:
        """Does nothing: the battle goes with the driver."""

    def _look(self) -> None:
        # What a node gives is known when it has run: events of an action that waited for an answer are read again.
        del self.happenings[self._settled :]
        events = runtime.read_events(self.battle, self._settled)
        self.happenings += [happening_of(self.battle, event, self._types) for event in events]
        if self.battle.choice is None:
            self._settled = len(self.happenings)
        self.view = view_of(self.battle)

    def _raise(self, action: RaiseEvent) -> runtime.Raise | Rejection:
        battle = self.battle
        asset = event_named(battle.content.pack, action.event)
        if asset is None:
            return Rejection(INVALID_ARGUMENT, f"no GES event {action.event}")
        event = battle.content.events_by_guid[asset.guid]
        try:
            arg = payload_of(event.argument, action.arg, lambda name: _find_card(battle, name))
            sender = payload_of("unit", action.sender, str)
            return runtime.Raise(event, arguments_of(battle, event, arg, sender))
        except PayloadError as error:
            return Rejection(INVALID_ARGUMENT, str(error))
        except CallError as error:
            return Rejection(INVALID_ARGUMENT, error.message)


def _runtime_action(battle: Battle, action: Action) -> runtime.Action:
    match action:
        case PlayCard(card, target):
            return runtime.PlayCard(card_number(card), _unit_number(battle, target))
        case Answer(cards, option):
            if option >= 0:
                return runtime.Answer([option], OPTION_CHOICE)
            return runtime.Answer([card_number(card) for card in cards])
        case EndTurn():
            return runtime.EndTurn()
        case Concede():
            return runtime.Concede()
        case SetState(values):
            return runtime.SetState(dict(values))
    raise DriverError(f"{action!r} is no action of a player")


def _unit_number(battle: Battle, name: str) -> int:
    unit = find_unit(battle, name)
    return unit.number if unit is not None else -1


def _find_card(battle: Battle, name: str) -> str:
    """The instance of that name, or the first card of an asset id in the order of R6.1; else the name as it is."""
    if 0 <= card_number(name) < len(battle.cards):
        return name
    for pile in _SEARCHED:
        cards = battle.piles[pile]
        for card in cards if pile == HAND else reversed(cards):
            if card_id(battle, card) == name:
                return card_name(card)
    return name


def view_of(battle: Battle) -> BattleView:
    """A battle as it looks from outside."""
    piles = battle.piles
    forbidden = ""
    if battle.outcome != RUNNING:
        forbidden = BATTLE_OVER
    elif battle.choice is not None:
        forbidden = CHOICE_PENDING
    return BattleView(
        turn=battle.turn,
        phase=PHASES[battle.phase],
        outcome=OUTCOMES[battle.outcome],
        energy=battle.energy,
        max_energy=battle.max_energy,
        units=tuple(_unit_view(battle, unit) for unit in battle.units),
        hand=tuple(_card_view(battle, number, forbidden) for number in piles[HAND]),
        # The top of a pile is the end of its list.
        draw=tuple(card_id(battle, number) for number in reversed(piles[DRAW])),
        discard=tuple(card_id(battle, number) for number in reversed(piles[DISCARD])),
        exhaust=tuple(card_id(battle, number) for number in reversed(piles[EXHAUST_PILE])),
        variables=_not_zero(battle.variables),
        choice=_choice_view(battle),
        reward=_reward_view(battle),
        seed=battle.seed,
    )


def _unit_view(battle: Battle, unit: Unit) -> UnitView:
    return UnitView(
        id=unit.name,
        enemy=unit.definition.id if unit.definition is not None else "",
        hp=unit.hp,
        max_hp=unit.max_hp,
        armor=unit.armor,
        alive=unit.alive,
        statuses={name: status.stacks for name, status in unit.statuses.items()},
        variables=_not_zero(unit.variables),
        intent=intent_view(runtime.shown_intent(battle, unit)),
    )


def _card_view(battle: Battle, number: int, forbidden: str) -> CardView:
    card = battle.cards[number]
    targets = runtime.targets_of(battle, card) if needs_target(card) else []
    return CardView(
        id=f"c{number}",
        card_id=card.definition.id,
        cost=runtime.card_cost(battle, card),
        is_x=card.costs_x,
        unplayable_reason=forbidden or runtime.unplayable_reason(battle, card),
        text=card_text(battle, number),
        targets=tuple(unit.name for unit in targets),
    )


def _choice_view(battle: Battle) -> ChoiceView | None:
    choice = battle.choice
    if choice is None:
        return None
    return ChoiceView(
        kind=choice.kind,
        prompt=choice.prompt,
        instances=tuple(f"c{card}" for card in choice.cards),
        cards=tuple(card_id(battle, card) for card in choice.cards),
        options=tuple(choice.options),
        min=choice.min,
        max=choice.max,
    )


def _reward_view(battle: Battle) -> RewardView | None:
    if battle.reward < 0:
        return None
    row = battle.encounter.asset.rewards[battle.reward]
    return RewardView(tuple(row.cards), row.choose)


def _not_zero(variables: dict[str, int]) -> dict[str, int]:
    return {name: value for name, value in variables.items() if value}
