"""A battle that runs in this process."""

from __future__ import annotations

from typing import Any, Final

from bridge.scenario.driver import (
    Action,
    Answer,
    Concede,
    DriverError,
    EndTurn,
    PlayCard,
    RaiseEvent,
    Refusal,
    SetState,
    Setup,
)
from bridge.scenario.format import INVALID_ACTION, INVALID_ARGUMENT
from bridge.scenario.happenings import card_id, happening_of, intent_view
from bridge.scenario.payloads import Payload, payload_of
from bridge.scenario.views import BattleView, CardView, ChoiceView, Happening, RewardView, UnitView
from bridge.wire.arguments import ArgumentTypes
from bridge.wire.names import card_number, find_unit
from runtime import battle as runtime
from runtime.battle.costs import BATTLE_OVER, CHOICE_PENDING, needs_target
from runtime.battle.state import DISCARD, DRAW, EXHAUST_PILE, HAND, OUTCOMES, PHASES, RUNNING, Battle, Unit
from runtime.battle.texts import card_text
from runtime.content.guids import normalize_guid
from runtime.graph.compile import compile_pack
from runtime.graph.definitions import Content, EventDefinition
from runtime.loading import encounter_of, load_content
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

    def start(self, setup: Setup) -> None:
        """Starts the battle; see `Driver.start`."""
        pack = setup.pack
        content = load_content(pack) if isinstance(pack, str) else compile_pack(pack, library())
        deck = list(setup.deck) if setup.deck is not None else None
        encounter = encounter_of(content, setup.encounter, player=setup.player, deck=deck)
        try:
            self.battle = runtime.start_battle(
                content,
                encounter,
                seed=setup.seed,
                rules=setup.rules,
                shuffle=setup.shuffle,
                tracing=self._tracing,
            )
        except ValueError as error:
            raise DriverError(str(error)) from error
        self._types = ArgumentTypes(content.pack)
        self._look()

    def act(self, action: Action) -> Refusal | None:
        """Carries out an action; see `Driver.act`."""
        if isinstance(action, RaiseEvent):
            found = self._raise(action)
            if isinstance(found, Refusal):
                return found
            refused = runtime.act(self.battle, found)
        else:
            try:
                refused = runtime.act(self.battle, _runtime_action(self.battle, action))
            except runtime.SettingError as error:
                return Refusal(INVALID_ACTION, str(error))
        if refused is not None:
            return Refusal(refused.reason, refused.message)
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

    def _raise(self, action: RaiseEvent) -> runtime.Raise | Refusal:
        content: Content = self.battle.content
        guid = normalize_guid(action.guid)
        event = content.events_by_guid.get(guid) if guid is not None else None
        if event is None:
            return Refusal(INVALID_ARGUMENT, f"no GES event with the GUID {action.guid}")
        arguments = _arguments(self.battle, event, payload_of(event.argument, action.arg))
        if arguments is None:
            return Refusal(INVALID_ARGUMENT, f"{event.id} carries {event.argument}, not {action.arg!r}")
        if action.sender is not None:
            sender = find_unit(self.battle, action.sender) if isinstance(action.sender, str) else None
            if sender is None or not event.sender:
                return Refusal(INVALID_ARGUMENT, f"{event.id}: no such sender {action.sender!r}")
            arguments["sender"] = sender
        return runtime.Raise(event, arguments)


def _runtime_action(battle: Battle, action: Action) -> runtime.Action:
    match action:
        case PlayCard(card, target):
            return runtime.PlayCard(card_number(card), _unit_number(battle, target))
        case Answer(cards, option):
            return runtime.Answer([option] if option >= 0 else [card_number(card) for card in cards])
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


def _arguments(battle: Battle, event: EventDefinition, payload: Payload) -> dict[str, Any] | None:
    """A payload as the runtime takes it; None when it is not of the event's type."""
    if payload.kind != event.argument:
        return None
    value = payload.value
    match payload.kind:
        case "none":
            return {}
        case "unit":
            unit = find_unit(battle, value)
            return {"arg": unit} if unit is not None or value == "none" else None
        case "status":
            status = battle.content.statuses.get(value)
            return {"arg": status} if status is not None else None
        case "card":
            card = _find_card(battle, value)
            return {"arg": card} if card >= 0 else None
        case "vector2" | "vector3" | "color":
            return dict(value)
        case "struct":
            return {name: part.value for name, part in value.items()}
    return {"arg": value}


def _find_card(battle: Battle, name: str) -> int:
    """A card by its instance, or the first of an asset id; -1 for none."""
    number = card_number(name)
    if 0 <= number < len(battle.cards):
        return number
    for pile in _SEARCHED:
        cards = battle.piles[pile]
        for card in cards if pile == HAND else reversed(cards):
            if card_id(battle, card) == name:
                return card
    return -1


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
        alive=unit.living,
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
