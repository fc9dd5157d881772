"""T2, T4, T5: the order inside a turn, where nothing but the order tells right from wrong."""

from __future__ import annotations

from runtime.battle import read_events
from runtime.battle.state import EXHAUST_PILE
from tests.runtime.arena import Arena, attacker, witness


def test_t2_armor_is_reset_before_energy_is_refilled() -> None:
    guard = "on: on_card_played; up: gain_armor amount=4 target=player; on > up"
    # As much armor goes as there is energy when the hook is asked.
    watch = """
        reset: armor_reset_hook; info: battle_info; result: set_hook_amount; info.energy result.amount; reset > result
    """
    arena = Arena(
        cards={"guard": {"graph": guard, "cost": 2, "target": "none"}},
        statuses={"watch": watch},
        player={"statuses": {"watch": 1}},
    )
    arena.play("guard")
    assert (arena.battle.energy, arena.player.armor) == (1, 4)
    arena.end_turn()
    assert arena.battle.energy == 3
    assert arena.player.armor == 3, "less what was left of the energy, not what it was refilled to"
    changes = [
        event.kind for event in read_events(arena.battle, 0) if event.kind in ("armor_changed", "energy_changed")
    ]
    assert changes[-2:] == ["armor_changed", "energy_changed"]


def test_t4_r3_3_a_card_that_has_left_the_hand_is_not_resolved() -> None:
    """The first card's E10 sends the second one away: it lies where it was sent, and nothing is told of it."""
    send = """
        gone: on_card_discarded; there: cards_in_pile pile=hand id={0}; one: pick_card; there.cards one.cards
        away: move_card to=exhaust; one.card away.card; gone > one > away
    """
    quiet = witness("on_card_discarded", "on_card_exhausted", "on_card_retained")
    for keywords in ([], ["retain"], ["ethereal"]):
        arena = Arena(
            cards={"sender": send.format("sent"), "sent": {"graph": quiet, "keywords": keywords}},
            deck=["sender", "sent"],
        )
        lines = arena.end_turn()
        assert [line.split()[0] for line in lines] == ["on_card_discarded"], lines
        assert "card:sender" in lines[0]
        assert arena.pile(EXHAUST_PILE) == ["sent"]


def test_t5_an_enemys_armor_is_reset_before_its_e3() -> None:
    shell = "begin: on_turn_start; grow: gain_armor amount=5; begin > grow"
    arena = Arena(
        statuses={"shell": shell},
        enemies={"crab": attacker(1, armor=3, statuses={"shell": 1})},
        fight=("crab",),
    )
    assert arena.enemy().armor == 3
    arena.end_turn()
    assert arena.enemy().armor == 5, "neither 8, nor lost again"


def test_t5_armor_that_an_enemy_gains_in_its_step_protects_it_in_the_players_turn() -> None:
    arena = Arena(
        cards={"hit": "on: on_card_played; hit: deal_damage amount=6; on > hit"},
        deck=["hit"] * 2,
        enemies={
            "crab": """
                start: on_enemy_behavior_start; leaf: leaf_intent kind=defend; up: gain_armor amount=4
                start > leaf > up
            """
        },
        fight=("crab",),
    )
    arena.end_turn()
    arena.play("hit")
    assert arena.enemy().hp == 98
