"""Cards of the starter pack that need more than a number: costs, piles, choices, upgrades, reactions."""

from __future__ import annotations

from runtime.graph.definitions import RETAIN
from runtime.packs import load_pack
from tests.packs.table import Table


def test_texts_name_the_keywords_of_their_cards() -> None:
    words = {"exhaust": "Exhaust.", "ethereal": "Ethereal.", "retain": "Retain.", "unplayable": "Unplayable."}
    for card in load_pack("starter").cards.values():
        for keyword, word in words.items():
            assert (keyword in card.keywords) == (word in card.text), f"{card.id}: {keyword}"


def test_texts_show_live_numbers() -> None:
    table = Table("strike", "defend", "rivet_gun", statuses={"strength": 2, "unsteady": 1})
    table.write({"enemies.0.statuses.vulnerable": 1})
    assert table.text("strike") == "Deal 8 damage."
    assert table.text("strike", table.enemy) == "Deal 12 damage."
    assert table.text("defend") == "Gain 3 armor."


def test_an_x_cost_takes_all_energy_and_repeats_as_often() -> None:
    """R4.10."""
    table = Table("chain_shot")
    table.write({"enemies.0.hp": 50, "player.energy": 4})
    assert table.cost("chain_shot") == 4
    table.play("chain_shot")
    assert (table.enemy.hp, table.battle.energy) == (50 - 4 * 7, 0)


def test_a_kill_is_rewarded_with_max_hp_and_a_mere_hit_is_not() -> None:
    table = Table("trophy_hunt", "trophy_hunt", enemies=["lugworm", "lugworm"], hp=400)
    table.write({"enemies.0.hp": 50, "enemies.1.hp": 8})
    table.play("trophy_hunt", 0)
    assert table.player.max_hp == 500
    table.play("trophy_hunt", 1)
    assert (table.player.max_hp, table.player.hp) == (503, 403)
    assert table.exhaust_pile == ["trophy_hunt", "trophy_hunt"]


def test_reel_in_discards_what_is_chosen_then_draws_as_many() -> None:
    """Move Card tells no Entry (R3.4), so nothing reacts to these discards."""
    table = Table("reel_in", "strike", "flotsam", "mallet", "defend", "gybe", draw=4, answers=[["strike", "flotsam"]])
    table.play("reel_in")
    assert table.hand == ["mallet", "defend", "gybe"]
    assert table.discard_pile == ["reel_in", "flotsam", "strike"]
    assert not any(line.startswith("on_card_discarded") for line in table.lines())


def test_reel_in_of_nothing_draws_nothing() -> None:
    table = Table("reel_in", "strike", "mallet", draw=2, answers=[[]])
    table.play("reel_in")
    assert table.hand == ["strike"]


def test_a_harpoon_grows_while_it_is_kept_and_forgets_when_it_is_thrown() -> None:
    table = Table("harpoon", "defend")
    table.end_turn()
    table.end_turn()
    assert table.hand[0] == "harpoon"
    table.write({"enemies.0.hp": 50, "enemies.0.armor": 0})
    assert table.text("harpoon").startswith("Deal 15 damage")
    table.play("harpoon")
    assert table.enemy.hp == 35
    table.end_turn()
    assert table.text("harpoon").startswith("Deal 7 damage")


def test_an_ethereal_flare_burns_out_unplayed_but_may_be_played_again_if_it_is_not() -> None:
    table = Table("signal_flare")
    table.play("signal_flare")
    assert table.discard_pile == ["signal_flare"]
    table = Table("signal_flare")
    table.end_turn()
    assert table.exhaust_pile == ["signal_flare"]
    assert "on_card_exhausted card:signal_flare card=signal_flare" in table.lines()


def test_a_message_in_a_bottle_washes_up_when_the_draw_pile_is_shuffled() -> None:
    """E7, in the opening shuffle as well: it then lies in hand besides the cards drawn."""
    table = Table("strike", "defend", "message_in_a_bottle", draw=2)
    assert sorted(table.hand) == ["defend", "message_in_a_bottle", "strike"]
    table = Table("turn_the_tide", "bilge_slop")
    table.end_turn()
    assert table.player.hp == 500 - 14 - 2 * 1


def test_driftwood_and_sparks_react_to_being_made() -> None:
    table = Table("beachcomb", "flint", "scuttle", "strike", draw=3)
    table.write({"enemies.0.hp": 50})
    table.play("beachcomb")
    assert table.player.armor == 4 + 2 * 2
    assert sorted(table.draw_pile) == ["driftwood", "driftwood", "strike"]
    table.play("flint")
    assert table.enemy.hp == 48
    assert table.hand == ["scuttle", "spark", "spark"]
    table.play("scuttle")
    assert table.exhaust_pile == ["scuttle", "driftwood", "driftwood"]


def test_a_storm_surge_gets_cheaper_with_every_card_of_the_turn() -> None:
    table = Table("storm_surge", "strike", "pearl")
    costs = [table.cost("storm_surge")]
    for card in ("strike", "pearl"):
        table.play(card)
        costs.append(table.cost("storm_surge"))
    assert costs == [4, 3, 2]


def test_a_holystone_upgrades_what_is_in_hand_for_the_battle() -> None:
    table = Table("holystone", "strike", "grapeshot", "defend")
    table.play("holystone")
    assert table.hand == ["strike_plus", "grapeshot", "defend_plus"]
    table.write({"enemies.0.hp": 50})
    table.play("strike_plus")
    assert table.enemy.hp == 41
    table.end_turn()
    assert "strike_plus" in table.hand


def test_a_card_is_hauled_in_for_free_until_the_turn_ends() -> None:
    table = Table("haul_in", "mallet", answers=[["mallet"]])
    table.play("mallet")
    table.play("haul_in")
    assert (table.hand, table.cost("mallet")) == (["mallet"], 0)
    table.end_turn()
    assert table.cost("mallet") == 2


def test_choices_without_candidates_are_not_asked() -> None:
    """R5.7."""
    for card in ("haul_in", "double_knot", "overboard"):
        table = Table(card)
        table.play(card)
        assert table.events("choice_requested") == []
        assert table.player.armor == 0


def test_a_card_lashed_down_stays_this_turn_alone() -> None:
    table = Table("lash_down", "mallet", "strike", draw=3, answers=[["mallet"]])
    mallet = table.find("mallet")
    table.play("lash_down")
    assert table.battle.cards[mallet].keywords & RETAIN
    table.end_turn()
    assert table.hand[0] == "mallet"
    assert not table.battle.cards[mallet].keywords & RETAIN


def test_two_tides_ask_which() -> None:
    table = Table(
        "two_tides", "two_tides", "two_tides", "strike", "mallet", draw=3, answers=[["Armor"], ["Cards"], ["Energy"]]
    )
    table.play("two_tides")
    assert table.player.armor == 8
    table.play("two_tides")
    assert table.hand == ["two_tides", "strike", "mallet"]
    energy = table.battle.energy
    table.play("two_tides")
    assert table.battle.energy == energy - 1 + 1


def test_a_double_knot_copies_a_card_as_it_is() -> None:
    table = Table("double_knot", "harpoon", "strike", answers=[["harpoon"]])
    table.play("double_knot")
    assert table.hand == ["harpoon", "strike", "harpoon"]


def test_trawl_brings_up_what_was_exhausted() -> None:
    table = Table("pearl", "trawl")
    table.play("pearl")
    table.play("trawl")
    assert (table.hand, table.exhaust_pile) == (["pearl"], [])


def test_riptide_plays_the_top_card_without_paying() -> None:
    table = Table("riptide", "anchor_drop", draw=1)
    table.write({"enemies.0.hp": 50, "player.energy": 1})
    table.play("riptide")
    assert table.enemy.hp == 50 - 4 - 20
    assert sorted(table.discard_pile) == ["anchor_drop", "bilge_slop", "riptide"]


def test_a_foghorn_changes_a_mind() -> None:
    table = Table("foghorn")
    assert len(table.events("intent_changed")) == 1
    table.play("foghorn")
    assert len(table.events("intent_changed")) == 2


def test_a_shoal_follows_the_first_fish_for_free() -> None:
    table = Table("shoal", "shoal", "strike")
    table.write({"enemies.0.hp": 50})
    table.play("strike")
    assert table.cost("shoal") == 1
    table.play("shoal")
    assert table.cost("shoal") == 0
    table.end_turn()
    assert table.cost("shoal") == 1


def test_a_weathercock_turns_to_the_thunder_wherever_it_lies() -> None:
    table = Table("call_thunder", "weathercock", draw=1)
    assert table.draw_pile == ["weathercock"]
    table.play("call_thunder")
    assert (table.hand, table.cost("weathercock")) == (["weathercock"], 0)


def test_a_figurehead_watches_from_the_very_left() -> None:
    table = Table("figurehead", "strike")
    table.end_turn()
    assert table.player.hp == 500 - (14 - 6)
    table = Table("strike", "figurehead")
    table.end_turn()
    assert table.player.hp == 500 - 14


def test_flotsam_drifts_when_it_is_discarded_at_the_turns_end() -> None:
    table = Table("flotsam")
    table.end_turn()
    assert table.player.hp == 500 - (14 - 3)


def test_a_kettle_simmers_until_it_is_played() -> None:
    table = Table("kettle", "strike", "defend", draw=1)
    assert table.cost("kettle") == 0
    table.play("kettle")
    assert table.hand == ["strike", "defend"]


def test_a_curse_tolls_from_the_hand_and_another_drags_when_drawn() -> None:
    table = Table("drowned_bell", "leaden_boots")
    assert table.battle.energy == 9 - 1
    table.end_turn()
    assert table.player.hp == 500 - 14 - 2
    assert table.exhaust_pile == ["leaden_boots"]


def test_keelhaul_finishes_the_weak_and_nobody_is_credited() -> None:
    table = Table("keelhaul", "keelhaul", enemies=["lugworm", "lugworm"], statuses={"bounty": 1})
    table.write({"enemies.0.hp": 22, "enemies.1.hp": 50})
    energy = table.battle.energy
    table.play("keelhaul", 0)
    table.play("keelhaul", 1)
    assert table.battle.units[2].hp == 40
    assert [unit.alive for unit in table.battle.units[1:]] == [False, True]
    assert table.battle.energy == energy - 4
    assert not any(line.startswith("on_unit_died status:bounty") for line in table.lines())


def test_festering_doubles_poison_and_a_scrub_sheds_all_debuffs() -> None:
    table = Table("lionfish_spine", "festering_tide", "salt_scrub", "strike", draw=3, statuses={"weak": 2, "poison": 3})
    table.play("lionfish_spine")
    table.play("festering_tide")
    assert table.stacks(table.enemy, "poison") == 10
    table.play("salt_scrub")
    assert list(table.player.statuses) == []
    assert table.hand == ["strike"]


def test_a_lantern_dazzles_only_those_that_mean_to_attack() -> None:
    table = Table("lantern_swing", "lantern_swing", enemies=["lugworm", "tide_cantor"])
    table.play("lantern_swing", 0)
    table.play("lantern_swing", 1)
    worm, cantor = table.battle.units[1:]
    assert (table.stacks(worm, "weak"), table.stacks(cantor, "weak")) == (1, 0)


def test_a_broadside_grazes_the_others() -> None:
    table = Table("broadside", enemies=["lugworm", "lugworm", "lugworm"])
    table.write({"enemies.0.hp": 50, "enemies.1.hp": 50, "enemies.2.hp": 50})
    table.play("broadside", 1)
    assert [unit.hp for unit in table.battle.units[1:]] == [45, 42, 45]


def test_the_armor_of_the_keeper_strikes_back_up_to_a_bound() -> None:
    table = Table("ballast_blow", "ballast_blow")
    table.write({"enemies.0.hp": 50, "player.armor": 11})
    table.play("ballast_blow")
    assert table.enemy.hp == 39
    table.write({"player.armor": 60})
    table.play("ballast_blow")
    assert table.enemy.hp == 14
