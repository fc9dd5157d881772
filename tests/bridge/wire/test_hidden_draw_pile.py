"""The order of a hidden draw pile is never on the wire.

Two batteries. The first looks at what is told of cards that lie in the draw pile. The second sets up
battles that differ in nothing but the order of the cards still to be drawn, and compares every byte.
"""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest

from bridge.battles.battles import Battles
from bridge.battles.packs import PackLibrary
from bridge.battles.session import Session
from bridge.ges import Ges
from bridge.pb.gcs.v1 import battle_pb2, events_pb2, service_pb2
from bridge.settings import ServerSettings
from bridge.testing.client import Client, ClientBattle, reason_of
from bridge.wire.preview import preview_of
from runtime.battle.state import DRAW
from tests.bridge.packs import GUIDS, wire_pack

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
            kinds.add(event.card_moved.reason)
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

    def __init__(self, order: int, pack: dict[str, Any] | None = None, deck: list[str] = DECK) -> None:
        settings = ServerSettings()
        self.ges = Ges()
        battles = Battles(settings, PackLibrary(), self.ges)
        request = service_pb2.StartBattleRequest(battle_id="twin", encounter="fight", shuffle=False, seed=3)
        request.pack_json = json.dumps(pack or wire_pack())
        request.deck.cards.extend(deck)
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


def _telling_pack() -> dict[str, Any]:
    """A pack whose cards say, in every way they have, which cards lie in the draw pile, in its order."""
    pack = wire_pack()
    guid = GUIDS["card"]
    pack["cards"] += [
        {
            "id": "tell",
            "cost": 0,
            "target": "none",
            "text": "Tell all.",
            "graph": {
                "nodes": [
                    {"id": "on", "type": "on_card_played"},
                    {"id": "pile", "type": "cards_in_pile", "params": {"pile": "draw"}},
                    {"id": "each", "type": "for_each_card"},
                    {"id": "ges", "type": "raise_ges_event", "params": {"event": guid}},
                    {
                        "id": "told",
                        "type": "raise_internal_event",
                        "params": {"event": "told", "args": {"who": "card"}},
                    },
                ],
                "links": [
                    ["on.out", "each.in"],
                    ["pile.cards", "each.cards"],
                    ["each.body", "ges.in"],
                    ["ges.out", "told.in"],
                    ["each.card", "ges.arg"],
                    ["each.card", "told.who"],
                ],
            },
        },
        *[
            {
                "id": name,
                "cost": 1,
                "target": "none",
                "keywords": ["unplayable"],
                "graph": {
                    "nodes": [
                        {"id": "on", "type": "on_draw_pile_shuffled"},
                        {"id": "again", "type": "raise_internal_event", "params": {"event": "again"}},
                    ],
                    "links": [["on.out", "again.in"]],
                },
            }
            for name in ("quake", "tremor")
        ],
    ]
    pack["statuses"].append(
        {
            "id": "ears",
            "graph": {
                "nodes": [
                    {"id": "heard", "type": "on_internal_event", "params": {"event": "told"}},
                    {"id": "count", "type": "change_variable", "params": {"name": "told", "value": 1}},
                    {"id": "raised", "type": "on_ges_event", "params": {"ges_event": guid}},
                    {"id": "count_raised", "type": "change_variable", "params": {"name": "raised", "value": 1}},
                ],
                "links": [["heard.out", "count.in"], ["raised.out", "count_raised.in"]],
            },
        }
    )
    pack["encounters"][0]["player"]["statuses"]["ears"] = 1
    return pack


async def _all_that_is_told(twin: _Twin, caplog: pytest.LogCaptureFixture) -> list[object]:
    """What leaves the server beside updates: `Listen`, the monitor, previews and the log."""
    heard: list[bytes] = []

    async def hear(message: bytes) -> None:
        heard.append(message)

    caplog.clear()
    listener = twin.ges.streams.add("", (), hear)
    hand = twin.hand()
    twin.act(play_card=battle_pb2.PlayCard(card=hand["tell"]))
    twin.act(play_card=battle_pb2.PlayCard(card=hand["riffle"]))
    listener.close()
    await listener.write_all()
    assert len(heard) >= 4
    stats = [(guid, stats.count, stats.last_arguments) for _, guid, stats in twin.ges.monitor.all()]
    assert (GUIDS["card"], len(heard), (("arg", "card", ""),)) in stats
    previews = [
        preview_of(twin.session.battle, service_pb2.PreviewRequest(card=card)).SerializeToString()
        for card in twin.hand().values()
    ]
    lines = [(record.getMessage(), getattr(record, "chain", "")) for record in caplog.records]
    assert any("on_draw_pile_shuffled" in chain for _, chain in lines)
    return [heard, stats, previews, lines]


@pytest.mark.parametrize("order", range(1, 4))
async def test_no_other_way_out_tells_the_order(order: int, caplog: pytest.LogCaptureFixture) -> None:
    """E32, E33: values of ports, arguments of GES events, last arguments in the monitor, previews, texts, the log."""
    deck = ["tell", "riffle", "shield", "hit", "burn", "seek", "tremor", "burn", "quake", "power"]
    told = []
    sent = []
    orders = []
    with caplog.at_level(logging.DEBUG):
        for turn in (0, order):
            twin = _Twin(turn, _telling_pack(), deck)
            orders.append([twin.session.battle.cards[card].definition.id for card in twin.session.battle.piles[DRAW]])
            told.append(await _all_that_is_told(twin, caplog))
            sent.append(twin.sent)
    assert orders[0] != orders[1]
    assert told[0] == told[1]
    assert sent[0] == sent[1]
    named = []
    for event in events_pb2.Update.FromString(sent[0][0]).events:
        arguments = [*event.ges_event_raised.arguments, *event.internal_event_raised.arguments]
        named += [argument.value.card_value for argument in (*arguments, *event.entry_dispatched.ports)]
    # The card that was played, and twice each card of the pile.
    assert named[0].card_id == "tell"
    assert len(named) >= 9
    assert all((card.card, card.card_id) == ("", "") for card in named[1:])
