extends BattleTestCase
## Looking on at a battle: the same state and events, over lost connections, and no way to act.

const NEEDS: String = "gcs_server"
const TIMEOUT: float = 60.0


func _watcher(client: GcsClient) -> GcsWatcher:
	var watcher: GcsWatcher = GcsWatcher.new()
	watcher.client = client
	add_child(watcher)
	return watcher


func test_watcher_sees_what_the_player_does() -> void:
	var player: GcsClient = connected(peer_address("gcs_server"))
	await started(player, "first_fight")
	var proxy: CutProxy = CutProxy.new()
	add_child(proxy)
	proxy.open(peer_address("gcs_server"))
	var onlooker: GcsClient = connected(proxy.address())
	var watcher: GcsWatcher = _watcher(onlooker)
	var sequences: Array[int] = []
	watcher.event_received.connect(func(event: GcsV1Events.Event) -> void: sequences.push_back(event.sequence))
	var ended: Array[GcsV1Battle.Result] = []
	watcher.battle_ended.connect(func(result: GcsV1Battle.Result) -> void: ended.push_back(result))
	var battle: GcsBattleState = await watcher.watch(player.state.battle_id).outcome()
	check_equal(battle.battle_id, player.state.battle_id, "battle")
	for round_number: int in range(4):
		await step(player)
		if round_number % 2 == 1:
			proxy.cut()
	await player.concede().outcome()
	await until(func() -> bool: return not ended.is_empty(), "the end is seen")
	check_equal(described(watcher.state), described(player.state), "state")
	check_equal(sequences, range(1, sequences.size() + 1), "nothing is missing and nothing comes twice")
	check(onlooker.state == null, "its client plays nothing")
	watcher.queue_free()
	proxy.queue_free()


func test_watching_gives_no_way_to_act() -> void:
	var watcher: GcsWatcher = GcsWatcher.new()
	var acting: Array[String] = ["play_card", "end_turn", "choose_cards", "choose_option", "concede", "raise_event"]
	for method: String in acting:
		check(not watcher.has_method(method), "%s is none of a watcher's" % method)
	watcher.free()


func test_battle_that_there_is_not_fails() -> void:
	var client: GcsClient = connected(peer_address("gcs_server"))
	var watcher: GcsWatcher = _watcher(client)
	var start: GcsBattleStart = watcher.watch("no-such-battle")
	check_equal(await start.outcome(), null, "no battle")
	check_equal(start.status.code, GrpcStatus.Code.NOT_FOUND, str(start.status))
	watcher.queue_free()
