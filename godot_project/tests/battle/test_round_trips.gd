extends BattleTestCase
## A battle on a connection that stands takes one round trip to start (issue: cost). Counted, not timed: a proxy holds
## back all that the server says and, before it lets go, stops listening to the client. What the client then knows, one
## round trip brought.

const NEEDS: String = "gcs_server"
const ENCOUNTER: String = "first_fight"

var _proxy: CutProxy = null


func before_each() -> void:
	_proxy = CutProxy.new()
	add_child(_proxy)
	_proxy.open(peer_address("gcs_server"))


func after_each() -> void:
	_proxy.queue_free()
	super()


func test_one_round_trip_starts_a_battle_on_a_standing_connection() -> void:
	var client: GcsClient = connected(_proxy.address())
	await until_connection(client, GcsClient.Connection.ONLINE)
	_proxy.holding = true
	client.start_battle("starter", ENCOUNTER)
	if not await until(func() -> bool: return _held_data() > 0, "the server's answer"):
		return
	check(client.state == null, "nothing has come through yet")
	_proxy.release()
	await until(func() -> bool: return client.state != null and not client.is_showing(), "the battle stands")
	check_equal(client.state.encounter, ENCOUNTER, "the whole state is there")
	check(client.state.hand_cards().size() == 5 and client.state.can_act(), "the player can act")


func test_one_more_round_trip_plays_a_card() -> void:
	var client: GcsClient = connected(_proxy.address())
	await started(client, ENCOUNTER)
	_proxy.holding = true
	var version: int = client.state.version
	var action: GcsAction = SimpleBot.act(client)
	if not await until(func() -> bool: return _held_data() > 0, "the server's answer"):
		return
	check_equal(action.state, GcsAction.State.PENDING, "nothing has come through yet")
	_proxy.release()
	await until(func() -> bool: return action.state == GcsAction.State.ACCEPTED, "the action is answered")
	check_equal(client.state.version, version + 1, "and shown")


## Bytes of whole DATA frames among what is held.
func _held_data() -> int:
	var at: int = 0
	var data: int = 0
	while at + 9 <= _proxy.held.size():
		var length: int = _proxy.held[at] << 16 | _proxy.held[at + 1] << 8 | _proxy.held[at + 2]
		if _proxy.held[at + 3] == 0 and at + 9 + length <= _proxy.held.size():
			data += length
		at += 9 + length
	return data
