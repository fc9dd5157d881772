extends GesTestCase
## The node GesListener: signal and method of a scene, in the order of the battle; its warnings; answers that cannot
## echo for ever.

const NEEDS: String = "gcs_server"
const TIMEOUT: float = 40.0

const ListeningScene = preload("listening_scene.gd")


func _listener(event: GesEvent, target: Node = null, method: StringName = &"") -> GesListener:
	var listener: GesListener = GesListener.new()
	listener.event = event
	listener.target = target
	listener.method = method
	add_child(listener)
	return listener


func test_signal_and_method_are_told() -> void:
	var scene: ListeningScene = ListeningScene.new()
	add_child(scene)
	await started_with_autoload()
	var by_signal: Array[String] = []
	var listener: GesListener = _listener(roar(), scene, &"on_both")
	listener.event_raised.connect(
			func(payload: Variant, sender: GcsUnit) -> void: by_signal.push_back("%s %s" % [payload, sender.id]))
	_listener(roar(), scene, &"on_payload")
	_listener(roar(), scene, &"on_nothing")
	_listener(thunder(), scene, &"on_nothing")
	check_equal(listener._get_configuration_warnings(), PackedStringArray(), "warnings")
	roar().raise(4, "enemy0")
	await until(func() -> bool: return scene.heard.size() == 3, "all three are called")
	check_equal(scene.heard, ["both 4 enemy0", "payload 4", "nothing"] as Array[String], "calls")
	check_equal(by_signal, ["4 enemy0"] as Array[String], "event_raised")
	check(listener.last_sequence > 0, "its number")


func test_it_waits_for_the_animations_before_it() -> void:
	await started_with_autoload()
	var order: Array[String] = []
	_listener(rain()).event_raised.connect(
			func(_payload: Variant, _sender: GcsUnit) -> void: order.push_back("rain heard"))
	Gcs.pace_with(func(event: GcsV1Events.Event) -> void:
		await get_tree().process_frame
		if event.has_ges_event_raised():
			order.push_back("%s shown" % event.ges_event_raised.event))
	thunder().raise(3)
	await until(func() -> bool: return "rain shown" in order, "the rain that follows from the thunder")
	check_equal(order, ["thunder shown", "rain heard", "rain shown"] as Array[String], "order")


func test_only_from_battle_and_enabled() -> void:
	await started_with_autoload()
	var heard: Array[String] = []
	var from_battle: GesListener = _listener(rain())
	from_battle.only_from_battle = true
	from_battle.event_raised.connect(
			func(payload: Variant, _sender: GcsUnit) -> void: heard.push_back("battle %s" % payload))
	var off: GesListener = _listener(rain())
	off.enabled = false
	off.event_raised.connect(func(_payload: Variant, _sender: GcsUnit) -> void: heard.push_back("off"))
	check_equal(await rain().raise(1).outcome(), GcsV1Ges.RaiseResult.RAISE_RESULT_DISPATCHED, "from outside")
	thunder().raise(5)
	await until(func() -> bool: return not heard.is_empty(), "the rain of the flow")
	check_equal(heard, ["battle 5"] as Array[String], "heard")


func test_out_of_the_tree_and_back() -> void:
	await started_with_autoload()
	var heard: Array[Variant] = []
	var listener: GesListener = _listener(rain())
	listener.event_raised.connect(func(payload: Variant, _sender: GcsUnit) -> void: heard.push_back(payload))
	# The answer to a raise may come before the battle tells the event: only who stays in the tree knows when the
	# listener missed it.
	var witness: GesListener = _listener(rain())
	remove_child(listener)
	rain().raise(1)
	await until(func() -> bool: return witness.last_sequence > 0, "the battle tells it")
	add_child(listener)
	rain().raise(2)
	await until(func() -> bool: return not heard.is_empty(), "it hears again")
	check_equal(heard, [2] as Array[Variant], "heard")


func test_events_that_answer_each_other_are_cut() -> void:
	await started_with_autoload()
	var results: Array[GcsV1Ges.RaiseResult] = []
	var listener: GesListener = _listener(rain())
	listener.event_raised.connect(func(payload: Variant, _sender: GcsUnit) -> void:
		results.push_back(await listener.raise_answer(rain(), payload).outcome()))
	rain().raise(1)
	var echo: GcsV1Ges.RaiseResult = GcsV1Ges.RaiseResult.RAISE_RESULT_ECHO
	await until(func() -> bool: return echo in results, "the echo is cut")
	check_equal(results.count(echo), 1, "cut once")
	check_equal(results[-1], echo, "and then it is quiet")


func test_another_client_is_heard() -> void:
	var client: GcsClient = connected(peer_address("gcs_server"))
	await started(client, "first_fight")
	var heard: Array[Variant] = []
	var listener: GesListener = GesListener.new()
	listener.event = rain()
	listener.client = client
	listener.event_raised.connect(func(payload: Variant, _sender: GcsUnit) -> void: heard.push_back(payload))
	add_child(listener)
	client.raise_event(rain().guid, 6)
	await until(func() -> bool: return not heard.is_empty(), "its battle")
	check_equal(heard, [6] as Array[Variant], "heard")


func test_configuration_warnings() -> void:
	var scene: ListeningScene = ListeningScene.new()
	add_child(scene)
	var listener: GesListener = _listener(null)
	var expected: Dictionary[String, Callable] = {
		"No event to hear": func() -> void: pass,
		"no GUID": func() -> void: listener.event = GesEvent.new(),
		"Nobody is told": func() -> void: listener.event = rain(),
		"without a Target": func() -> void: listener.method = &"on_both",
		"no method \"on_bot\"": func() -> void:
			listener.target = scene
			listener.method = &"on_bot",
		"needs 3 arguments": func() -> void: listener.method = &"on_too_much",
		"without a Method": func() -> void: listener.method = &"",
	}
	for text: String in expected:
		expected[text].call()
		var warnings: PackedStringArray = listener._get_configuration_warnings()
		check(" ".join(warnings).contains(text), "%s: %s" % [text, warnings])
	listener.method = &"on_payload"
	check_equal(listener._get_configuration_warnings(), PackedStringArray(), "all is right")
	check(listener._methods_of_target().has("on_payload"), "the inspector offers the methods")


func test_method_whose_parameter_does_not_fit_is_told_with_both_types() -> void:
	var scene: ListeningScene = ListeningScene.new()
	add_child(scene)
	await started_with_autoload()
	var listener: GesListener = _listener(roar(), scene, &"on_text")
	var warning: String = 'Method "on_text" takes String as payload; event roar gives int.'
	check_equal(listener._get_configuration_warnings(), PackedStringArray([warning]), "warning")
	_listener(roar(), scene, &"on_float")
	expect_engine_error(warning)
	roar().raise(4, "enemy0")
	await until(func() -> bool: return not scene.heard.is_empty(), "the other is called")
	check_equal(scene.heard, ["float 4.0"] as Array[String], "an int goes for a float")


func test_types_of_parameters() -> void:
	var scene: ListeningScene = ListeningScene.new()
	add_child(scene)
	var listener: GesListener = GesListener.new()
	listener.target = scene
	var rows: Array[Array] = [
		[GesEvent.Argument.UNIT, &"on_card", "takes GcsCard as payload; event e gives GcsUnit."],
		[GesEvent.Argument.CARD, &"on_card", ""],
		[GesEvent.Argument.INT, &"on_card", "takes GcsCard as payload; event e gives int."],
		[GesEvent.Argument.NONE, &"on_payload", "takes int as payload; event e gives nothing."],
		[GesEvent.Argument.NONE, &"on_both", ""],
		[GesEvent.Argument.STATUS, &"on_text", ""],
		[GesEvent.Argument.STRUCT, &"on_text", "gives Dictionary."],
		[GesEvent.Argument.INT, &"on_wrong_sender", "takes GcsCard as sender; an event gives GcsUnit."],
		[GesEvent.Argument.COLOR, &"on_nothing", ""],
	]
	for row: Array in rows:
		var argument: GesEvent.Argument = row[0]
		var method: StringName = row[1]
		var expected: String = row[2]
		listener.event = event_of(THUNDER, "e", argument)
		listener.method = method
		var error: String = listener.type_error()
		check(error.ends_with(expected) and error.is_empty() == expected.is_empty(), "%s: %s" % [row, error])
	listener.free()
