extends DemoTestCase
## Nothing on the battle screen lies over or beside what it should not.

const NEEDS: String = "gcs_server"
const TIMEOUT: float = 60.0
const WINDOWS: Array[Vector2i] = [WINDOW, Vector2i(1600, 720), Vector2i(1024, 768), Vector2i(2560, 1440),
		Vector2i(1720, 720)]


func test_card_that_is_looked_at_covers_no_hp_bar() -> void:
	for window: Vector2i in WINDOWS:
		for interface: String in Settings.SIZES:
			get_tree().root.size = window
			screen.settings.size = interface
			screen.hand.focus_card(0)
			await until_at_rest()
			var card: Rect2 = screen.hand.views[0].get_global_rect()
			for view: UnitView in screen.field.views:
				# With its frame.
				var bar: Rect2 = view._bar.get_global_rect().grow(2.0)
				check(bar.end.y < card.position.y,
						"%s, interface %s, window %s: the card begins at %.1f, the bar ends at %.1f" % [
						view.unit.id, interface, window, card.position.y, bar.end.y])
	get_tree().root.size = WINDOW


func test_details_stand_beside_what_they_are_about() -> void:
	for window: Vector2i in WINDOWS:
		get_tree().root.size = window
		await until_at_rest()
		for view: UnitView in screen.field.views:
			screen.details.show_unit(view, screen._catalog)
			await get_tree().process_frame
			check(screen.details.visible and not screen.details.get_global_rect().intersects(view.figure_frame()),
					"%s, window %s" % [view.unit.id, window])
			check(get_viewport().get_visible_rect().encloses(screen.details.get_global_rect()),
					"%s, window %s: inside" % [view.unit.id, window])
	get_tree().root.size = WINDOW


func test_more_than_six_statuses_are_shown() -> void:
	var options: GcsBattleOptions = GcsBattleOptions.new()
	var statuses: Dictionary[String, int] = {}
	for status: String in screen._catalog.ids_of("statuses").slice(0, 9):
		statuses[status] = 1
	options.player = {"statuses": statuses}
	Gcs.start_battle("starter", "first_fight", options)
	var carries_all: Callable = func() -> bool: return Gcs.state != null and Gcs.state.player().statuses.size() >= 9
	await until(func() -> bool: return carries_all.call() and screen.hand.active, "the battle starts")
	await until_at_rest()
	var view: UnitView = screen.field.view_of("player")
	var shown: Array[Rect2] = []
	for badge: Control in view._badges.values():
		if badge.visible:
			shown.push_back(badge.get_global_rect())
	check(shown.size() >= 9, "badges: %d" % shown.size())
	for index: int in range(shown.size()):
		check(shown[index].size.x >= 45.0, "large enough: %s" % shown[index].size)
		for other: int in range(index):
			check(not shown[index].intersects(shown[other]), "%d and %d lie apart" % [index, other])


func test_names_are_left_uncovered_in_a_hand_of_ten() -> void:
	var options: GcsBattleOptions = GcsBattleOptions.new()
	var deck: Array[String] = ["mallet", "lantern_swing", "lionfish_spine", "message_in_a_bottle", "harpoon",
			"storm_surge", "barnacle_coat", "signal_flare", "weathercock", "grog"]
	options.deck = deck
	options.player = {"draw": 10}
	Gcs.start_battle("starter", "first_fight", options)
	await until(func() -> bool: return screen.hand.views.size() == 10 and screen.hand.active, "the battle starts")
	await until_at_rest()
	for view: CardView in screen.hand.views:
		check(view.name_width() <= view.visible_width,
				"%s: the name ends at %.0f of %.0f" % [view.card.card_id, view.name_width(), view.visible_width])


func test_high_screen_keeps_everything_in_reach() -> void:
	get_tree().root.size = Vector2i(720, 1280)
	for interface: String in Settings.SIZES:
		screen.settings.size = interface
		await until_at_rest()
		var whole: Rect2 = get_viewport().get_visible_rect()
		var parts: Array[Control] = []
		for part: String in screen.Layout.PORTRAIT:
			parts.push_back(screen.get_node(part) as Control)
		for index: int in range(parts.size()):
			var frame: Rect2 = parts[index].get_global_rect()
			check(whole.encloses(frame), "%s, interface %s: inside of the screen" % [parts[index].name, interface])
			for other: int in range(index):
				check(not frame.intersects(parts[other].get_global_rect()),
						"%s and %s lie apart" % [parts[index].name, parts[other].name])
			for view: CardView in screen.hand.views:
				check(not frame.intersects(view.get_global_rect()),
						"%s, interface %s: no card over it" % [parts[index].name, interface])
		for view: UnitView in screen.field.views:
			check(whole.encloses(view._bar.get_global_rect()),
					"%s, interface %s: the bar is inside" % [view.unit.id, interface])
		for view: CardView in screen.hand.views:
			check(view.get_global_rect().position.x >= 0.0 and view.get_global_rect().end.x <= whole.end.x,
					"cards are inside")
	get_tree().root.size = WINDOW


func test_menu_lies_over_nothing_that_can_be_seen() -> void:
	await type_key(KEY_M)
	await get_tree().process_frame
	check(not (screen.get_node("%TopBar") as Control).is_visible_in_tree(), "the bar behind it is gone")
	await type_key(KEY_ESCAPE)
	await get_tree().process_frame
	check((screen.get_node("%TopBar") as Control).is_visible_in_tree(), "and back")


func test_switches_are_in_line_with_the_settings_above() -> void:
	screen.settings_panel.open()
	await get_tree().process_frame
	var label: Control = screen.settings_panel.get_node("Center/Panel/Rows/PaceRow/PaceLabel")
	var last_pace: Control = screen.settings_panel._pace.get_child(-1)
	for switch: CheckButton in [screen.settings_panel._calm, screen.settings_panel._full_screen,
			screen.settings_panel._sound, screen.settings_panel._workings] as Array[CheckButton]:
		var box: StyleBox = switch.get_theme_stylebox(&"normal")
		var words_at: float = switch.global_position.x + box.get_margin(SIDE_LEFT)
		var switch_end: float = switch.get_global_rect().end.x - box.get_margin(SIDE_RIGHT)
		check_near(words_at, label.global_position.x, 0.5, "begin of %s" % switch.text)
		check_near(switch_end, last_pace.get_global_rect().end.x, 0.5, "end of the switch of %s" % switch.text)


func test_wrapped_lines_of_the_trace_go_on_where_they_began() -> void:
	screen.settings.workings = true
	(screen.get_node(^"%Trace") as Button).button_pressed = true
	await _play_until(func() -> bool: return _wrapped().size() >= 2)
	for label: Label in _wrapped():
		var left: float = label.get_theme_stylebox(&"normal").get_margin(SIDE_LEFT)
		check(left > 0.0, "indented: %s" % label.text)
		for place: int in range(label.text.length()):
			var bounds: Rect2 = label.get_character_bounds(place)
			# A space at which the line is wrapped has none.
			if bounds.size.x > 0.0 and bounds.position.x < left - 1.0:
				fail("%s: letter %d begins at %.1f, expected %.1f or more" % [label.text, place, bounds.position.x,
						left])


func test_trace_follows_its_end_unless_the_player_looks_back() -> void:
	screen.settings.workings = true
	(screen.get_node(^"%Trace") as Button).button_pressed = true
	var bar: VScrollBar = screen.trace_panel._scroll.get_v_scroll_bar()
	await _play_until(func() -> bool: return bar.max_value > bar.page * 1.5)
	await until(func() -> bool: return bar.value >= bar.max_value - bar.page - 1.0, "the last line is in view")
	bar.value = 10.0
	var before: float = bar.max_value
	await _play_until(func() -> bool: return bar.max_value > before)
	check_near(bar.value, 10.0, 0.5, "what is looked at stays")
	screen.trace_panel.clear()
	check_equal(screen.trace_panel._lines.get_child_count(), 0, "lines")
	for number: int in range(screen.trace_panel.MOST_LINES + 5):
		var event: GcsV1Events.Event = GcsV1Events.Event.new()
		event.sequence = number + 1
		event.action_started = GcsV1Events.ActionStarted.new()
		event.action_started.kind = "number_%d" % number
		screen.trace_panel.add(event)
	check_equal(screen.trace_panel._lines.get_child_count(), screen.trace_panel.MOST_LINES, "lines kept")
	check_equal((screen.trace_panel._lines.get_child(0) as Label).text, "> number_5", "the oldest are gone")


## The lines of the trace that take more than one on the screen.
func _wrapped() -> Array[Label]:
	var found: Array[Label] = []
	for label: Label in screen.trace_panel._lines.get_children():
		# One that was just added has no width yet.
		if label.get_line_count() > 1 and label.size.x > 100.0:
			found.push_back(label)
	return found


## Lets the bot play until [param condition] holds.
func _play_until(condition: Callable) -> void:
	while not condition.call():
		if not Gcs.state.is_running():
			fail("the battle is over before it came to that")
			return
		await until_free()
		SimpleBot.act(Gcs)
		await until_free()
		await get_tree().process_frame
