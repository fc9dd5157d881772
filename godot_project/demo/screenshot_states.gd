extends Node
## The fixed states of the demo that pictures are taken of: [code]show_NAME()[/code] plays there and comes to rest.

const Art = preload("ui/art.gd")
const BattleScreen = preload("battle_screen.gd")
const CardView = preload("cards/card_view.gd")
const HandView = preload("cards/hand_view.gd")
const Motion = preload("ui/motion.gd")
const Palette = preload("ui/palette.gd")
const SimpleBot = preload("simple_bot.gd")
const UnitView = preload("units/unit_view.gd")

const NAMES: PackedStringArray = [
	"missing", "menu", "battle", "aim", "drag", "statuses", "details", "hand", "texts", "dimmed", "trace", "weather",
	"numbers",
	"banner", "choice", "options", "piles", "enemies", "settings", "victory", "picked", "dark", "defeat", "boss",
	"cards", "lost",
]
## Seconds for cards, bars and numbers to come to rest.
const REST: float = 0.8
const SEED: int = 7
const LONG_TEXTS: Array[String] = ["figurehead", "flotsam", "kettle", "light_the_fuse", "trophy_hunt",
		"signal_flare_plus"]
const FIVE: Array[String] = ["sea_slater", "deckhand", "reef_captain", "fog_shade", "spine_urchin"]
const MANY_STATUSES: Dictionary[String, int] = {
	"strength": 12, "sea_legs": 3, "vulnerable": 2, "weak": 1, "poison": 4, "thorns": 3, "rising_hymn": 2,
	"salt_ward": 1, "oilskin": 2, "lamplight": 4,
}

## Set by whoever takes the pictures.
var screen: BattleScreen

var _sheet: Control = null


## Puts away what a state left open.
func clear() -> void:
	if _sheet != null:
		_sheet.queue_free()
	_sheet = null
	Gcs.leave_battle()
	screen._clear()
	screen.details.dismiss()
	screen.settings_panel.hide()
	# The player's settings, which are read after the start, may have made it lively.
	Motion.calm = not OS.get_cmdline_user_args().has("--lively")
	screen._on_connection_changed(GcsClient.Connection.ONLINE, "")
	screen.director.pace = 0.0
	for toggle: String in ["%Trace", "%Weather"] as Array[String]:
		(screen.get_node(toggle) as Button).button_pressed = false
	screen.settings.workings = false
	var focused: Control = get_viewport().gui_get_focus_owner()
	if focused != null:
		focused.release_focus()


func show_missing() -> void:
	await _until(func() -> bool: return screen.encounter_menu.visible and Gcs.connection == GcsClient.Connection.ONLINE)
	screen.encounter_menu.hide()
	screen._on_connection_changed(GcsClient.Connection.UNREACHABLE,
			"127.0.0.1:50051: no server answers. Start it with: gcs serve")
	await _rest()


func show_menu() -> void:
	await _until(func() -> bool: return not screen._catalog.pack.is_empty())
	screen.run.won = ["gybe", "harpoon"]
	screen._open_menu()
	screen.run.won = []
	await _rest()


func show_battle() -> void:
	var deck: Array[String] = ["mallet", "lionfish_spine", "grog", "gybe", "harpoon", "defend", "strike", "defend",
			"lantern_swing", "flotsam"]
	await _start("drowned_crew", deck, {"energy": 4, "hp": 44})
	for _number: int in range(3):
		await _step()
	await _do(Gcs.end_turn())
	await _step()
	await _rest()


func show_aim() -> void:
	await _start("first_fight")
	for view: CardView in screen.hand.views:
		if view.needs_aim() and view.card.playable:
			screen.hand.card_picked.emit(view, HandView.Picked.ACCEPT)
			break
	await _rest()


func show_drag() -> void:
	await _start("tide_pool")
	var view: CardView = _first_in_hand(false)
	_mouse(view.get_global_rect().get_center(), true)
	_move(screen.get_global_rect().size * Vector2(0.45, 0.45), MOUSE_BUTTON_MASK_LEFT)
	await _rest()


func show_statuses() -> void:
	await _start("tide_pool", ["mallet", "lionfish_spine", "grog", "defend", "strike"],
			{"energy": 9, "statuses": MANY_STATUSES})
	for _number: int in range(4):
		await _step()
	await _rest()


func show_details() -> void:
	await _start("drowned_crew", [], {"statuses": MANY_STATUSES})
	screen.field.view_of("enemy1").grab_focus()
	await _rest()


func show_hand() -> void:
	await _start("chapel",
			["strike", "defend", "mallet", "gybe", "harpoon", "static", "mirage", "kettle", "vigil", "gaff"],
			{"draw": 10, "energy": 3})
	screen.hand.views[6].grab_focus()
	await _rest()


func show_texts() -> void:
	await _start("first_fight", LONG_TEXTS, {"draw": 6, "energy": 9})
	screen.hand.views[0].grab_focus()
	await _rest()


func show_dimmed() -> void:
	await _start("first_fight", [], {"energy": 1})
	await _step()
	await _rest()


func show_trace() -> void:
	await _start("tide_pool", ["lightning_rod", "lionfish_spine", "strike", "mallet", "defend", "strike", "defend"],
			{"energy": 6})
	screen.settings.workings = true
	(screen.get_node("%Trace") as Button).button_pressed = true
	for _number: int in range(4):
		await _step()
	await _rest()


func show_weather() -> void:
	await _start("tide_pool", ["lightning_rod", "lightning_rod", "strike", "mallet", "defend"], {"energy": 6})
	screen.settings.workings = true
	(screen.get_node("%Weather") as Button).button_pressed = true
	for card: GcsCard in Gcs.state.hand_cards():
		if card.card_id == "lightning_rod":
			await _do(Gcs.play_card(card.id))
	screen.backdrop.rain = 0.8
	await _rest()
	screen.director.pace = 1.0
	Motion.calm = false
	screen.weather_panel._strength.value = 6
	screen.weather_panel._raise("thunder", screen._catalog)
	await _until(func() -> bool: return screen.backdrop._flash > 0.0)


func show_numbers() -> void:
	await _start("tide_pool", ["gybe", "strike", "defend", "mallet", "strike"], {"energy": 6})
	for card: GcsCard in Gcs.state.hand_cards():
		if card.card_id == "gybe":
			screen.director.pace = 0.3
			Gcs.play_card(card.id)
	await _until(func() -> bool: return screen.director.layer.get_child_count() == 3)
	await get_tree().create_timer(0.3).timeout


func show_banner() -> void:
	await _start("first_fight")
	screen._banner.announce("Your turn", "Turn 2", Palette.LAMP)
	await get_tree().create_timer(0.4).timeout


func show_choice() -> void:
	await _start("first_fight", ["reel_in", "strike", "mallet", "defend", "strike"])
	_play("reel_in")
	await _until(func() -> bool: return screen.choice_panel.visible)
	screen.choice_panel._toggle(screen.choice_panel._items.get_child(1) as CardView)
	await _rest()


func show_options() -> void:
	await _start("first_fight", ["two_tides", "strike", "mallet", "defend", "strike"])
	_play("two_tides")
	await _until(func() -> bool: return screen.choice_panel.visible)
	await _rest()


func show_piles() -> void:
	var deck: Array[String] = []
	for _number: int in range(4):
		deck.append_array(["strike", "defend", "mallet", "gybe", "harpoon", "static", "mirage", "kettle", "vigil",
				"gaff", "flotsam"])
	await _start("chapel", deck)
	(screen.get_node("%DrawPile") as Button).pressed.emit()
	await _rest()


func show_enemies() -> void:
	await _start(JSON.stringify({"id": "five", "name": "Five at once", "enemies": FIVE, "deck": "keeper",
			"player": {"hp": 40, "max_hp": 50}}))
	await _rest()


func show_settings() -> void:
	await _start("first_fight")
	screen.settings_panel.open()
	await _rest()


func show_victory() -> void:
	var deck: Array[String] = ["mallet", "mallet", "strike", "strike", "gybe"]
	await _start("first_fight", deck, {"energy": 30, "draw": 10, "statuses": {"strength": 30}})
	while Gcs.state.is_running():
		await _step()
	await _until(func() -> bool: return screen.result_panel.visible)
	await _rest()


func show_picked() -> void:
	await show_victory()
	(screen.result_panel._reward_cards.get_child(0) as CardView).chosen.emit()
	screen.run.begin_anew()
	await _rest()


func show_defeat() -> void:
	await _start("first_fight")
	Gcs.concede()
	await _until(func() -> bool: return screen.result_panel.visible)
	await _rest()


func show_dark() -> void:
	await _start("drowned_crew")
	screen.finale._lost = true
	screen.finale._lamp = screen.field.view_of("player").lamp()
	screen.finale.show_at(0.62)
	await _rest()


func show_boss() -> void:
	await _start("light_eater")
	var opening: PackedStringArray = screen._catalog.opening_of("light_eater")
	screen._banner.announce(opening[0], opening[1], Palette.HARM, screen.director.BOSS_SECONDS)
	await get_tree().create_timer(0.6).timeout


## Every card's picture, small.
func show_cards() -> void:
	await _start("first_fight")
	var sheet: GridContainer = GridContainer.new()
	sheet.columns = 13
	for card: String in screen._catalog.ids_of("cards"):
		if not card.ends_with("_plus"):
			var picture: TextureRect = TextureRect.new()
			picture.texture = Art.card(card)
			picture.expand_mode = TextureRect.EXPAND_IGNORE_SIZE
			picture.custom_minimum_size = Vector2(92, 43)
			sheet.add_child(picture)
	screen.add_child(sheet)
	sheet.z_index = 100
	await _rest()
	_sheet = sheet


func show_lost() -> void:
	await _start("first_fight")
	screen._on_connection_changed(GcsClient.Connection.LOST, "127.0.0.1:50051: the connection was lost")
	await _rest()


func _start(encounter: String, deck: Array[String] = [], player: Dictionary[String, Variant] = {}) -> void:
	await _until(func() -> bool: return not screen._catalog.pack.is_empty())
	var options: GcsBattleOptions = GcsBattleOptions.new()
	options.set_seed(SEED)
	options.deck = deck
	options.player = player
	screen._clear()
	screen.director.pace = 0.0
	# The state of the battle before is still there to be read: this one has to have begun.
	await Gcs.start_battle("starter", encounter, options).outcome()
	await _until(func() -> bool: return not Gcs.is_showing())
	await _rest()


func _play(asset: String) -> void:
	for card: GcsCard in Gcs.state.hand_cards():
		if card.card_id == asset:
			Gcs.play_card(card.id)
			return


func _first_in_hand(aims: bool) -> CardView:
	for view: CardView in screen.hand.views:
		if view.card.playable and view.needs_aim() == aims:
			return view
	return null


func _step() -> void:
	await _do(SimpleBot.act(Gcs))


func _do(action: GcsAction) -> void:
	await _until(func() -> bool: return action.state != GcsAction.State.PENDING and not Gcs.is_showing())


func _until(condition: Callable) -> void:
	while not condition.call():
		await get_tree().process_frame


func _rest() -> void:
	await get_tree().create_timer(REST).timeout


func _mouse(at: Vector2, pressed: bool) -> void:
	_move(at, 0)
	var event: InputEventMouseButton = InputEventMouseButton.new()
	event.button_index = MOUSE_BUTTON_LEFT
	event.pressed = pressed
	event.position = at
	get_viewport().push_input(event, true)


func _move(at: Vector2, mask: int) -> void:
	var event: InputEventMouseMotion = InputEventMouseMotion.new()
	event.position = at
	event.button_mask = mask
	get_viewport().push_input(event, true)
