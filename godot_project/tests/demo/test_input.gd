extends DemoTestCase
## A turn is played with the keyboard alone, with a controller alone and with the mouse, by input events as devices send
## them.

const NEEDS: String = "gcs_server"
const TIMEOUT: float = 60.0


## Plays the first playable card on the first enemy with [param choose], [param accept] and the arrows of the device.
func _play_by_focus(accept: Callable, right: Callable) -> void:
	var view: CardView = playable(true)
	var enemy: UnitView = screen.field.view_of("enemy0")
	var hp: int = enemy.unit.hp
	await right.call()
	while focused() != view and not has_failed():
		check(focused() is CardView, "the focus goes from card to card, it is at %s" % focused())
		await right.call()
	await accept.call()
	check(view.selected, "the card is lifted")
	check(focused() == enemy, "the focus goes on to the target, it is at %s" % focused())
	await accept.call()
	await until(func() -> bool: return enemy.unit.hp < hp, "the enemy is hit")
	await until_free()
	check(focused() is CardView, "the focus is back in the hand, it is at %s" % focused())


func test_turn_with_the_keyboard_alone() -> void:
	await _play_by_focus(type_key.bind(KEY_ENTER), type_key.bind(KEY_RIGHT))
	var turn: int = Gcs.state.turn
	await type_key(KEY_E)
	await until(func() -> bool: return Gcs.state.turn == turn + 1, "the next turn comes")


func test_turn_with_a_controller_alone() -> void:
	await _play_by_focus(press_pad.bind(JOY_BUTTON_A), press_pad.bind(JOY_BUTTON_DPAD_RIGHT))
	check(screen.controls.hint().contains("D-pad"), "the hint is about the controller: %s" % screen.controls.hint())
	var turn: int = Gcs.state.turn
	await press_pad(JOY_BUTTON_Y)
	await until(func() -> bool: return Gcs.state.turn == turn + 1, "the next turn comes")


func test_card_on_oneself_is_accepted_twice() -> void:
	var view: CardView = playable(false)
	view.grab_focus()
	await type_key(KEY_ENTER)
	check(view.selected, "the card is lifted")
	await type_key(KEY_ENTER)
	await until(func() -> bool: return screen.hand.view_of(view.card.id) == null, "the card has left the hand")


func test_digits_choose_cards_and_escape_puts_back() -> void:
	await type_key(KEY_1)
	check_equal(focused(), screen.hand.views[0], "the first card has the focus")
	var view: CardView = playable(true)
	await type_key((KEY_1 + screen.hand.views.find(view)) as Key)
	await type_key(KEY_ENTER)
	check(view.selected, "the card is lifted")
	await type_key(KEY_ESCAPE)
	check(not view.selected, "the card is back")
	check_equal(focused(), view, "and has the focus again")
	check(not screen.field.view_of("enemy0").targetable, "nothing is marked")


func test_card_is_dragged_onto_its_target() -> void:
	await until_at_rest()
	var view: CardView = playable(true)
	var enemy: UnitView = screen.field.view_of("enemy0")
	var hp: int = enemy.unit.hp
	await move_mouse(grip_of(view))
	await mouse_button(grip_of(view), true)
	await move_mouse(Vector2(640, 420), MOUSE_BUTTON_MASK_LEFT)
	check(view.selected and enemy.targetable and not enemy.aimed_at, "the card is lifted, the enemy is marked")
	await move_mouse(enemy.chest(), MOUSE_BUTTON_MASK_LEFT)
	await until(func() -> bool: return enemy.aimed_at, "the enemy lights up")
	await mouse_button(enemy.chest(), false)
	await until(func() -> bool: return enemy.unit.hp < hp, "the enemy is hit")


func test_drag_that_ends_nowhere_puts_the_card_back() -> void:
	await until_at_rest()
	var view: CardView = playable(true)
	await move_mouse(grip_of(view))
	await mouse_button(grip_of(view), true)
	await move_mouse(Vector2(640, 300), MOUSE_BUTTON_MASK_LEFT)
	check(view.selected, "the card is lifted")
	await mouse_button(Vector2(640, 300), false)
	check(not view.selected and screen.hand.view_of(view.card.id) == view, "the card is back")


func test_card_and_target_are_clicked_and_right_click_cancels() -> void:
	await until_at_rest()
	var view: CardView = playable(true)
	var enemy: UnitView = screen.field.view_of("enemy0")
	var hp: int = enemy.unit.hp
	await click(grip_of(view))
	check(view.selected, "the card is lifted")
	await click(Vector2(640, 300), MOUSE_BUTTON_RIGHT)
	check(not view.selected, "the card is back")
	await until_at_rest()
	await click(grip_of(view))
	await click(enemy.chest())
	await until(func() -> bool: return enemy.unit.hp < hp, "the enemy is hit")


func test_focus_stays_inside_of_a_panel() -> void:
	await type_key(KEY_D)
	check(screen.pile_viewer.visible, "the discard pile is shown")
	for _number: int in range(4):
		await type_key(KEY_TAB)
		await get_tree().process_frame
		check(screen.pile_viewer.is_ancestor_of(focused()), "the focus is at %s" % focused())
	for keycode: Key in [KEY_DOWN, KEY_UP, KEY_LEFT, KEY_RIGHT] as Array[Key]:
		await type_key(keycode)
		check(screen.pile_viewer.is_ancestor_of(focused()), "the focus is at %s" % focused())
	await type_key(KEY_E)
	check_equal(Gcs.state.turn, 1, "the turn behind the panel")
	await type_key(KEY_ESCAPE)
	check(not screen.pile_viewer.visible, "the panel is closed")


func test_details_follow_mouse_and_focus() -> void:
	await until_at_rest()
	var enemy: UnitView = screen.field.view_of("enemy0")
	check(not screen.details.visible, "nothing is told at first")
	await move_mouse(enemy.chest())
	check(screen.details.visible, "the enemy's details are told")
	check(get_viewport().get_visible_rect().encloses(screen.details.get_global_rect()), "inside of the screen")
	await move_mouse(Vector2(640, 120))
	check(not screen.details.visible, "nothing is told any more")
	enemy.grab_focus()
	check(screen.details.visible, "told by focus, too")


## Events go on while another window has the focus; only a drag is given up, for its end would not be heard of.
func test_nothing_is_lost_without_the_windows_focus() -> void:
	await until_at_rest()
	screen.director.pace = 0.2
	var view: CardView = playable(true)
	await move_mouse(grip_of(view))
	await mouse_button(grip_of(view), true)
	await move_mouse(Vector2(640, 300), MOUSE_BUTTON_MASK_LEFT)
	check(view.selected, "the card is lifted")
	get_tree().root.propagate_notification(NOTIFICATION_APPLICATION_FOCUS_OUT)
	check(not view.selected and screen.hand.dragged == null, "the drag is given up")
	var shown: Array[int] = []
	Gcs.event_received.connect(func(event: GcsV1Events.Event) -> void: shown.push_back(event.sequence))
	var action: GcsAction = Gcs.end_turn()
	await until(func() -> bool: return action.state != GcsAction.State.PENDING and not Gcs.is_showing(),
			"the turn is shown")
	for index: int in range(1, shown.size()):
		check_equal(shown[index], shown[index - 1] + 1, "event after event")
	check(shown.size() > 5, "a turn has events: %d" % shown.size())
	get_tree().root.propagate_notification(NOTIFICATION_APPLICATION_FOCUS_IN)


func test_left_stick_moves_the_focus() -> void:
	screen.hand.views[0].grab_focus()
	for value: float in [1.0, 0.0] as Array[float]:
		var event: InputEventJoypadMotion = InputEventJoypadMotion.new()
		event.axis = JOY_AXIS_LEFT_X
		event.axis_value = value
		# The engine asks its own state of the stick, too.
		Input.parse_input_event(event)
		Input.flush_buffered_events()
	await get_tree().process_frame
	check_equal(screen.hand.views.find(focused() as CardView), 1, "the place of the focus")


func test_units_and_buttons_are_reached_with_arrows() -> void:
	await until_at_rest()
	var last: CardView = screen.hand.views[-1]
	last.grab_focus()
	await type_key(KEY_RIGHT)
	check(focused() == screen.get_node("%EndTurn"), "right of the hand: %s" % focused())
	screen.hand.views[0].grab_focus()
	await type_key(KEY_LEFT)
	check(focused() == screen.get_node("%DrawPile"), "left of the hand: %s" % focused())
	screen.hand.views[0].grab_focus()
	await type_key(KEY_UP)
	check(focused() is UnitView, "above the hand: %s" % focused())
	await type_key(KEY_RIGHT)
	check(focused() == screen.field.view_of("enemy0"), "right of the player: %s" % focused())
	await type_key(KEY_DOWN)
	check(focused() is CardView, "below the units: %s" % focused())


func test_choice_is_answered_with_a_controller() -> void:
	var options: GcsBattleOptions = GcsBattleOptions.new()
	options.set_seed(7)
	options.deck = ["reel_in", "strike", "mallet", "defend", "strike"]
	Gcs.start_battle("starter", "first_fight", options)
	await until(func() -> bool: return Gcs.state != null and Gcs.state.draw.size == 0 and screen.hand.active,
			"the battle starts")
	for view: CardView in screen.hand.views:
		if view.card.card_id == "reel_in":
			view.grab_focus()
	await press_pad(JOY_BUTTON_A)
	await press_pad(JOY_BUTTON_A)
	await until(func() -> bool: return screen.choice_panel.visible, "the choice is open")
	var picked: CardView = focused() as CardView
	check(picked != null, "its first card has the focus, it is at %s" % focused())
	await get_tree().process_frame
	await press_pad(JOY_BUTTON_A)
	check(picked.selected, "the card is picked")
	var picked_id: String = picked.card.id
	var discarded: Array[String] = []
	Gcs.card_moved.connect(func(move: GcsV1Events.CardMoved) -> void:
		if move.to_pile == GcsV1Battle.Pile.PILE_DISCARD:
			discarded.push_back(move.card))
	await press_pad(JOY_BUTTON_B)
	check(screen.choice_panel.visible, "a choice stays until it is answered")
	await press_pad(JOY_BUTTON_DPAD_DOWN)
	check(focused() == screen.choice_panel.get_node("%Confirm"),
			"the focus goes on to the button, it is at %s" % focused())
	await press_pad(JOY_BUTTON_A)
	await until(func() -> bool: return Gcs.state.choice == null and screen.hand.active, "the answer is taken")
	check(picked_id in discarded, "%s was discarded, of %s" % [picked_id, discarded])


func test_weather_is_raised_with_the_keyboard() -> void:
	screen.settings.workings = true
	var raised: Array[String] = []
	Gcs.ges_event_raised.connect(func(event: GcsV1Events.GesEventRaised) -> void: raised.push_back(event.event),
			CONNECT_ONE_SHOT)
	await type_key(KEY_W)
	check(screen.weather_panel.visible and screen.weather_panel.is_ancestor_of(focused()), "the panel has the focus")
	await type_key(KEY_ENTER)
	await until(func() -> bool: return not raised.is_empty(), "the event arrives")
	await type_key(KEY_ESCAPE)
	check(not screen.weather_panel.visible, "the panel is closed")
	await until(func() -> bool: return focused() is CardView, "the focus is back in the hand")
