"""A state mirror built from changes alone equals the snapshot after every action."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bridge.pb.gcs.v1 import battle_pb2, service_pb2
from bridge.testing.client import Client, ClientBattle
from tests.bridge.packs import GUIDS, PAYLOADS, wire_pack
from tests.bridge.players import choose

START: list[tuple[Any, str]] = [
    (wire_pack(), "fight"),
    ("starter", "first_fight"),
    ("starter", "tide_pool"),
    ("starter", "chapel"),
]


def _now(client: Client, battle: ClientBattle) -> Any:
    request = service_pb2.GetBattleRequest(battle_id=battle.battle_id, last_sequence=0)
    return client.battles.GetBattle(request).update


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    start=st.sampled_from(START),
    seed=st.integers(0, 2**64 - 1),
    random=st.randoms(use_true_random=False),
    open_draw_pile=st.booleans(),
)
def test_a_mirror_of_changes_equals_the_snapshot(
    gcs_client: Client, start: tuple[Any, str], seed: int, random: Random, open_draw_pile: bool
) -> None:
    pack, encounter = start
    battle = gcs_client.start(pack, encounter, seed=seed, open_draw_pile=open_draw_pile)
    for _ in range(40):
        if not battle.running:
            break
        if isinstance(pack, dict) and random.random() < 0.2:
            kind = random.choice(list(GUIDS))
            battle.raise_event(GUIDS[kind], PAYLOADS[kind])
        else:
            battle.act(choose(random, battle.state))
        now = _now(gcs_client, battle)
        assert battle.state == now.snapshot
        assert battle.mirror.events == list(now.events)
        _check_state(battle.state, open_draw_pile)
    gcs_client.battles.EndBattle(service_pb2.EndBattleRequest(battle_id=battle.battle_id))


def _check_state(state: battle_pb2.BattleState, open_draw_pile: bool) -> None:
    """What every state holds: piles and cards tell the same."""
    places = {card.id: card.pile for card in state.cards}
    for pile in state.piles:
        assert pile.size == len(pile.contents or pile.cards)
        for card in pile.cards:
            assert places[card] == pile.pile
    draw = next(pile for pile in state.piles if pile.pile == battle_pb2.PILE_DRAW)
    assert bool(draw.cards) == (open_draw_pile and draw.size > 0)
