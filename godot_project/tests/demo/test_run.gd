extends DemoTestCase
## What comes after a battle: the reward joins the next deck, the seed can be kept, drawn or typed in.

const NEEDS: String = "gcs_server"
const TIMEOUT: float = 60.0

var _folder: String = OS.get_temp_dir().path_join("gcs_demo_%d" % OS.get_process_id())


## Wins the battle at once: with a deck and strength for it.
func _win() -> void:
	var options: GcsBattleOptions = GcsBattleOptions.new()
	options.set_seed(7)
	options.deck = ["mallet", "mallet", "strike", "strike", "gybe"]
	options.player = {"energy": 30, "statuses": {"strength": 60}}
	Gcs.start_battle("starter", "first_fight", options)
	var is_strong: Callable = func() -> bool: return Gcs.state != null and Gcs.state.player().statuses.has("strength")
	await until(func() -> bool: return is_strong.call() and not Gcs.is_showing(), "the battle starts")
	while Gcs.state.is_running() and not has_failed():
		await step(Gcs)
		await until(func() -> bool: return not Gcs.is_showing(), "the action is shown")
	await until(func() -> bool: return screen.result_panel.visible, "the panel opens")


## Presses a button of a panel and waits for the battle that it starts.
func _start_with(button: Button) -> void:
	var before: GcsBattleState = Gcs.state
	button.pressed.emit()
	await until(func() -> bool: return Gcs.state != null and Gcs.state != before, "another battle starts")
	await until_free()


## Cards of the battle at its start: all are in hand or to be drawn.
func _deck_size() -> int:
	return Gcs.state.hand.size + Gcs.state.draw.size


func _button(path: String) -> Button:
	return screen.result_panel.get_node(path) as Button


func test_picked_card_is_in_the_next_deck() -> void:
	await _win()
	check_equal(_button("%Continue").text, "Skip", "a reward can be left")
	var picked: CardView = focused() as CardView
	check(picked != null, "the first reward has the focus, it is at %s" % focused())
	await type_key(KEY_ENTER)
	check_equal(screen.run.won.size(), 1, "cards won")
	check_equal(focused(), _button("%Continue"), "the focus goes on")
	check_equal(_button("%Continue").text, "Continue", "the reward is taken")
	await _start_with(_button("%Continue"))
	check_equal(Gcs.state.encounter, screen.Run.next_after("first_fight", screen._catalog), "the next battle")
	var own: int = screen._catalog.deck_of(Gcs.state.encounter).size()
	check_equal(_deck_size(), own + 1, "cards in the battle")
	var ids: Array[String] = Gcs.state.draw.contents.duplicate()
	for card: GcsCard in Gcs.state.hand_cards():
		ids.push_back(card.card_id)
	check_equal(ids.count(screen.run.won[0]), 1, "the card %s in %s" % [screen.run.won[0], ids])
	screen.run.begin_anew()
	await _start_with(_button("%Retry"))
	check_equal(_deck_size(), own, "cards after all were given back")


func test_same_seed_and_retry() -> void:
	screen.settings.workings = true
	Gcs.concede()
	await until(func() -> bool: return screen.result_panel.visible, "the panel opens")
	var hand: Array = Gcs.state.hand_cards().map(func(card: GcsCard) -> String: return card.card_id)
	await _start_with(_button("%SameSeed"))
	check_equal(Gcs.state.seed, 7, "seed")
	check_equal(Gcs.state.hand_cards().map(func(card: GcsCard) -> String: return card.card_id), hand, "hand")
	await _start_with(_button("%Retry"))
	check(Gcs.state.seed != 7, "another seed: %s" % GcsSeed.to_text(Gcs.state.seed))
	check((screen.get_node("%Seed") as Label).text.contains(str(Gcs.state.seed)), "the seed is shown")


func test_seed_is_typed_in_and_a_wrong_one_is_told() -> void:
	screen.settings.workings = true
	await type_key(KEY_M)
	check(screen.encounter_menu.visible, "the menu opens")
	var field: LineEdit = screen.encounter_menu.get_node("%Seed")
	var problem: Label = screen.encounter_menu.get_node("%Problem")
	var first: Button = screen.encounter_menu.get_node("%List").get_child(0) as Button
	for wrong: String in ["-3", "seven", "18446744073709551616", "1.5"] as Array[String]:
		field.text = wrong
		field.text_changed.emit(wrong)
		check(problem.visible, "%s is refused" % wrong)
		first.pressed.emit()
		check(screen.encounter_menu.visible, "no battle starts with %s" % wrong)
	field.text = "18446744073709551615"
	field.text_changed.emit(field.text)
	check(not problem.visible, "a right one is taken")
	await _start_with(first)
	check_equal(GcsSeed.to_text(Gcs.state.seed), "18446744073709551615", "seed")


func test_workings_are_behind_a_switch() -> void:
	for part: String in ["%Seed", "%Trace", "%Weather"] as Array[String]:
		check(not (screen.get_node(part) as Control).visible, "%s is hidden" % part)
	check(not (screen.encounter_menu.get_node("%Seed") as Control).visible, "the menu asks for no seed")
	await type_key(KEY_T)
	check(not screen.trace_panel.visible, "the key does nothing")
	screen.settings.workings = true
	for part: String in ["%Seed", "%Trace", "%Weather"] as Array[String]:
		check((screen.get_node(part) as Control).visible, "%s is shown" % part)
	await type_key(KEY_T)
	check(screen.trace_panel.visible, "the key opens it")
	screen.settings.workings = false
	check(not screen.trace_panel.visible, "it goes with the switch")


func test_first_fight_starts_unhurt() -> void:
	var player: GcsUnit = Gcs.state.units[0]
	check_equal(player.hp, player.max_hp, "HP")


func test_menu_goes_back_to_the_battle() -> void:
	var battle: GcsBattleState = Gcs.state
	await press_pad(JOY_BUTTON_START)
	check(screen.encounter_menu.visible, "the menu opens")
	await press_pad(JOY_BUTTON_B)
	check(not screen.encounter_menu.visible and Gcs.state == battle, "the battle is still there")


func test_settings_are_kept() -> void:
	var path: String = _folder + ".cfg"
	var settings: Settings = Settings.new(path)
	check_equal([settings.pace, settings.size, settings.calm], ["Normal", "Normal", false], "at first")
	settings.pace = "Fast"
	settings.size = "Large"
	settings.calm = true
	check_equal(settings.save(), OK, "saving")
	var again: Settings = Settings.new(path)
	check_equal([again.pace, again.size, again.calm], ["Fast", "Large", true], "read again")
	var file: ConfigFile = ConfigFile.new()
	file.set_value(Settings.SECTION, "pace", "Warp")
	file.set_value(Settings.SECTION, "calm", 3)
	file.save(path)
	var odd: Settings = Settings.new(path)
	check_equal([odd.pace, odd.calm], ["Normal", false], "values that cannot be set")
	DirAccess.remove_absolute(path)


func test_pace_and_size_hold_at_once() -> void:
	screen.settings.pace = "Slow"
	check_equal(screen.director.pace, Settings.PACES["Slow"], "pace")
	screen.settings.size = "Large"
	check_near(get_window().content_scale_factor, Settings.SIZES["Large"], 0.001, "size")
	screen.settings.size = "Normal"
	check_equal(get_window().content_scale_factor, 1.0, "size again")
