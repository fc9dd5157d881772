"""T2, T4, T5: the order inside a turn, where nothing but the order tells right from wrong."""

from __future__ import annotations

from runtime.battle import read_events
from runtime.battle.state import ENEMY_PHASE, EXHAUST_PILE, PLAYER_PHASE
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


def test_t2_a_refill_hook_is_asked_with_full_energy_too() -> None:
    arena = Arena(
        statuses={"more": "hook: energy_refill_hook; result: set_hook_amount amount=5; hook > result"},
        player={"statuses": {"more": 1}},
    )
    arena.set(player__energy=3)
    arena.end_turn()
    assert arena.battle.energy == 5


def test_t2_the_player_acts_after_turns_that_were_ended_as_they_began() -> None:
    arena = Arena(
        cards={"card": "on: on_card_played; up: gain_energy amount=1; on > up"},
        deck=["card"] * 5,
        statuses={"sleep": "begin: on_turn_start; end: end_turn; begin > end"},
        player={"statuses": {"sleep": 1}},
    )
    turn = arena.battle.turn
    arena.play("card")
    assert arena.battle.turn == turn


def test_t5_an_enemy_with_1_hp_finishes_its_step() -> None:
    arena = Arena(
        statuses={"ear": witness("on_turn_end"), "fades": {"decay": 1}},
        enemies={"rat": attacker(2, statuses={"ear": 1, "fades": 3})},
        fight=("rat",),
    )
    arena.set(enemies__0__hp=1)
    assert arena.end_turn() == ["on_turn_end status:ear@enemy0"]
    assert (arena.player.hp, arena.stacks("fades", arena.enemy())) == (48, 2)


def test_t5_who_dies_in_its_e3_neither_acts_nor_plans() -> None:
    arena = Arena(
        statuses={"bane": "begin: on_turn_start; die: kill_unit target=acting; begin > die"},
        enemies={"rat": attacker(2)},
        fight=(("rat", {"statuses": {"bane": 1}}), "rat"),
    )
    arena.end_turn()
    assert [event.fields["unit"] for event in arena.events("enemy_acted")] == [2]
    assert [event.fields["unit"] for event in arena.events("intent_changed")] == [2]
    assert arena.player.hp == 48


def test_t5_r4_8_neither_who_was_healed_in_its_death_nor_who_was_removed_acts() -> None:
    heal = "gone: on_unit_died; up: gain_hp amount=5 target=acting; gone > up"
    cards = {
        "kill": "on: on_card_played; hit: deal_damage amount=200; on > hit",
        "banish": "on: on_card_played; off: remove_unit target=chosen; on > off",
    }
    arena = Arena(
        cards=cards,
        statuses={"phoenix": heal},
        enemies={"rat": attacker(2)},
        fight=(("rat", {"statuses": {"phoenix": 1}}), "rat", "rat"),
    )
    arena.play("kill", 0)
    assert not arena.enemy().alive
    arena.play("banish", 1)
    arena.end_turn()
    assert [event.fields["unit"] for event in arena.events("enemy_acted")] == [3]
    assert [event.fields["unit"] for event in arena.events("intent_changed")] == [3]
    assert arena.player.hp == 48


def test_t5_r2_7_nothing_follows_the_battle_that_an_enemy_has_won() -> None:
    arena = Arena(enemies={"brute": attacker(200)}, fight=("brute", "brute"))
    turn = arena.battle.turn
    arena.end_turn()
    assert (arena.outcome, arena.battle.turn) == ("lost", turn)
    kinds = [event.kind for event in read_events(arena.battle, 0)]
    assert kinds[-1] == "battle_ended"
    assert kinds.count("enemy_acted") == 1


def test_t4_t5_t2_phases_are_told_in_their_order() -> None:
    arena = Arena()
    arena.end_turn()
    assert [(event.fields["turn"], event.fields["phase"]) for event in arena.events("phase_changed")] == [
        (1, ENEMY_PHASE),
        (2, PLAYER_PHASE),
    ]
