"""The statuses of the starter pack do what their texts say: each in a battle of its own, seen from outside."""

from __future__ import annotations

import pytest

from tests.packs.table import Table


def test_vulnerable_makes_attacks_hurt_half_as_much_again() -> None:
    table = Table("strike")
    table.write({"enemies.0.hp": 50, "enemies.0.statuses.vulnerable": 2})
    table.play("strike")
    assert table.enemy.hp == 41
    table.end_turn()
    assert table.stacks(table.enemy, "vulnerable") == 1


def test_vulnerable_leaves_damage_alone_that_is_no_attack() -> None:
    table = Table("defend", statuses={"lightning_rod": 1})
    table.write({"enemies.0.hp": 50, "enemies.0.statuses.vulnerable": 1})
    table.raise_event("thunder", 4)
    assert table.enemy.hp == 46


def test_weak_takes_a_quarter_off_attacks_after_strength_has_added() -> None:
    table = Table("strike", statuses={"weak": 1, "strength": 2})
    table.write({"enemies.0.hp": 50})
    table.play("strike")
    assert table.enemy.hp == 44


def test_a_debuff_from_an_enemy_lasts_through_its_next_attack() -> None:
    """R3.5: Vulnerable, Weak, Unsteady, Blight and Fogbound are passed over by the first decay."""
    table = Table("defend", enemies=["rust_knight"])
    table.end_turn()
    table.end_turn()
    stacks = []
    for _ in range(3):
        table.end_turn()
        stacks.append(table.stacks(table.player, "unsteady"))
    assert stacks == [2, 2, 1]


def test_unsteady_and_sea_legs_change_armor_from_cards_alone() -> None:
    table = Table("defend", statuses={"unsteady": 1, "sea_legs": 3, "shell": 4})
    table.play("defend")
    assert table.player.armor == 6
    table.end_turn()
    assert "on_turn_end status:shell@player" in table.lines()
    absorbed = 6 + 4
    assert table.player.hp == 500 - (14 - absorbed)


def test_poison_bites_at_the_start_of_a_turn_and_wears_off_by_one() -> None:
    table = Table("lionfish_spine")
    table.write({"enemies.0.hp": 50, "enemies.0.armor": 9})
    table.play("lionfish_spine")
    table.end_turn()
    assert (table.enemy.hp, table.stacks(table.enemy, "poison")) == (45, 4)


def test_thorns_prick_whoever_attacks_even_if_armor_stops_the_attack() -> None:
    table = Table("defend", statuses={"thorns": 3})
    table.write({"enemies.0.hp": 50, "player.armor": 40})
    table.end_turn()
    assert table.player.hp == 500
    assert table.enemy.hp == 47


def test_rising_hymn_swells_strength_every_turn() -> None:
    table = Table("defend", enemies=["tide_cantor"])
    for strength in (2, 4, 6):
        table.end_turn()
        assert table.stacks(table.enemy, "strength") == strength


def test_a_salt_ward_stops_a_debuff_and_is_used_up_but_lets_buffs_through() -> None:
    """R4.9: `spend` of Set Hook Amount."""
    table = Table("mallet", "mallet")
    table.write({"enemies.0.hp": 50, "enemies.0.statuses.salt_ward": 1})
    table.play("mallet")
    assert (table.stacks(table.enemy, "salt_ward"), table.stacks(table.enemy, "vulnerable")) == (0, 0)
    table.play("mallet")
    assert table.stacks(table.enemy, "vulnerable") == 2
    table = Table("grog", statuses={"salt_ward": 1})
    table.play("grog")
    assert (table.stacks(table.player, "strength"), table.stacks(table.player, "salt_ward")) == (3, 1)


def test_buffer_swallows_one_loss_of_hp_and_armor_saves_it() -> None:
    table = Table("defend", statuses={"oilskin": 1})
    table.write({"player.armor": 40})
    table.end_turn()
    assert (table.player.hp, table.stacks(table.player, "oilskin")) == (500, 1)
    table = Table("bleed_the_line", statuses={"oilskin": 1})
    table.play("bleed_the_line")
    assert (table.player.hp, table.stacks(table.player, "oilskin")) == (500, 0)


def test_haze_makes_everything_one_until_the_holders_next_turn() -> None:
    table = Table("mirage", "bleed_the_line")
    table.play("mirage")
    table.play("bleed_the_line")
    assert table.player.hp == 499
    table.end_turn()
    assert table.player.hp == 498
    assert table.stacks(table.player, "haze") == 0


def test_armor_stays_behind_a_breakwater() -> None:
    table = Table("breakwater", "defend")
    table.write({"player.armor": 20})
    table.play("breakwater")
    table.play("defend")
    table.end_turn()
    assert table.player.armor == 25 - 14


def test_armor_comes_whenever_any_card_is_exhausted() -> None:
    """R6.3: the notice `gcs.card_exhausted` tells of cards played, thrown overboard and burnt at the turn's end."""
    table = Table("ash_coat", "pearl", "overboard", "drowned_bell", "signal_flare", answers=[["drowned_bell"]])
    table.play("ash_coat")
    table.play("pearl")
    assert table.player.armor == 3
    table.play("overboard")
    assert table.player.armor == 3 + 3 + 9
    table.end_turn()
    assert table.exhaust_pile == ["signal_flare", "drowned_bell", "pearl"]
    flare = 3 + 4
    assert table.player.hp == 500 - max(0, 14 - (15 + flare))


def test_echo_plays_the_next_card_twice_but_no_power() -> None:
    table = Table("echo_call", "grog", "strike", "strike")
    table.write({"enemies.0.hp": 50})
    table.play("echo_call")
    table.play("grog")
    assert table.stacks(table.player, "strength") == 3
    table.play("strike")
    assert table.enemy.hp == 50 - 2 * 9
    assert table.stacks(table.player, "echo") == 0
    table.play("strike")
    assert table.enemy.hp == 50 - 3 * 9


def test_the_tide_clock_ends_the_turn_after_twelve_cards() -> None:
    table = Table(*["cold_current"] * 4, *["pearl"] * 9, enemies=["light_eater"], draw=10)
    for _ in range(4):
        table.play("cold_current")
    table.end_turn()
    assert table.stacks(table.enemy, "tide_clock") == 8
    for _ in range(7):
        table.play(next(card for card in table.hand if card != "drowned_bell"))
    assert (table.battle.turn, table.stacks(table.enemy, "tide_clock")) == (2, 1)
    table.play(next(card for card in table.hand if card != "drowned_bell"))
    assert (table.battle.turn, table.stacks(table.enemy, "tide_clock")) == (3, 12)
    assert table.stacks(table.enemy, "strength") == 2


def test_a_shell_hardens_and_chips_when_an_attack_draws_blood() -> None:
    table = Table("strike", "strike", "lionfish_spine", enemies=["barnacle_brute"])
    assert (table.enemy.armor, table.stacks(table.enemy, "shell")) == (6, 4)
    table.play("strike")
    assert table.stacks(table.enemy, "shell") == 4
    table.play("strike")
    assert table.stacks(table.enemy, "shell") == 3


def test_mending_heals_and_wears_off_and_wellspring_turns_it_into_armor() -> None:
    table = Table("wellspring", hp=400)
    table.write({"player.armor": 30})
    table.play("wellspring")
    table.end_turn()
    assert table.stacks(table.player, "mending") == 2
    assert table.player.hp == 403
    assert "on_hp_gained status:wellspring@player amount=3 source=none target=player" in table.lines()


def test_blight_halves_what_is_healed() -> None:
    table = Table("mending_song", statuses={"blight": 1}, hp=400)
    table.play("mending_song")
    assert table.player.hp == 401


def test_a_drift_net_brings_a_find_before_the_draw() -> None:
    table = Table("drift_net", "strike")
    table.play("drift_net")
    table.end_turn()
    assert table.hand[0] in ("driftwood", "pearl", "spark")
    assert table.hand[1:] == ["strike"]


def test_a_lookout_keeps_a_card() -> None:
    table = Table("strike", "mallet", "defend", statuses={"lookout": 1}, answers=[["mallet"]])
    table.end_turn()
    assert table.hand[0] == "mallet"


def test_static_crackles_at_every_attack_drawn() -> None:
    table = Table("static", "strike", "defend")
    table.write({"enemies.0.hp": 50})
    table.play("static")
    table.end_turn()
    assert table.enemy.hp == 48


def test_sirens_thirst_heals_by_what_an_attack_draws_but_not_by_what_armor_stops() -> None:
    table = Table("sirens_thirst", "strike", "strike", hp=400)
    table.play("sirens_thirst")
    table.play("strike")
    assert table.player.hp == 402
    table.write({"enemies.0.armor": 30})
    table.play("strike")
    assert table.player.hp == 402


def test_a_grudge_swells_once_a_turn_and_for_any_damage() -> None:
    table = Table("spark", "spark", enemies=["barnacle_brute"])
    table.play("spark")
    table.play("spark")
    assert table.stacks(table.enemy, "strength") == 1


def test_a_red_tide_answers_losses_in_the_players_turn_alone() -> None:
    table = Table("red_tide", "bleed_the_line")
    table.write({"enemies.0.hp": 50})
    table.play("red_tide")
    table.play("bleed_the_line")
    assert table.enemy.hp == 45
    table.end_turn()
    assert (table.player.hp, table.enemy.hp) == (500 - 3 - 14, 45)


def test_a_breaking_wave_crashes_whenever_armor_is_gained() -> None:
    table = Table("breaking_wave", "defend")
    table.write({"enemies.0.hp": 50})
    table.play("breaking_wave")
    table.play("defend")
    assert table.enemy.hp == 46


def test_a_soft_belly_shows_when_armor_is_stripped_off_and_brittle_doubles_that() -> None:
    table = Table("hull_breaker", "undermine", enemies=["barnacle_brute"])
    table.play("undermine")
    table.play("hull_breaker")
    assert table.stacks(table.enemy, "vulnerable") == 2
    assert "on_armor_lost status:soft_belly@enemy0 amount=12 source=none target=enemy0" in table.lines()


def test_overcharge_and_ballast_answer_energy_gained_and_lost() -> None:
    table = Table("overcharge", "trim_ballast", "pearl", "vent_steam", "strike", draw=4)
    table.play("overcharge")
    table.play("trim_ballast")
    table.play("pearl")
    assert "strike" in table.hand
    table.play("vent_steam")
    assert table.player.armor == 6


def test_venom_glands_poison_along_with_other_debuffs_once() -> None:
    table = Table("venom_glands", "mallet", "lionfish_spine")
    table.write({"enemies.0.hp": 50})
    table.play("venom_glands")
    table.play("mallet")
    assert table.stacks(table.enemy, "poison") == 2
    table.play("lionfish_spine")
    assert table.stacks(table.enemy, "poison") == 7


def test_chill_cracks_with_the_fourth_stack() -> None:
    table = Table(*["cold_current"] * 4)
    table.write({"enemies.0.hp": 50})
    for _ in range(3):
        table.play("cold_current")
    assert (table.enemy.hp, table.stacks(table.enemy, "chill")) == (41, 3)
    table.play("cold_current")
    assert (table.enemy.hp, table.stacks(table.enemy, "chill")) == (50 - 12 - 15, 0)
    assert table.stacks(table.enemy, "weak") == 1


def test_a_fuse_goes_off_when_it_has_burnt_down() -> None:
    table = Table("light_the_fuse", enemies=["lugworm", "lugworm"])
    table.play("light_the_fuse")
    table.end_turn()
    assert table.stacks(table.enemy, "fuse") == 1
    table.end_turn()
    assert "on_status_expired status:fuse@enemy0 status=fuse target=enemy0" in table.lines()
    blasts = [event.fields for event in table.events("damage_resolved") if not event.fields["is_attack"]]
    assert [(blast["target"], blast["amount"]) for blast in blasts] == [(0, 8), (1, 16), (2, 16)]


def test_glass_floats_halve_losses_and_the_last_one_bursts() -> None:
    table = Table("glass_floats", "bleed_the_line", "bleed_the_line")
    table.write({"enemies.0.hp": 50})
    table.play("glass_floats")
    table.play("bleed_the_line")
    assert (table.player.hp, table.enemy.hp) == (499, 50)
    table.play("bleed_the_line")
    assert (table.player.hp, table.enemy.hp) == (498, 44)


def test_resonance_hums_at_other_statuses_alone() -> None:
    table = Table("resonance", "resonance", "grog")
    table.play("resonance")
    table.play("resonance")
    assert table.player.armor == 0
    table.play("grog")
    assert table.player.armor == 4


def test_a_vigil_welcomes_whoever_joins() -> None:
    table = Table("vigil", "defend", "defend", enemies=["gull_nest"], draw=1)
    table.play("vigil")
    table.end_turn()
    assert table.alive == ["gull_nest", "gull_chick", "gull_chick"]
    assert len([line for line in table.lines() if line == "on_unit_spawned status:vigil@player unit=player"]) == 2


def test_a_bounty_is_paid_for_a_kill_and_not_for_the_dead_of_poison() -> None:
    table = Table("bounty", "strike", "strike", enemies=["gull_chick", "lugworm"], draw=2)
    table.write({"enemies.0.hp": 3})
    table.play("bounty")
    energy = table.battle.energy
    table.play("strike")
    assert table.battle.energy == energy - 1 + 1
    assert table.hand == ["strike"]


def test_fog_makes_the_first_card_of_a_turn_dearer() -> None:
    table = Table("strike", "strike", statuses={"fogbound": 2})
    assert table.cost("strike") == 2
    table.play("strike")
    assert table.cost("strike") == 1


def test_a_spyglass_and_a_dynamo_change_what_a_turn_brings() -> None:
    table = Table("strike", "strike", "strike", "strike", statuses={"spyglass": 1, "dynamo": 2}, draw=2)
    assert (table.hand, table.battle.energy) == (["strike"] * 3, 11)


def test_lamplight_opens_a_battle_and_the_ships_log_closes_it_and_is_kept() -> None:
    table = Table("strike", statuses={"lamplight": 4, "ships_log": 2}, hp=400)
    assert (table.player.armor, table.stacks(table.enemy, "weak")) == (4, 1)
    table.write({"enemies.0.hp": 1})
    table.play("strike")
    assert table.battle.outcome == 1
    assert (table.player.hp, table.battle.kept) == (403, {"ships_log": 3})


@pytest.mark.parametrize(("force", "left"), [(2, 48), (5, 45)])
def test_weather_from_the_engine_strikes_through_a_lightning_rod(force: int, left: int) -> None:
    table = Table("lightning_rod")
    table.write({"enemies.0.hp": 50})
    table.play("lightning_rod")
    table.raise_event("thunder", force)
    assert table.enemy.hp == left


def test_rain_fills_the_barrel_and_soaks_what_is_wet_already() -> None:
    table = Table("rain_barrel", "squall")
    table.write({"enemies.0.hp": 50})
    table.play("rain_barrel")
    assert table.player.armor == 4
    table.play("squall")
    table.raise_event("rain", 3)
    assert table.player.armor == 4 + 5
    assert table.stacks(table.enemy, "soaked") == 3


def test_soaked_enemies_take_more_from_the_weather_but_not_from_attacks() -> None:
    table = Table("strike", statuses={"lightning_rod": 1})
    table.write({"enemies.0.hp": 50, "enemies.0.statuses.soaked": 2})
    table.play("strike")
    assert table.enemy.hp == 44
    table.raise_event("thunder", 4)
    assert table.enemy.hp == 38


def test_a_slater_tucks_in_once() -> None:
    table = Table("strike", "strike", enemies=["sea_slater"])
    table.play("strike")
    assert table.enemy.armor == 6
    table.play("strike")
    assert table.enemy.armor == 0
    assert table.stacks(table.enemy, "tuck_in") == 0
