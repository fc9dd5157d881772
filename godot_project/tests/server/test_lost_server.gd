extends BattleTestCase
## A server that is killed in the middle of a battle.

const NEEDS: String = "gcs_server"
## Milliseconds that the client may take to tell.
const TOLD_WITHIN_MS: int = 3_000


func test_killed_server_is_told_within_three_seconds_and_the_scene_lives() -> void:
	var client: GcsClient = connected(peer_address("gcs_server"))
	await started(client, "first_fight")
	await step(client)
	var told: Array[String] = []
	client.connection_changed.connect(func(connection: GcsClient.Connection, reason: String) -> void:
		if connection == GcsClient.Connection.LOST:
			told.push_back(reason))
	var killed_at: int = Time.get_ticks_msec()
	stop_peer("gcs_server")
	if not await until(func() -> bool: return not told.is_empty(), "connection_changed"):
		return
	check(Time.get_ticks_msec() - killed_at <= TOLD_WITHIN_MS, "told after %d ms" % (Time.get_ticks_msec() - killed_at))
	check(told[0].contains(peer_address("gcs_server")), "the reason names the address: %s" % told[0])
	# The scene lives on: frames pass, the state is still there, and an action waits instead of failing.
	var action: GcsAction = client.end_turn()
	for _frame: int in range(30):
		await get_tree().process_frame
	check_equal(client.connection, GcsClient.Connection.LOST, "connection")
	check(client.state != null and client.state.is_running(), "the mirror stands")
	check_equal(action.state, GcsAction.State.PENDING, "the action")
	client.leave_battle()
	check_equal((await action.outcome()).state, GcsAction.State.DROPPED, "the action after leaving")
