extends BattleTestCase
## Leaving a battle, going on to the next, and a battle that fails: first all is let go, then whoever waits is woken.

const NEEDS: String = "gcs_server gcs_breaking"
const TIMEOUT: float = 60.0
## Rounds after which a loop within one frame counts as endless.
const SPINNING: int = 50

var _rounds: int = 0
var _frames_of_rounds: Dictionary[int, int] = {}
## What [method _act_on] has started.
var _next: GcsBattleStart = null


func before_each() -> void:
	_rounds = 0
	_frames_of_rounds.clear()
	_next = null


func _options() -> GcsBattleOptions:
	var options: GcsBattleOptions = GcsBattleOptions.new()
	options.set_seed(7)
	options.player = {"hp": 30_000, "max_hp": 30_000}
	return options


## Ends turns for as long as the battle runs, as a game's own bot would.
func _bot(client: GcsClient) -> void:
	while client.state != null and client.state.is_running():
		await client.end_turn().outcome()
		_rounds += 1
		var frame: int = Engine.get_process_frames()
		_frames_of_rounds[frame] = _frames_of_rounds.get(frame, 0) + 1
		if _frames_of_rounds[frame] > SPINNING:
			fail("the loop spins within one frame")
			return


func _played(client: GcsClient) -> void:
	await client.start_battle("starter", "first_fight", _options()).outcome()
	# Beside this test, not before it.
	_bot.call(client)
	await until(func() -> bool: return _rounds >= 2, "the bot plays")


func _check_stopped() -> void:
	var rounds: int = _rounds
	for _frame: int in range(20):
		await get_tree().process_frame
	check(_rounds <= rounds + 1, "the bot stops: %d rounds more" % (_rounds - rounds))


func test_leaving_ends_a_loop_of_actions() -> void:
	var client: GcsClient = connected(peer_address("gcs_server"))
	await _played(client)
	var action: GcsAction = client.end_turn()
	client.leave_battle()
	check_equal(action.state, GcsAction.State.PENDING, "nobody is woken within leave_battle")
	check(client.state != null and not client.state.live and not client.state.is_running(), "the state stays readable")
	await until(func() -> bool: return action.state == GcsAction.State.DROPPED, "then it is dropped")
	check(action.reason().contains("left"), action.reason())
	await _check_stopped()


func test_next_battle_ends_a_loop_of_actions_in_the_former() -> void:
	var client: GcsClient = connected(peer_address("gcs_server"))
	await _played(client)
	var former: GcsBattleState = client.state
	var battle: GcsBattleState = await client.start_battle("starter", "first_fight", _options()).outcome()
	check(battle != former and battle == client.state, "another battle stands")
	check(not former.is_running(), "the former is over for this client")
	client.leave_battle()
	await _check_stopped()


func test_failed_battle_ends_a_loop_of_actions() -> void:
	var client: GcsClient = connected(peer_address("gcs_server"))
	await _played(client)
	var request: GcsV1Service.EndBattleRequest = GcsV1Service.EndBattleRequest.new()
	request.battle_id = client.state.battle_id
	var service: GcsV1Service.BattleServiceClient = GcsV1Service.BattleServiceClient.new(client._server.channel)
	await service.end_battle(request).response()
	await until(func() -> bool: return not client.state.live, "the battle fails")
	await _check_stopped()
	var late: GcsAction = client.end_turn()
	var frame: int = Engine.get_process_frames()
	await late.outcome()
	check_equal(late.state, GcsAction.State.FAILED, "an action after that")
	check(Engine.get_process_frames() > frame, "an outcome that is known at once takes a frame")


func test_leaving_the_tree_ends_a_loop_of_actions() -> void:
	var client: GcsClient = connected(peer_address("gcs_server"))
	await _played(client)
	var state: GcsBattleState = client.state
	var action: GcsAction = client.end_turn()
	_clients.erase(client)
	remove_child(client)
	client.queue_free()
	check(not state.is_running(), "the battle is let go")
	await until(func() -> bool: return action.state == GcsAction.State.DROPPED, "the action is dropped")


func test_reparented_client_says_what_it_has_left() -> void:
	var client: GcsClient = connected(peer_address("gcs_server"))
	await started(client, "first_fight")
	var place: Node = Node.new()
	add_child(place)
	remove_child(client)
	check(client._left_with_tree.contains(client.state.battle_id), client._left_with_tree)
	place.add_child(client)
	check_equal(client._left_with_tree, "", "told")
	check_equal(client.connection, GcsClient.Connection.OFFLINE, "connection")
	var start: GcsBattleStart = client.join_battle(client.state.battle_id)
	client.connect_to_server(peer_address("gcs_server"))
	check(await start.outcome() != null, "the battle can be joined again")
	_clients.erase(client)
	place.queue_free()


func _act_on(client: GcsClient, action: GcsAction) -> void:
	await action.outcome()
	_next = client.start_battle("starter", "first_fight", _options())


func test_battle_that_a_woken_waiter_starts_stands() -> void:
	var client: GcsClient = connected(peer_address("gcs_server"))
	await started(client, "first_fight")
	_act_on.call(client, client.end_turn())
	client.leave_battle()
	await until(func() -> bool: return _next != null and _next.battle != null, "the next battle stands")
	check_equal(client.state.battle_id, _next.battle_id, "it is the one that is played")


func test_every_start_ends_in_one_signal() -> void:
	var client: GcsClient = connected(peer_address("gcs_server"))
	var told: Array[String] = []
	client.battle_started.connect(func(state: GcsBattleState) -> void: told.push_back("started " + state.encounter))
	client.battle_failed.connect(func(status: GrpcStatus) -> void: told.push_back("failed %d" % status.code))
	var first: GcsBattleStart = client.start_battle("starter", "first_fight")
	var second: GcsBattleStart = client.start_battle("starter", "first_fight")
	var third: GcsBattleStart = client.start_battle("starter", "no_such_fight")
	check_equal(await first.outcome(), null, "the first is replaced")
	check_equal(first.status.code, GrpcStatus.Code.CANCELLED, "why")
	check_equal(await second.outcome(), null, "the second, too")
	check_equal(await third.outcome(), null, "the third has no such encounter")
	check(third.status.message.contains("no_such_fight"), third.status.message)
	check(await client.start_battle("starter", "first_fight").outcome() != null, "the fourth stands")
	check_equal(told, [
		"failed %d" % GrpcStatus.Code.CANCELLED, "failed %d" % GrpcStatus.Code.CANCELLED,
		"failed %d" % third.status.code, "started first_fight",
	] as Array[String], "signals")


func test_action_without_a_battle_is_dropped_and_told() -> void:
	var client: GcsClient = connected(peer_address("gcs_server"))
	var told: Array[String] = []
	client.action_dropped.connect(func(dropped: GcsAction) -> void: told.push_back(dropped.reason()))
	var frame: int = Engine.get_process_frames()
	var action: GcsAction = await client.end_turn().outcome()
	check(Engine.get_process_frames() > frame, "it takes a frame")
	check_equal(action.state, GcsAction.State.DROPPED, "state")
	check(not action.was_accepted(), "no success")
	check_equal(told, [action.reason()] as Array[String], "action_dropped")
	check(action.reason().contains("no battle"), action.reason())


func test_outcomes_of_an_accepted_and_a_rejected_action() -> void:
	var client: GcsClient = connected(peer_address("gcs_server"))
	await started(client, "first_fight")
	var accepted: GcsAction = await client.end_turn().outcome()
	check(accepted.was_accepted() and accepted.reason().is_empty(), "accepted")
	var rejected: GcsAction = await client.play_card("c99").outcome()
	check_equal(rejected.state, GcsAction.State.REJECTED, "rejected")
	check_equal(rejected.reason(), rejected.rejection.message, "why")
