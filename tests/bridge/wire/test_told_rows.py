"""What is remembered between actions says the same as what is written anew: rows of state, and encoded events."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict

from bridge.battles.battles import Battles
from bridge.battles.packs import PackLibrary
from bridge.battles.session import Session
from bridge.ges import Ges, ManualClock
from bridge.pb.gcs.v1 import battle_pb2, events_pb2, service_pb2
from bridge.settings import ServerSettings
from bridge.wire import events as writing
from bridge.wire.state import StateView
from runtime.packs import load_pack
from tests.bridge.players import choose

ENCOUNTERS = ["first_fight", "tide_pool", "chapel", "light_eater", "fight"]
MOST_ACTIONS = 40
PACK = {
    "id": "told",
    "cards": [
        {
            "id": "eager",
            "cost": 2,
            "target": "none",
            "text": "Costs less with each card played.",
            "upgrade": "seek",
            "graph": {
                "nodes": [
                    {"id": "cost", "type": "card_cost_hook"},
                    {"id": "turn", "type": "battle_info"},
                    {"id": "less", "type": "int_math", "params": {"op": "subtract"}},
                    {"id": "cheaper", "type": "set_hook_amount"},
                ],
                "links": [
                    ["cost.out", "cheaper.in"],
                    ["cost.amount", "less.a"],
                    ["turn.cards_played_this_turn", "less.b"],
                    ["less.result", "cheaper.amount"],
                ],
            },
        },
        {
            "id": "seek",
            "cost": 0,
            "target": "none",
            "graph": {
                "nodes": [
                    {"id": "played", "type": "on_card_played"},
                    {"id": "pile", "type": "cards_in_pile", "params": {"pile": "draw"}},
                    {"id": "pick", "type": "choose_card", "params": {"min": 1, "max": 1}},
                    {"id": "take", "type": "move_card", "params": {"to": "hand"}},
                ],
                "links": [
                    ["played.out", "pick.in"],
                    ["pick.out", "take.in"],
                    ["pile.cards", "pick.cards"],
                    ["pick.card", "take.card"],
                ],
            },
        },
        {
            "id": "study",
            "cost": 0,
            "target": "none",
            "text": "Upgrades the cards of the draw pile where they lie.",
            "graph": {
                "nodes": [
                    {"id": "played", "type": "on_card_played"},
                    {"id": "pile", "type": "cards_in_pile", "params": {"pile": "draw"}},
                    {"id": "each", "type": "for_each_card"},
                    {"id": "better", "type": "upgrade_card"},
                ],
                "links": [
                    ["played.out", "each.in"],
                    ["pile.cards", "each.cards"],
                    ["each.body", "better.in"],
                    ["each.card", "better.card"],
                ],
            },
        },
    ],
    "enemies": [{"id": "dummy", "hp": 30}],
    "decks": [{"id": "deck", "cards": ["eager", "seek"] * 7 + ["study"]}],
    "encounters": [{"id": "fight", "enemies": ["dummy"], "deck": "deck", "player": {"hp": 30}}],
}
HOOK_PACK = {
    "id": "hooked",
    "cards": [
        {
            "id": "shield",
            "cost": 1,
            "target": "none",
            "text": "Gain {gain.amount} armor.",
            "graph": {
                "nodes": [
                    {"id": "played", "type": "on_card_played"},
                    {"id": "gain", "type": "gain_armor", "params": {"amount": 6, "target": "player"}},
                ],
                "links": [["played.out", "gain.in"]],
            },
        },
        {
            "id": "cleanse",
            "cost": 0,
            "target": "none",
            "graph": {
                "nodes": [
                    {"id": "played", "type": "on_card_played"},
                    {"id": "free", "type": "remove_status", "params": {"kind": "all", "target": "player"}},
                ],
                "links": [["played.out", "free.in"]],
            },
        },
    ],
    "statuses": [
        {
            "id": "clumsy",
            "graph": {
                "nodes": [
                    {"id": "armor", "type": "armor_gain_hook"},
                    {"id": "two", "type": "set_hook_amount", "params": {"amount": 2}},
                    {"id": "cost", "type": "card_cost_hook"},
                    {"id": "free", "type": "set_hook_amount", "params": {"amount": 0}},
                ],
                "links": [["armor.out", "two.in"], ["cost.out", "free.in"]],
            },
        }
    ],
    "enemies": [{"id": "dummy", "hp": 30}],
    "decks": [{"id": "deck", "cards": ["shield", "cleanse", "shield"]}],
    "encounters": [
        {
            "id": "fight",
            "enemies": ["dummy"],
            "deck": "deck",
            "player": {"hp": 30, "energy": 3, "statuses": {"clumsy": 1}},
        }
    ],
}
CARDS = sorted(load_pack("starter").cards)
# A choice from the draw pile, a cost of its own, and numbers that other cards and units change.
MOVING = ["riptide", "storm_surge", "ballast_blow", "squall", "vent_steam", "gaff"]


@pytest.fixture(scope="module")
def battles() -> Battles:
    settings = ServerSettings()
    ges = Ges(settings.limits, ManualClock())
    return Battles(settings, PackLibrary((), settings.limits.inline_packs), ges)


def play(battles: Battles, encounter: str, seed: int, open_draw_pile: bool) -> Any:
    """Plays at random; yields the session and its state after every action."""
    request = service_pb2.StartBattleRequest(encounter=encounter, seed=seed, open_draw_pile=open_draw_pile)
    random = Random(seed)
    if encounter == "fight":
        request.pack_json = json.dumps(PACK)
    else:
        request.pack = "starter"
    if seed % 2 and encounter != "fight":
        request.deck.cards.extend(random.choices(CARDS, k=8) + MOVING * 2)
    session = battles.start(request)
    for _ in range(MOST_ACTIONS):
        state = events_pb2.Update.FromString(session.snapshot()).snapshot
        yield session, state
        if not session.running:
            break
        session.act(choose(random, state))
    battles.end(session.battle_id)


def fresh(session: Session, open_draw_pile: bool) -> battle_pb2.BattleState:
    """The state as a view that has never told anything tells it."""
    view = StateView(session.battle, session.battle_id, open_draw_pile, True)
    view.change()
    return battle_pb2.BattleState.FromString(view.snapshot())


@pytest.mark.parametrize("open_draw_pile", [False, True])
@pytest.mark.parametrize("encounter", ENCOUNTERS)
def test_rows_kept_from_action_to_action_are_those_of_a_fresh_view(
    battles: Battles, encounter: str, open_draw_pile: bool
) -> None:
    for seed in range(4):
        for session, state in play(battles, encounter, seed, open_draw_pile):
            assert MessageToDict(state) == MessageToDict(fresh(session, open_draw_pile)), seed


def test_cards_in_hand_are_told_again_when_the_last_hook_goes(battles: Battles) -> None:
    request = service_pb2.StartBattleRequest(pack_json=json.dumps(HOOK_PACK), encounter="fight", seed=1)
    session = battles.start(request)

    def shield() -> tuple[int, str]:
        state = events_pb2.Update.FromString(session.snapshot()).snapshot
        return next((card.cost, card.text) for card in state.cards if card.card_id == "shield")

    assert shield() == (0, "Gain 2 armor.")
    names = {card.card_id: card.id for card in events_pb2.Update.FromString(session.snapshot()).snapshot.cards}
    played = session.act(battle_pb2.Action(play_card=battle_pb2.PlayCard(card=names["cleanse"])))
    assert isinstance(played, bytes)
    assert shield() == (1, "Gain 6 armor.")
    battles.end(session.battle_id)


def forget() -> None:
    """Forgets all events that are remembered."""
    writing._memory.clear()
    writing._moves.clear()
    for remembered in writing._plain:
        if remembered is not None:
            remembered.clear()


@pytest.mark.parametrize("encounter", ENCOUNTERS)
def test_events_that_are_remembered_are_those_written_anew(battles: Battles, encounter: str) -> None:
    for seed in range(4):
        told = []
        for anew in (False, False, True):
            for session, _ in play(battles, encounter, seed, seed % 2 == 0):
                events = session.snapshot(after=0)
                if anew:
                    forget()
            told.append(list(events_pb2.Update.FromString(events).events))
        assert told[1] == told[0], seed
        assert told[2] == told[0], seed
        assert len(told[0]) > 50
