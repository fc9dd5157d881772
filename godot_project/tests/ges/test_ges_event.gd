extends GesTestCase
## The Resource GesEvent: what fits its type, and raising it in the battle of the autoload (issue: GesEvent, raise on
## it).

const NEEDS: String = "gcs_server"

const DISPATCHED: GcsV1Ges.RaiseResult = GcsV1Ges.RaiseResult.RAISE_RESULT_DISPATCHED
const SCHEDULED: GcsV1Ges.RaiseResult = GcsV1Ges.RaiseResult.RAISE_RESULT_SCHEDULED


func test_raised_event_reaches_the_graphs_of_the_battle() -> void:
	await started_with_autoload()
	var raised: Array[String] = []
	Gcs.ges_event_raised.connect(func(heard: GcsV1Events.GesEventRaised) -> void: raised.push_back(heard.event))
	var raising: GcsRaise = thunder().raise(3)
	check_equal(await raising.outcome(), DISPATCHED, "outcome")
	check(raising.was_taken() and raising.message.is_empty() and raising.status.is_ok(),
			"no refusal: %s" % raising.message)
	await until(func() -> bool: return "thunder" in raised and "rain" in raised, "the event and what follows from it")


func test_payload_of_another_type_is_refused_without_the_server() -> void:
	await started_with_autoload()
	var refused: Array[String] = []
	var hear: Callable = func(guid: String, message: String) -> void: refused.push_back("%s: %s" % [guid, message])
	Gcs.raise_refused.connect(hear)
	var raising: GcsRaise = thunder().raise("loud")
	check_equal(raising.result, GcsV1Ges.RaiseResult.RAISE_RESULT_UNSPECIFIED, "result")
	check_equal(raising.status.code, GrpcStatus.Code.INVALID_ARGUMENT, "code")
	check_equal(raising.message, 'thunder: expected an int of 32 bits, got String ("loud")', "message")
	check_equal(refused, ["%s: %s" % [THUNDER, raising.message]] as Array[String], "raise_refused")
	check_equal(await raising.outcome(), GcsV1Ges.RaiseResult.RAISE_RESULT_UNSPECIFIED, "outcome")
	Gcs.raise_refused.disconnect(hear)


func test_raise_without_a_battle_is_refused() -> void:
	var raising: GcsRaise = thunder().raise(3)
	check_equal(raising.message, "no battle is being played", "message")
	check(not await raising.cancel(), "there is nothing to cancel")


func test_sender_goes_as_unit_or_id() -> void:
	await started_with_autoload()
	var senders: Array[String] = []
	var heard: Callable = func(raised: GcsV1Events.GesEventRaised) -> void:
		if raised.event == "roar":
			senders.push_back(roar().sender_of(raised, Gcs.state).id)
	Gcs.ges_event_raised.connect(heard)
	check_equal(await roar().raise(2, "enemy0").outcome(), DISPATCHED, "an id")
	check_equal(await roar().raise(2, Gcs.state.player()).outcome(), DISPATCHED, "a unit")
	check_equal(thunder().type_error(1, "enemy0"),
			'thunder: expected no sender, got String ("enemy0"): the event declares none', "no sender")
	await until(func() -> bool: return senders.size() == 2, "both are heard")
	check_equal(senders, ["enemy0", "player"] as Array[String], "senders")
	Gcs.ges_event_raised.disconnect(heard)


func test_types() -> void:
	var unit: GcsUnit = GcsUnit.new()
	var fitting: Dictionary[GesEvent.Argument, Array] = {
		GesEvent.Argument.NONE: [null],
		GesEvent.Argument.INT: [0, -2147483648, 2147483647],
		GesEvent.Argument.FLOAT: [0.5, 2],
		GesEvent.Argument.BOOL: [true],
		GesEvent.Argument.TEXT: ["", "rain", &"rain"],
		GesEvent.Argument.VECTOR2: [Vector2(1.0, -2.0)],
		GesEvent.Argument.VECTOR3: [Vector3.ONE],
		GesEvent.Argument.COLOR: [Color.RED],
		GesEvent.Argument.UNIT: ["player", unit],
		GesEvent.Argument.CARD: ["c0", GcsCard.new()],
		GesEvent.Argument.STATUS: ["poison"],
		GesEvent.Argument.STRUCT: [{}, {"strength": 3, "whom": unit}],
	}
	var misfits: Dictionary[GesEvent.Argument, Array] = {
		GesEvent.Argument.NONE: [0, ""],
		GesEvent.Argument.INT: [null, 2147483648, 1.0, "1", true],
		GesEvent.Argument.FLOAT: [null, NAN, INF, "1"],
		GesEvent.Argument.BOOL: [1, null],
		GesEvent.Argument.TEXT: [1, null],
		GesEvent.Argument.VECTOR2: [Vector3.ONE, Vector2(NAN, 0.0), Vector2i.ONE],
		GesEvent.Argument.VECTOR3: [Vector2.ONE, Vector3(0.0, INF, 0.0)],
		GesEvent.Argument.COLOR: ["red"],
		GesEvent.Argument.UNIT: [0, null, GcsCard.new()],
		GesEvent.Argument.CARD: [4, unit],
		GesEvent.Argument.STATUS: [null],
		GesEvent.Argument.STRUCT: [[], {"a": Vector2.ONE}, {"a": {}}, {1: 1}],
	}
	for argument: GesEvent.Argument in fitting:
		var event: GesEvent = event_of(THUNDER, "any", argument)
		for payload: Variant in fitting[argument]:
			check_equal(event.type_error(payload), "", "%s takes %s" % [GesEvent.Argument.find_key(argument), payload])
		for payload: Variant in misfits[argument]:
			check(event.type_error(payload).begins_with("any: expected "),
					"%s takes %s" % [GesEvent.Argument.find_key(argument), payload])
	check_equal(fitting.size(), GesEvent.Argument.size(), "every type is tried")


func test_delayed_raise_lands_and_a_cancelled_one_does_not() -> void:
	await started_with_autoload()
	var raised: Array[String] = []
	var heard: Callable = func(event: GcsV1Events.GesEventRaised) -> void: raised.push_back(event.event)
	Gcs.ges_event_raised.connect(heard)
	var far: GcsRaise = roar().raise_delayed(60_000, 1)
	check_equal(await far.outcome(), SCHEDULED, "far")
	check(await far.cancel(), "it was still to come")
	check(not await far.cancel(), "it is cancelled already")
	check_equal(await rain().raise_delayed(1, 1).outcome(), SCHEDULED, "near")
	await until(func() -> bool: return not raised.is_empty(), "the near one lands")
	check_equal(raised, ["rain"] as Array[String], "what has landed")
	Gcs.ges_event_raised.disconnect(heard)


func test_repeating_raise_goes_on_until_it_is_cancelled() -> void:
	await started_with_autoload()
	var count: Array[int] = [0]
	var heard: Callable = func(_event: GcsV1Events.GesEventRaised) -> void: count[0] += 1
	Gcs.ges_event_raised.connect(heard)
	var endless: GcsRaise = rain().raise_repeating(5, -1, 1)
	check_equal(await endless.outcome(), SCHEDULED, "outcome")
	await until(func() -> bool: return count[0] >= 3, "it comes again and again")
	check(await endless.cancel(), "it was still to come")
	var wrong: GcsRaise = rain().raise_repeating(5, 0, 1)
	check_equal(await wrong.outcome(), GcsV1Ges.RaiseResult.RAISE_RESULT_UNSPECIFIED, "a count of 0")
	check(wrong.message.contains("count"), wrong.message)
	Gcs.ges_event_raised.disconnect(heard)


func test_inspector_shows_it_read_only() -> void:
	var shown: Array[String] = []
	for property: Dictionary in thunder().get_property_list():
		var usage: int = property["usage"]
		if usage & PROPERTY_USAGE_SCRIPT_VARIABLE and usage & PROPERTY_USAGE_EDITOR:
			shown.push_back(property["name"])
			check(usage & PROPERTY_USAGE_READ_ONLY != 0, "%s is read-only" % property["name"])
			check(usage & PROPERTY_USAGE_STORAGE != 0, "%s is stored" % property["name"])
	check_equal(shown, ["guid", "id", "pack", "name", "category", "argument", "has_sender",
			"description"] as Array[String], "shown")
