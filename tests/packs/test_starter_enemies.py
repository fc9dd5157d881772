"""The enemies of the starter pack: those that split, lead, summon, flee and change their manner."""

from __future__ import annotations

from runtime.battle import shown_intent
from tests.packs.table import Table


def test_a_jelly_splits_into_two_with_its_hp_when_half_of_it_is_gone() -> None:
    table = Table("strike", "strike", enemies=["brine_jelly"])
    table.write({"enemies.0.max_hp": 60, "enemies.0.hp": 36})
    table.play("strike")
    assert shown_intent(table.battle, table.enemy).text == "Split"
    table.play("strike")
    table.end_turn()
    assert table.alive == ["jelly_spawn", "jelly_spawn"]
    assert [unit.hp for unit in table.battle.units[2:]] == [24, 24]
    assert table.battle.outcome == 0


def test_the_crew_obeys_its_captain_and_abandons_the_fight_without_it() -> None:
    """An internal event from enemy to enemies, and On Unit Died on the victim's own status."""
    table = Table("strike", enemies=["deckhand", "reef_captain", "deckhand"])
    assert shown_intent(table.battle, table.battle.units[2]).text == "Orders"
    table.end_turn()
    assert [table.stacks(unit, "strength") for unit in table.battle.units[1:]] == [2, 0, 2]
    table.write({"enemies.1.hp": 1, "enemies.1.armor": 0})
    table.play("strike", 1)
    assert table.alive == []
    assert table.battle.outcome == 1


def test_a_captain_without_a_crew_whistles_for_one() -> None:
    table = Table("strike", enemies=["reef_captain"])
    assert shown_intent(table.battle, table.enemy).text == "Whistle"
    table.end_turn()
    assert table.alive == ["reef_captain", "deckhand"]


def test_a_nest_hatches_chicks_and_thunder_scatters_them() -> None:
    table = Table("defend", enemies=["gull_nest"])
    table.end_turn()
    assert table.alive == ["gull_nest", "gull_chick", "gull_chick"]
    table.raise_event("thunder", 2)
    assert len(table.alive) == 3
    table.raise_event("thunder", 3)
    assert table.alive == ["gull_nest"]


def test_a_gull_steals_a_card_and_flees() -> None:
    table = Table("strike", "defend", "mallet", enemies=["magpie_gull", "lugworm"], draw=1)
    for _ in range(2):
        table.end_turn()
    assert len(table.exhaust_pile) == 1
    for _ in range(3):
        table.end_turn()
    assert table.alive == ["lugworm"]
    assert table.battle.units[1].hp > 0


def test_a_battle_whose_last_enemy_flees_is_won() -> None:
    table = Table("defend", enemies=["magpie_gull"])
    for _ in range(5):
        table.end_turn()
    assert table.battle.outcome == 1


def test_the_rust_knight_casts_off_caution_below_half_of_its_hp() -> None:
    table = Table("strike", "mallet", enemies=["rust_knight"])
    assert shown_intent(table.battle, table.enemy).text == "Lunge"
    table.play("mallet")
    table.write({"enemies.0.max_hp": 100, "enemies.0.hp": 40})
    table.end_turn()
    assert shown_intent(table.battle, table.enemy).text == "Cast off"
    table.end_turn()
    assert (table.stacks(table.enemy, "strength"), table.stacks(table.enemy, "vulnerable")) == (3, 0)
    assert shown_intent(table.battle, table.enemy).text in ("Hack", "Hew")


def test_the_light_eater_has_two_phases_and_roars_to_the_engine() -> None:
    """The roar leaves for the engine as a GES event with its sender (R6.4)."""
    table = Table("defend", enemies=["light_eater"])
    seen = []
    for _ in range(4):
        seen.append(shown_intent(table.battle, table.enemy).text)
        table.end_turn()
    assert seen == ["Swallow the light", "Sweep", "Brine breath", "Call the shoal"]
    assert "jelly_spawn" in table.alive
    table.write({"enemies.0.max_hp": 100, "enemies.0.hp": 49})
    table.end_turn()
    assert shown_intent(table.battle, table.enemy).text == "Roar"
    table.end_turn()
    roars = [event.fields for event in table.events("ges_event_raised") if event.fields["event"].id == "roar"]
    assert [roar["arguments"] for roar in roars] == [{"arg": 9, "sender": table.enemy}]


def test_a_shade_fades_and_leaves_a_bell_behind() -> None:
    table = Table("strike", enemies=["fog_shade"])
    table.end_turn()
    assert table.stacks(table.enemy, "haze") == 2
    table.write({"enemies.0.hp": 30})
    table.play("strike")
    assert table.enemy.hp == 29
    for _ in range(2):
        table.end_turn()
    assert "drowned_bell" in [*table.hand, *table.draw_pile, *table.discard_pile]
