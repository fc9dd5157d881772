extends GesTestCase
## Listen streams of the client: other battles, at once, opened again after a lost connection.

const NEEDS: String = "gcs_server"


func test_battle_that_somebody_else_plays_is_heard_with_number_and_origin() -> void:
	var player: GcsClient = connected(peer_address("gcs_server"))
	var listening: GcsClient = connected(peer_address("gcs_server"))
	await started(player, "first_fight")
	var stream: GcsGesStream = listening.listen(player.state.battle_id)
	var heard: Array[GcsV1Ges.ListenResponse] = []
	stream.event_heard.connect(func(told: GcsV1Ges.ListenResponse) -> void: heard.push_back(told))
	await until(func() -> bool: return stream.is_open, "it is open")
	var raising: GcsRaise = player.raise_event(THUNDER, 3)
	await until(func() -> bool: return heard.size() >= 2, "thunder and rain")
	check_equal(heard[0].raise_id, raising.raise_id, "whose raise it is")
	check_equal(heard[0].raised.origin, GcsV1Events.RaiseOrigin.RAISE_ORIGIN_OUTSIDE, "origin of the thunder")
	check_equal(heard[1].raised.origin, GcsV1Events.RaiseOrigin.RAISE_ORIGIN_TRIGGER, "origin of the rain")
	check(heard[1].sequence > heard[0].sequence, "numbers")
	stream.close()
	check(not stream.is_open, "closed")


func test_it_is_opened_again_after_a_lost_connection() -> void:
	var proxy: CutProxy = CutProxy.new()
	add_child(proxy)
	proxy.open(peer_address("gcs_server"))
	var player: GcsClient = connected(peer_address("gcs_server"))
	var listening: GcsClient = connected(proxy.address())
	await started(player, "first_fight")
	var stream: GcsGesStream = listening.listen(player.state.battle_id, [THUNDER])
	var heard: Array[int] = []
	stream.event_heard.connect(
			func(told: GcsV1Ges.ListenResponse) -> void: heard.push_back(told.raised.arguments[0].value.int_value))
	await until(func() -> bool: return stream.is_open, "it is open")
	proxy.cut()
	await until(func() -> bool: return not stream.is_open, "it is cut")
	await until(func() -> bool: return stream.is_open, "it is open again")
	player.raise_event(THUNDER, 7)
	await until(func() -> bool: return not heard.is_empty(), "it hears")
	check_equal(heard, [7] as Array[int], "heard")


func test_refused_stream_ends() -> void:
	var listening: GcsClient = connected(peer_address("gcs_server"))
	var stream: GcsGesStream = listening.listen("no_such_battle")
	var endings: Array[GrpcStatus] = []
	stream.ended.connect(func(status: GrpcStatus) -> void: endings.push_back(status))
	await until(func() -> bool: return not endings.is_empty(), "it ends")
	check_equal(endings[0].code, GrpcStatus.Code.NOT_FOUND, "code")


func test_raise_over_a_breaking_connection_counts_once() -> void:
	var proxy: CutProxy = CutProxy.new()
	add_child(proxy)
	proxy.open(peer_address("gcs_server"))
	var client: GcsClient = connected(proxy.address())
	await started(client, "first_fight")
	var raised: Array[String] = []
	client.ges_event_raised.connect(func(event: GcsV1Events.GesEventRaised) -> void: raised.push_back(event.event))
	for frames: int in range(4):
		var raising: GcsRaise = roar_of(client)
		# Before it has left, while it is under way, or after the answer: by turns.
		for _frame: int in range(frames):
			await get_tree().process_frame
		proxy.cut()
		check_equal(await raising.outcome(), GcsV1Ges.RaiseResult.RAISE_RESULT_DISPATCHED,
				"outcome after %d frames" % frames)
	await until(func() -> bool: return raised.size() >= 4, "all are heard")
	check_equal(raised, ["roar", "roar", "roar", "roar"] as Array[String], "each once")


func roar_of(client: GcsClient) -> GcsRaise:
	return client.raise_event(roar().guid, 1)
