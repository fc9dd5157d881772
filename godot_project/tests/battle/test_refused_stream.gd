extends BattleTestCase
## Battles that the server does not let be played: told by [signal GcsClient.battle_failed], never waited for without
## end.

const NEEDS: String = "gcs_server gcs_one_battle gcs_one_stream gcs_breaking"
const TIMEOUT: float = 60.0
const BattleStream = preload("res://addons/gcs/battle/battle_stream.gd")


## What the client tells of failed battles from now on.
func record_failures(client: GcsClient) -> Array[GrpcStatus]:
	var failures: Array[GrpcStatus] = []
	client.battle_failed.connect(func(status: GrpcStatus) -> void: failures.push_back(status))
	return failures


## Waits until [param failures] has one and checks it.
func check_failure(failures: Array[GrpcStatus], code: GrpcStatus.Code, reason: String, text: String) -> void:
	if not await until(func() -> bool: return not failures.is_empty(), "battle_failed"):
		return
	check_equal(failures.size(), 1, "battle_failed is told once")
	check_equal(failures[0].code, code, "code of %s" % failures[0])
	check_equal(GcsBattleView.reason_of(failures[0]), reason, "reason")
	check(failures[0].message.contains(text), "message: %s" % failures[0].message)


func test_full_server() -> void:
	var first: GcsClient = connected(peer_address("gcs_one_battle"))
	await started(first, "first_fight")
	var second: GcsClient = connected(peer_address("gcs_one_battle"))
	var failures: Array[GrpcStatus] = record_failures(second)
	second.start_battle("starter", "first_fight")
	var early: GcsAction = second.end_turn()
	await check_failure(failures, GrpcStatus.Code.RESOURCE_EXHAUSTED, "TOO_MANY_BATTLES", "1 battles already")
	check_equal(early.state, GcsAction.State.FAILED, "an action made before")
	check_equal(second.end_turn().state, GcsAction.State.FAILED, "an action made after")
	check_equal(second.connection, GcsClient.Connection.ONLINE, "the connection stands")
	check_equal((await step(first)).state, GcsAction.State.ACCEPTED, "the first battle goes on")


func test_too_many_streams() -> void:
	var first: GcsClient = connected(peer_address("gcs_one_stream"))
	await started(first, "first_fight")
	var second: GcsClient = connected(peer_address("gcs_one_stream"))
	var failures: Array[GrpcStatus] = record_failures(second)
	second.join_battle(first.state.battle_id)
	await check_failure(failures, GrpcStatus.Code.RESOURCE_EXHAUSTED, "TOO_MANY_STREAMS", "1 streams already")


func test_update_beyond_the_receive_limit() -> void:
	var client: GcsClient = connected(peer_address("gcs_server"))
	var options: GrpcChannelOptions = GcsClient.make_channel_options()
	options.max_receive_bytes = 500
	client.connect_to_server(peer_address("gcs_server"), options)
	var failures: Array[GrpcStatus] = record_failures(client)
	client.start_battle("starter", "first_fight")
	await check_failure(failures, GrpcStatus.Code.RESOURCE_EXHAUSTED, "", "at most 500 are accepted")


func test_update_of_more_than_4_mib_arrives() -> void:
	var client: GcsClient = connected(peer_address("gcs_breaking"))
	client.connect_to_server(peer_address("gcs_breaking"))
	var failures: Array[GrpcStatus] = record_failures(client)
	client.start_battle("any", "large")
	await until(func() -> bool: return client.state != null or not failures.is_empty(), "an answer")
	check_equal(failures.size(), 0, "battle_failed")
	check(client.state != null, "the battle starts")
	check_equal(GrpcChannelOptions.new().max_receive_bytes, 4 * 1024 * 1024, "other channels")


func test_pack_that_is_too_large_to_be_sent() -> void:
	var client: GcsClient = connected(peer_address("gcs_server"))
	await until_connection(client, GcsClient.Connection.ONLINE)
	var failures: Array[GrpcStatus] = record_failures(client)
	client.start_battle('{"id": "%s"}' % "x".repeat(5 * 1024 * 1024), "first_fight")
	check_equal(failures.size(), 0, "nothing is told before start_battle returns")
	await check_failure(failures, GrpcStatus.Code.RESOURCE_EXHAUSTED, "", "larger than a message may be")


func test_actions_behind_a_large_start_are_all_sent() -> void:
	var client: GcsClient = connected(peer_address("gcs_breaking"))
	await until_connection(client, GcsClient.Connection.ONLINE)
	var failures: Array[GrpcStatus] = record_failures(client)
	# More than a call's queue takes at once: the action has to wait for its turn.
	client.start_battle('{"id": "%s"}' % "x".repeat(3 * 1024 * 1024), "cut_off_later")
	var action: GcsAction = client.end_turn()
	await check_failure(failures, GrpcStatus.Code.RESOURCE_EXHAUSTED, "TOO_MANY_ACTIONS", "2 actions")
	check_equal(action.state, GcsAction.State.FAILED, "the action")


func test_slow_reader_joins_again() -> void:
	var client: GcsClient = connected(peer_address("gcs_breaking"))
	var failures: Array[GrpcStatus] = record_failures(client)
	client.start_battle("any", "slow_reader_once")
	await until(func() -> bool: return client.state != null and client.state.turn == 2, "the second state arrives")
	check_equal(failures.size(), 0, "battle_failed")


func test_slow_reader_gives_up_after_a_few_joins() -> void:
	var client: GcsClient = connected(peer_address("gcs_breaking"))
	var failures: Array[GrpcStatus] = record_failures(client)
	client.start_battle("any", "slow_reader")
	await check_failure(failures, GrpcStatus.Code.RESOURCE_EXHAUSTED, "SLOW_READER", "join again")
	check_equal(client.state.turn, 1 + BattleStream.MAX_RETRIES, "joins")


func test_stream_that_ends_right_after_joining_is_given_up() -> void:
	var client: GcsClient = connected(peer_address("gcs_breaking"))
	var failures: Array[GrpcStatus] = record_failures(client)
	client.start_battle("any", "ended")
	await check_failure(failures, GrpcStatus.Code.UNAVAILABLE, "", "again and again")
	check_equal(client.state.turn, 1 + BattleStream.MAX_RETRIES, "joins")


func test_action_settles_when_the_battle_fails() -> void:
	var client: GcsClient = connected(peer_address("gcs_breaking"))
	var told: Array[String] = []
	client.battle_failed.connect(func(_status: GrpcStatus) -> void: told.push_back("failed"))
	client.start_battle("any", "cut_off_later")
	await until(func() -> bool: return client.state != null, "the battle starts")
	var action: GcsAction = client.end_turn()
	action.finished.connect(func() -> void: told.push_back("finished"))
	await until(func() -> bool: return told.size() == 2, "both are told")
	check_equal(told, ["failed", "finished"] as Array[String], "order")
	check_equal(action.state, GcsAction.State.FAILED, "the action")
	check_equal(await action.outcome(), action, "outcome")
	check_equal(action.reason(), action.failure.message, "why")
	check(not client.state.live and not client.state.is_running(), "the state is the last one seen")


func test_refused_server_fails_the_battle() -> void:
	var client: GcsClient = connected("ftp://somewhere")
	var failures: Array[GrpcStatus] = record_failures(client)
	client.start_battle("starter", "first_fight")
	var action: GcsAction = client.end_turn()
	check_equal(failures.size(), 0, "nothing is told before start_battle returns")
	await check_failure(failures, GrpcStatus.Code.FAILED_PRECONDITION, "", "ftp")
	check_equal(action.state, GcsAction.State.FAILED, "the action")


func test_action_that_was_carried_out_is_accepted_although_the_battle_fails_meanwhile() -> void:
	var client: GcsClient = connected(peer_address("gcs_server"))
	await started(client, "first_fight")
	client.pace_with(func(_event: GcsV1Events.Event) -> void: await get_tree().create_timer(0.02).timeout)
	var action: GcsAction = client.end_turn()
	await until(client.is_showing, "the action is being shown")
	client._stream.fail(GrpcStatus.make(GrpcStatus.Code.INTERNAL, "a test"))
	await until(func() -> bool: return action.state != GcsAction.State.PENDING, "the action settles")
	check_equal(action.state, GcsAction.State.ACCEPTED, "the action")
