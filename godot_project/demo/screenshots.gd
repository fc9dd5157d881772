extends Node
## Plays the demo into fixed states and saves a picture of each; [code]tools/screenshots.py[/code] runs it.
##
## User arguments: [code]--address=HOST:PORT[/code] and [code]--out=FOLDER[/code]; [code]--only=NAME[/code] for one state.

const Arguments = preload("arguments.gd")
const BattleScreen = preload("battle_screen.gd")
const CardView = preload("cards/card_view.gd")
const SimpleBot = preload("simple_bot.gd")

const KNOWN: PackedStringArray = ["address", "out", "only"]
## Seconds for cards, bars and numbers to come to rest.
const REST: float = 1.4
## Seconds after which the whole run is given up.
const LIMIT: float = 540.0
const SEED: int = 7
const STATES: PackedStringArray = [
	"menu", "battle", "aim", "statuses", "dimmed", "trace", "weather", "choice", "piles", "enemies", "victory", "defeat", "lost",
]

var _arguments: Arguments = Arguments.new(KNOWN)
var _screen: BattleScreen = preload("battle.tscn").instantiate()


func _ready() -> void:
	get_tree().create_timer(LIMIT).timeout.connect(func() -> void: _give_up("not done within %d s" % LIMIT))
	if not _arguments.error.is_empty() or not _arguments.has("out"):
		_give_up(_arguments.error if not _arguments.error.is_empty() else "--out=FOLDER is missing")
		return
	_screen.arguments = _arguments
	add_child(_screen)
	_screen.director.pace = 0.3
	await _until(func() -> bool: return _screen.encounter_menu.visible)
	for state: String in STATES:
		if _arguments.text("only", state) == state:
			print("screenshots: %s" % state)
			await call("_show_%s" % state)
			await _save(state)
	get_tree().quit(0)


func _show_menu() -> void:
	_screen.encounter_menu.open(_screen._catalog)
	await _rest()


func _show_battle() -> void:
	var deck: Array[String] = ["bash", "lionfish_spine", "inflame", "cleave", "harpoon", "defend", "strike", "defend", "lantern_swing", "flotsam"]
	await _start("drowned_crew", deck, {"energy": 4, "hp": 44})
	for _number: int in range(3):
		await _step()
	await _do(Gcs.end_turn())
	await _step()
	await _rest()


func _show_aim() -> void:
	await _start("first_fight")
	for view: CardView in _screen.hand.views:
		if view.needs_aim() and view.card.playable:
			_screen.hand.card_picked.emit(view, false)
			break
	var enemy: Control = _screen.field.view_of("enemy0")
	Input.warp_mouse(enemy.get_global_rect().get_center() * _stretch())
	await _rest()


func _show_statuses() -> void:
	await _start("tide_pool", ["bash", "lionfish_spine", "inflame", "defend", "strike"], {"energy": 9, "statuses": {"ritual": 2}})
	for _number: int in range(4):
		await _step()
	await _do(Gcs.end_turn())
	await _rest()


func _show_dimmed() -> void:
	await _start("first_fight", [], {"energy": 1})
	await _step()
	await _rest()


func _show_trace() -> void:
	await _start("tide_pool", ["lightning_rod", "lionfish_spine", "strike", "bash", "defend", "strike", "defend"], {"energy": 6})
	(_screen.get_node("%Trace") as Button).button_pressed = true
	for _number: int in range(4):
		await _step()
	await _rest()


func _show_weather() -> void:
	(_screen.get_node("%Trace") as Button).button_pressed = false
	await _start("tide_pool", ["lightning_rod", "lightning_rod", "strike", "bash", "defend"], {"energy": 6})
	(_screen.get_node("%Weather") as Button).button_pressed = true
	for card: GcsCard in Gcs.state.hand_cards():
		if card.card == "lightning_rod":
			await _do(Gcs.play_card(card.id))
	_screen.backdrop.rain = 0.8
	await _rest()
	_screen.weather_panel._strength.value = 6
	_screen.weather_panel._raise("thunder", _screen._catalog)
	await _until(func() -> bool: return _screen.backdrop._flash > 0.0)


func _show_choice() -> void:
	(_screen.get_node("%Weather") as Button).button_pressed = false
	await _start("first_fight", ["reel_in", "strike", "bash", "defend", "strike"])
	for card: GcsCard in Gcs.state.hand_cards():
		if card.card == "reel_in":
			Gcs.play_card(card.id)
	await _until(func() -> bool: return _screen.choice_panel.visible)
	_screen.choice_panel._toggle(_screen.choice_panel._items.get_child(1) as CardView)
	await _rest()


func _show_piles() -> void:
	await _start("chapel")
	await _do(Gcs.end_turn())
	(_screen.get_node("%DiscardPile") as Button).pressed.emit()
	await _rest()


func _show_enemies() -> void:
	# The encounter with the most enemies.
	var best: String = ""
	var most: int = 0
	for encounter: String in _screen._catalog.ids_of("encounters"):
		var count: int = _screen._catalog.field_of("encounters", encounter, "enemies").split(", ").size()
		if count > most:
			most = count
			best = encounter
	await _start(best)


func _show_victory() -> void:
	var deck: Array[String] = ["bash", "bash", "strike", "strike", "cleave"]
	await _start("first_fight", deck, {"energy": 30, "draw": 10, "statuses": {"strength": 30}})
	await _to_the_end()


func _show_defeat() -> void:
	await _start("first_fight")
	Gcs.concede()
	await _until(func() -> bool: return _screen.result_panel.visible)
	await _rest()


func _show_lost() -> void:
	await _start("first_fight")
	Gcs._server._on_channel_changed(GrpcChannel.State.TRANSIENT_FAILURE, "%s: the connection was lost" % Gcs._server.channel.url())
	await _rest()


func _start(encounter: String, deck: Array[String] = [], player: Dictionary[String, Variant] = {}) -> void:
	var options: GcsBattleOptions = GcsBattleOptions.new()
	options.set_seed(SEED)
	options.deck = deck
	options.player = player
	_screen._clear()
	Gcs.start_battle("starter", encounter, options)
	await _until(func() -> bool: return Gcs.state != null and not Gcs.is_showing())
	await _rest()


func _step() -> void:
	await _do(SimpleBot.act(Gcs))


func _do(action: GcsAction) -> void:
	await _until(func() -> bool: return action.state != GcsAction.State.PENDING and not Gcs.is_showing())


func _to_the_end() -> void:
	while Gcs.state.is_running():
		await _step()
	await _until(func() -> bool: return _screen.result_panel.visible)
	await _rest()


func _until(condition: Callable) -> void:
	while not condition.call():
		await get_tree().process_frame


func _rest() -> void:
	await get_tree().create_timer(REST).timeout


func _stretch() -> Vector2:
	return Vector2(get_window().size) / get_viewport().get_visible_rect().size


func _save(picture: String) -> void:
	await RenderingServer.frame_post_draw
	var path: String = _arguments.text("out").path_join(picture + ".png")
	var problem: Error = get_viewport().get_texture().get_image().save_png(path)
	if problem != OK:
		_give_up("%s cannot be written: %s" % [path, error_string(problem)])


func _give_up(reason: String) -> void:
	printerr("screenshots: %s" % reason)
	get_tree().quit(1)
