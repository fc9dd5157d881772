"""The order of a hidden draw pile is never on the wire.

Two batteries. The first looks at what is told of cards that lie in the draw pile. The second sets up
battles that differ in nothing but the order of the cards still to be drawn, and compares every byte.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from bridge.battles import Battles
from bridge.ges import Ges
from bridge.library import PackLibrary
from bridge.pb.gcs.v1 import battle_pb2, events_pb2, service_pb2
from bridge.session import Session
from bridge.settings import ServerSettings
from bridge.testing.client import Client, ClientBattle, reason_of
from runtime.battle.state import DRAW
from tests.bridge.packs import wire_pack

DECK = ["brew", "riffle", "bury", "seek", "shield", "stir", "hush", "hit", "burn", "stir", "power", "hush", "hit"]


def _draw_pile(state: battle_pb2.BattleState) -> battle_pb2.PileState:
    return next(pile for pile in state.piles if pile.pile == battle_pb2.PILE_DRAW)


def _played(battle: ClientBattle) -> None:
    """Plays what puts cards into the draw pile, shuffles it, and reacts to that."""
    for card in ("brew", "riffle", "bury"):
        battle.play(card)
    for _ in range(4):
        battle.end_turn()


def test_a_hidden_pile_tells_what_lies_in_it_but_no_order(gcs_client: Client) -> None:
    battle = gcs_client.start(wire_pack(), "fight", deck=DECK, shuffle=False, player={"hp": 500, "draw": 5})
    pile = _draw_pile(battle.state)
    assert (pile.size, list(pile.cards), list(pile.contents)) == (8, [], sorted(DECK[5:]))
    assert not [card for card in battle.state.cards if card.pile == battle_pb2.PILE_DRAW]


def test_events_name_no_place_and_no_card_of_a_hidden_pile(gcs_client: Client) -> None:
    battle = gcs_client.start(wire_pack(), "fight", deck=DECK, shuffle=False, player={"hp": 500, "draw": 5})
    _played(battle)
    kinds = set()
    for event in battle.mirror.events:
        kind = event.WhichOneof("kind")
        if kind == "card_moved" and event.card_moved.to_pile == battle_pb2.PILE_DRAW:
            assert event.card_moved.index == 0
            kinds.add(event.card_moved.cause)
        if kind == "card_created" and event.card_created.pile == battle_pb2.PILE_DRAW:
            assert (event.card_created.card, event.card_created.index) == ("", 0)
            kinds.add(kind)
        if kind == "entry_dispatched" and event.entry_dispatched.entry == "on_draw_pile_shuffled":
            owner = event.entry_dispatched.owner
            assert (owner.kind, owner.id, owner.card) == (events_pb2.OWNER_KIND_CARD, "", "")
            assert event.entry_dispatched.node == ""
            kinds.add(kind)
        if kind is None:
            kinds.add(kind)
        assert kind != "card_changed"
        assert kind != "variable_changed" or event.variable_changed.scope != "card"
    assert kinds == {"reshuffle", "move", "card_created", "entry_dispatched", None}


def test_an_open_pile_tells_all(gcs_client: Client) -> None:
    battle = gcs_client.start(
        wire_pack(), "fight", deck=DECK, shuffle=False, open_draw_pile=True, player={"hp": 500, "draw": 5}
    )
    pile = _draw_pile(battle.state)
    assert (list(pile.cards), list(pile.contents)) == ([f"c{number}" for number in range(5, 13)], [])
    _played(battle)
    owners = [
        event.entry_dispatched.owner
        for event in battle.mirror.events
        if event.entry_dispatched.entry == "on_draw_pile_shuffled"
    ]
    assert owners
    assert all(owner.id and owner.card for owner in owners)


def test_candidates_from_a_hidden_pile_stand_in_the_order_of_their_ids(gcs_client: Client) -> None:
    battle = gcs_client.start(wire_pack(), "fight", deck=[*["seek"] * 16, *["hit", "shield", "burn"]], seed=9)
    update = battle.play("seek")
    numbers = [int(card[1:]) for card in battle.state.choice.cards]
    assert numbers == sorted(numbers)
    assert len(numbers) > 5
    requested = next(event.choice_requested for event in update.events if event.HasField("choice_requested"))
    assert requested.choice == battle.state.choice
    shown = {card.id for card in battle.state.cards if card.pile == battle_pb2.PILE_DRAW}
    assert shown == set(battle.state.choice.cards)
    taken = battle.state.choice.cards[0]
    update = battle.choose(taken)
    assert set(update.change.hidden_cards) == shown - {taken}
    assert taken in [card.id for card in battle.hand]


def test_a_seed_that_the_server_drew_is_told_at_the_end(gcs_client: Client) -> None:
    battle = gcs_client.start(wire_pack(), "fight")
    assert not battle.state.HasField("seed")
    with pytest.raises(Exception, match="hidden") as refused:
        gcs_client.battles.GetReplay(service_pb2.GetReplayRequest(battle_id=battle.battle_id))
    assert reason_of(refused.value) == "BATTLE_RUNNING"  # type: ignore[arg-type]
    update = battle.concede()
    assert update.change.HasField("seed")
    replay = gcs_client.battles.GetReplay(service_pb2.GetReplayRequest(battle_id=battle.battle_id))
    assert replay.start.seed == battle.state.seed
    assert gcs_client.start(wire_pack(), "fight", seed=12).state.seed == 12


class _Twin:
    """A session in this process whose draw pile can be put in another order before anything is told."""

    def __init__(self, order: int) -> None:
        settings = ServerSettings()
        battles = Battles(settings, PackLibrary(), Ges())
        request = service_pb2.StartBattleRequest(battle_id="twin", encounter="fight", shuffle=False, seed=3)
        request.pack_json = json.dumps(wire_pack())
        request.deck.cards.extend(DECK)
        request.player.CopyFrom(service_pb2.PlayerOverride(hp=500, draw=5))
        self.session: Session = battles.start(request)
        draw = self.session.battle.piles[DRAW]
        # The top one stays, so that the same card is drawn; `order` turns the rest.
        rest, top = draw[:-1], draw[-1]
        turn = order % len(rest)
        draw[:] = [*rest[turn:], *rest[:turn], top]
        self.sent: list[bytes] = []

    def act(self, **kind: Any) -> None:
        done = self.session.act(battle_pb2.Action(**kind))
        assert isinstance(done, bytes)
        self.sent.append(done)
        self.sent.append(self.session.snapshot(after=0))

    def hand(self) -> dict[str, str]:
        battle = self.session.battle
        return {battle.cards[number].definition.id: f"c{number}" for number in battle.piles[0]}


@pytest.mark.parametrize("order", range(1, 7))
def test_battles_that_differ_in_the_hidden_order_alone_send_the_same_bytes(order: int) -> None:
    twins = (_Twin(0), _Twin(order))
    assert twins[0].session.battle.piles[DRAW] != twins[1].session.battle.piles[DRAW]
    for twin in twins:
        hand = twin.hand()
        twin.act(play_card=battle_pb2.PlayCard(card=hand["shield"]))
        twin.act(play_card=battle_pb2.PlayCard(card=hand["bury"]))
        twin.act(play_card=battle_pb2.PlayCard(card=hand["brew"]))
        # Unshuffled, this runs the Entries of the cards in the pile (E7) in its order.
        twin.act(play_card=battle_pb2.PlayCard(card=hand["riffle"]))
        twin.act(play_card=battle_pb2.PlayCard(card=hand["seek"]))
    assert twins[0].session.battle.piles[DRAW] != twins[1].session.battle.piles[DRAW]
    shown = twins[0].sent
    for mine, other in zip(shown, twins[1].sent, strict=True):
        assert events_pb2.Update.FromString(mine) == events_pb2.Update.FromString(other)
        assert mine == other
