extends DemoTestCase
## What a card shows while it is aimed is what it then does.

const NEEDS: String = "gcs_server"
const TIMEOUT: float = 120.0

const Forecast = preload("res://demo/ui/forecast.gd")

const AIMED: Array[String] = ["strike", "mallet", "hull_breaker", "rivet_gun", "gaff", "lantern_swing", "keelhaul",
		"call_thunder", "weathercock"]


func enemy_is_vulnerable() -> bool:
	return Gcs.state.units[1].statuses.has("vulnerable")


## Aims every card of [constant AIMED] at an armored, vulnerable enemy by a weak, strong player.
func test_forecast_is_what_happens() -> void:
	for asset: String in AIMED:
		var options: GcsBattleOptions = GcsBattleOptions.new()
		options.set_seed(7)
		options.deck = ["signal_flare", asset]
		options.player = {"energy": 9, "statuses": {"strength": 3, "weak": 2}}
		var before: GcsBattleState = Gcs.state
		Gcs.start_battle("starter", "rusted_gate", options)
		await until(func() -> bool: return Gcs.state != null and Gcs.state != before and screen.hand.active,
				"the battle starts")
		for card: GcsCard in Gcs.state.hand_cards():
			if card.card_id == "signal_flare":
				Gcs.play_card(card.id)
		await until(enemy_is_vulnerable, "the enemy is vulnerable")
		await until_free()
		await until_at_rest()
		var view: CardView = screen.hand.views[0]
		var enemy: UnitView = screen.field.view_of("enemy0")
		var hp: int = enemy.unit.hp
		screen.hand.card_picked.emit(view, screen.HandView.Picked.ACCEPT)
		await until(func() -> bool: return enemy._bar._hp_at_stake > 0 or enemy._bar._armor_at_stake > 0,
				"%s: the bar tells" % asset)
		var stake: int = enemy._bar._hp_at_stake
		check(asset == "lantern_swing" or view.text() != screen._catalog.text_of("cards", asset),
				"%s: the numbers are for this target: %s" % [asset, view.text()])
		await type_key(KEY_ENTER)
		await until(func() -> bool: return screen.hand.views.is_empty() and not Gcs.is_showing(),
				"%s is played" % asset)
		check_equal(hp - enemy.unit.hp, stake, asset)
		check_equal(enemy._bar._hp_at_stake, 0, "%s: nothing is foretold any more" % asset)


func test_changed_numbers_are_told_apart() -> void:
	var found: Array[Array] = Forecast.pieces("Lose 3 HP. Gain 4 Strength, 2 turns.",
			"Lose 2 HP. Gain 3 Strength, 2 turns.")
	var changes: Dictionary[String, Forecast.Change] = {}
	for piece: Array in found:
		changes[str(piece[0])] = piece[1]
	check_equal([changes["3"], changes["4"], changes["2"]],
			[Forecast.Change.WORSE, Forecast.Change.BETTER, Forecast.Change.NONE], "changes")


func test_forecast_reads_hits_and_armor() -> void:
	var forecast: Forecast = Forecast.of("Deal 4 damage 3 times, and once more if the target has armor.", 30, 5)
	check_equal([forecast.hp, forecast.armor], [11, 5], "four hits, five of it on armor")
	forecast = Forecast.of("Strip off all of the target's armor. Deal 9 damage.", 7, 5)
	check_equal([forecast.hp, forecast.armor], [7, 5], "no more than there is")
	check(Forecast.of("Gain 5 armor.", 30, 0) == null, "no damage")
