@tool
extends EditorPlugin
## Takes the picture of the dock that the docs show: a card has just been played in a battle.
## [code]tools/dock_picture.py[/code] starts it.

const GcsDock = preload("res://addons/gcs/editor/gcs_dock.gd")
const PICTURE: String = "res://dock.png"
const LIMIT_MS: int = 60_000
## Pixels of the dock that the picture shows.
const SIZE: Vector2i = Vector2i(460, 560)
## Frames in which the editor lays itself out and draws.
const SETTLING: int = 60

var _until_ms: int = Time.get_ticks_msec() + LIMIT_MS


func _enter_tree() -> void:
	_run.call_deferred()


func _run() -> void:
	await _until(func() -> bool: return not EditorInterface.get_resource_filesystem().is_scanning() and _dock() != null)
	var dock: GcsDock = _dock()
	# From Godot 4.6 on there is a node of the engine's between the two.
	var page: Control = dock if dock.get_parent() is TabContainer else dock.get_parent_control()
	var tabs: TabContainer = page.get_parent()
	tabs.current_tab = tabs.get_tab_idx_from_control(page)
	dock.custom_minimum_size.x = SIZE.x
	await _until(func() -> bool: return dock._watch.connection == GcsClient.Connection.ONLINE)
	var client: GcsClient = GcsClient.new()
	add_child(client)
	client.connect_to_server()
	var options: GcsBattleOptions = GcsBattleOptions.new()
	options.set_seed(7)
	options.deck = ["mallet", "strike", "defend", "strike", "defend"]
	options.battle_id = "picture"
	client.start_battle("starter", "first_fight", options)
	await _until(func() -> bool: return client.state != null)
	for card: GcsCard in client.state.hand_cards():
		if card.card_id == "mallet":
			client.play_card(card.id, "enemy0")
	await _until(func() -> bool: return dock._dispatches.get_root() != null and client.state.version > 1)
	await _until(func() -> bool: return not dock._latency.text.is_empty())
	for _frame: int in range(SETTLING):
		await get_tree().process_frame
	var picture: Image = EditorInterface.get_base_control().get_viewport().get_texture().get_image()
	var frame: Rect2i = Rect2i(Vector2i(tabs.get_global_rect().position), SIZE)
	picture.get_region(frame).save_png(PICTURE)
	get_tree().quit()


func _dock() -> GcsDock:
	for node: Node in EditorInterface.get_base_control().find_children("*", "VBoxContainer", true, false):
		if node is GcsDock:
			return node
	return null


func _until(condition: Callable) -> void:
	while not condition.call():
		if Time.get_ticks_msec() > _until_ms:
			push_error("dock_picture: not ready in time")
			get_tree().quit(1)
			return
		await get_tree().process_frame
