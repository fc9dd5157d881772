extends BattleTestCase
## The demo's battle screen, driven as a player does.

const NEEDS: String = "gcs_server"
const TIMEOUT: float = 60.0
const Arguments = preload("res://demo/arguments.gd")
const BattleScreen = preload("res://demo/battle_screen.gd")
const CardView = preload("res://demo/cards/card_view.gd")
const Settings = preload("res://demo/ui/settings.gd")
const UnitView = preload("res://demo/units/unit_view.gd")

var _screen: BattleScreen


func before_each() -> void:
	_screen = preload("res://demo/battle.tscn").instantiate()
	_screen.arguments = Arguments.new(BattleScreen.KNOWN,
			["--address=%s" % peer_address("gcs_server"), "--encounter=first_fight", "--seed=7"])
	_screen.settings = Settings.new("")
	_screen.settings.pace = "At once"
	add_child(_screen)
	await until(func() -> bool: return Gcs.state != null and not Gcs.is_showing() and _screen.hand.active,
			"the player may act")


func after_each() -> void:
	super()
	_screen.queue_free()
	Gcs.pace_with(Callable())
	Gcs.leave_battle()
	Gcs.state = null
	Gcs.disconnect_from_server()


func _playable(aims: bool) -> CardView:
	for view: CardView in _screen.hand.views:
		if view.card.playable and view.needs_aim() == aims:
			return view
	fail("no card in hand that %s" % ("aims" if aims else "needs no aim"))
	return null


func _click(control: Control) -> void:
	for pressed: bool in [true, false] as Array[bool]:
		var event: InputEventMouseButton = InputEventMouseButton.new()
		event.button_index = MOUSE_BUTTON_LEFT
		event.pressed = pressed
		control.gui_input.emit(event)


func test_card_and_target_are_clicked() -> void:
	var enemy: UnitView = _screen.field.view_of("enemy0")
	var hp: int = enemy.unit.hp
	var view: CardView = _playable(true)
	check(not enemy.targetable, "nothing to aim at before a card is lifted")
	_click(view)
	check(view.selected, "the card is lifted")
	check(enemy.targetable, "the enemy is marked")
	_click(enemy)
	check(not _screen.hand.active, "no second card while the first is on its way")
	await until(func() -> bool: return enemy.unit.hp < hp and _screen.hand.active, "the hit is shown")
	check(_screen.hand.view_of(view.card.id) == null, "the card has left the hand")


func test_card_without_aim_is_clicked_twice() -> void:
	var view: CardView = _playable(false)
	_click(view)
	check(view.selected, "the card is lifted")
	_click(view)
	await until(func() -> bool: return _screen.hand.view_of(view.card.id) == null, "the card has left the hand")


func test_lifted_card_is_put_back() -> void:
	var view: CardView = _playable(true)
	_click(view)
	_click(view)
	check(not view.selected, "the card is back")
	check(not _screen.field.view_of("enemy0").targetable, "nothing is marked")


func test_unplayable_card_says_why() -> void:
	while not has_failed():
		var playable: bool = false
		for view: CardView in _screen.hand.views:
			playable = playable or view.card.playable
		if not playable:
			break
		await step(Gcs)
		await until(func() -> bool: return _screen.hand.active or not Gcs.state.is_running(), "the player may act")
	var hint: Label = _screen.get_node("%Hint")
	if _screen.hand.views.is_empty():
		fail("no card is left in hand")
		return
	_click(_screen.hand.views[0])
	check(not _screen.hand.views[0].selected, "it is not lifted")
	check(hint.visible and hint.text == "Not enough energy.", "the hint: %s" % hint.text)


func test_end_of_the_battle_opens_the_panel_and_restarts() -> void:
	var first: GcsBattleState = Gcs.state
	Gcs.concede()
	await until(func() -> bool: return _screen.result_panel.visible, "the panel opens")
	(_screen.result_panel.get_node("%Retry") as Button).pressed.emit()
	await until(func() -> bool: return Gcs.state != null and Gcs.state != first and _screen.hand.active,
			"another battle starts")
	check(not _screen.result_panel.visible, "the panel is closed")
	check_equal(Gcs.state.encounter, "first_fight", "encounter")


func test_weather_is_raised_into_the_battle() -> void:
	var raised: Array[String] = []
	Gcs.ges_event_raised.connect(func(event: GcsV1Events.GesEventRaised) -> void: raised.push_back(event.event),
			CONNECT_ONE_SHOT)
	_screen.weather_panel._raise("thunder", _screen._catalog)
	await until(func() -> bool: return not raised.is_empty(), "the event arrives")
	check_equal(raised[0], "thunder", "event")
