extends BattleTestCase
## Numbers that the wire does not carry are refused before anything is sent, and the field is named.

const NEEDS: String = "gcs_server"
const TIMEOUT: float = 60.0

const BIG: int = 1 << 32


func _refused_start(client: GcsClient, options: GcsBattleOptions, what: String) -> void:
	var start: GcsBattleStart = client.start_battle("starter", "first_fight", options)
	check_equal(await start.outcome(), null, what)
	check_equal(start.status.code, GrpcStatus.Code.INVALID_ARGUMENT, what)
	check(start.status.message.begins_with(what + ": "), "%s: %s" % [what, start.status.message])


func test_fields_of_the_player() -> void:
	var client: GcsClient = connected(peer_address("gcs_server"))
	await until_connection(client, GcsClient.Connection.ONLINE)
	var wrong: Array = [BIG + 5, 1 << 31, -(1 << 40), 30.5, INF, NAN, "30", true, null, [30], {}]
	for field: String in ["hp", "max_hp", "energy", "draw", "hand_limit", "armor"] as Array[String]:
		for value: Variant in wrong:
			var options: GcsBattleOptions = GcsBattleOptions.new()
			options.player = {field: value}
			check(options.error().begins_with("player.%s: expected an int" % field), "%s %s" % [value, options.error()])
	for field: String in ["statuses", "variables"] as Array[String]:
		for values: Variant in [{"strength": BIG + 5}, {"strength": "2"}, {"strength": 2.5}] as Array[Variant]:
			var options: GcsBattleOptions = GcsBattleOptions.new()
			options.player = {field: values}
			await _refused_start(client, options, "player.%s.strength" % field)
		for values: Variant in [3, [2], {7: 1}] as Array[Variant]:
			var options: GcsBattleOptions = GcsBattleOptions.new()
			options.player = {field: values}
			await _refused_start(client, options, "player.%s" % field)
	var unknown: GcsBattleOptions = GcsBattleOptions.new()
	unknown.player = {"hitpoints": 3}
	await _refused_start(client, unknown, "player.hitpoints")


func test_turn_limit() -> void:
	var client: GcsClient = connected(peer_address("gcs_server"))
	for limit: int in [BIG + 3, -1, 1 << 31] as Array[int]:
		var options: GcsBattleOptions = GcsBattleOptions.new()
		options.max_turns = limit
		await _refused_start(client, options, "max_turns")


func test_whole_floats_are_ints() -> void:
	var client: GcsClient = connected(peer_address("gcs_server"))
	var options: GcsBattleOptions = GcsBattleOptions.new()
	options.player = {"hp": JSON.parse_string("30"), "statuses": {"strength": 2.0}}
	var battle: GcsBattleState = await client.start_battle("starter", "first_fight", options).outcome()
	check_equal(battle.player().hp, 30, "HP")
	check_equal(battle.player().stacks_of("strength"), 2, "strength")


func test_raises() -> void:
	var client: GcsClient = connected(peer_address("gcs_server"))
	await started(client, "first_fight")
	var raises: Dictionary[String, GcsRaise] = {
		"arg": client.raise_event(THUNDER, BIG + 3),
		"arg.n": client.raise_event(THUNDER, {"n": 1 << 31}),
		"arg.inner.n": client.raise_event(THUNDER, {"inner": {"n": NAN}}),
		"sender": client.raise_event(THUNDER, 3, ^"a/b"),
		"delay_ms": client.raise_delayed(THUNDER, -1, 3),
		"interval_ms": client.raise_repeating(THUNDER, BIG + 5, 1, 3),
		"count": client.raise_repeating(THUNDER, 1_000, BIG + 1, 3),
		"answers": client.raise_event(THUNDER, 3, null, -1),
	}
	for field: String in raises:
		check_equal(raises[field].status.code, GrpcStatus.Code.INVALID_ARGUMENT, field)
		check(raises[field].message.begins_with(field + ": "), "%s: %s" % [field, raises[field].message])
	for value: Variant in [NAN, INF, Vector2(NAN, 0), Vector3(0, INF, 0), Color(NAN, 0, 0), [1]] as Array[Variant]:
		check(not GcsPayload.error_of(value).is_empty(), str(value))
	for value: Variant in [2147483647, -2147483648, 1e300, Color.RED, {"n": 1}] as Array[Variant]:
		check_equal(GcsPayload.error_of(value), "", str(value))


func test_option_of_a_choice() -> void:
	var client: GcsClient = connected(peer_address("gcs_server"))
	await started(client, "first_fight")
	for option: int in [BIG, -1] as Array[int]:
		var action: GcsAction = await client.choose_option(option).outcome()
		check_equal(action.state, GcsAction.State.DROPPED, "option %d" % option)
		check(action.reason().begins_with("option: "), action.reason())


func test_events_as_resources() -> void:
	var event: GesEvent = GesEvent.new()
	event.guid = THUNDER
	event.id = "e"
	var wrong: Dictionary[GesEvent.Argument, Array] = {
		GesEvent.Argument.INT: [1 << 31, -(1 << 31) - 1],
		GesEvent.Argument.FLOAT: [NAN, INF, (1 << 53) + 1],
		GesEvent.Argument.COLOR: [Color(NAN, 0, 0), Color(0, INF, 0)],
		GesEvent.Argument.VECTOR2: [Vector2(NAN, 0)],
		GesEvent.Argument.STRUCT: [{"n": 1 << 31}, {"n": NAN}],
	}
	for argument: GesEvent.Argument in wrong:
		event.argument = argument
		for value: Variant in wrong[argument]:
			check(event.type_error(value).begins_with("e"), "%s: %s" % [value, event.type_error(value)])
	event.argument = GesEvent.Argument.STRUCT
	check(event.type_error({"n": 1 << 40}).begins_with("e.n: "), event.type_error({"n": 1 << 40}))
