extends BattleTestCase
## A battle over a connection that breaks: taken up again, nothing missing and nothing twice.

const NEEDS: String = "gcs_server"
const TIMEOUT: float = 90.0

var _proxy: CutProxy


func before_each() -> void:
	_proxy = CutProxy.new()
	add_child(_proxy)
	_proxy.open(peer_address("gcs_server"))


func after_each() -> void:
	super()
	_proxy.queue_free()


func test_battle_goes_on_after_each_of_many_cuts() -> void:
	var whole: GcsClient = connected(peer_address("gcs_server"))
	var cut: GcsClient = connected(_proxy.address())
	var sequences: Array[int] = record_sequences(cut)
	await started(whole, "first_fight")
	await started(cut, "first_fight")
	var steps: int = 0
	while cut.state.is_running() and not has_failed():
		var action: GcsAction = SimpleBot.act(cut)
		# Before the action has left, while it is under way, or after the answer: by turns.
		for _frame: int in range(steps % 3):
			await get_tree().process_frame
		_proxy.cut()
		steps += 1
		await until(func() -> bool: return action.state != GcsAction.State.PENDING,
				"the action is answered after a cut")
		check_equal(action.state, GcsAction.State.ACCEPTED, "action")
		await step(whole)
		check_equal(described(cut.state), described(whole.state), "state after %d cuts" % steps)
	check_equal(sequences, range(1, sequences.size() + 1), "sequence numbers")
	check(_proxy.accepted * 2 > steps, "connections: %d" % _proxy.accepted)


func test_actions_made_while_the_server_is_away_are_carried_out_once() -> void:
	var client: GcsClient = connected(_proxy.address())
	await started(client, "first_fight", ["strike", "strike", "strike", "strike", "strike"])
	_proxy.closed = true
	_proxy.cut()
	await until_connection(client, GcsClient.Connection.LOST)
	var version: int = client.state.version
	var first: GcsAction = client.play_card(client.state.hand.cards[0], "enemy0")
	var second: GcsAction = client.play_card(client.state.hand.cards[1], "enemy0")
	_proxy.closed = false
	await until(func() -> bool: return second.state != GcsAction.State.PENDING, "both are answered")
	check_equal(first.state, GcsAction.State.ACCEPTED, "first")
	check_equal(second.state, GcsAction.State.ACCEPTED, "second")
	check_equal(client.state.version, version + 2, "versions")


func test_battle_started_while_the_connection_breaks_is_started_once() -> void:
	var client: GcsClient = connected(_proxy.address())
	await until_connection(client, GcsClient.Connection.ONLINE)
	var starts: Array[int] = [0]
	client.battle_started.connect(func(_state: GcsBattleState) -> void: starts[0] += 1)
	var sequences: Array[int] = record_sequences(client)
	client.start_battle("starter", "first_fight")
	_proxy.cut()
	await until(func() -> bool: return client.state != null and not client.is_showing(), "the battle starts")
	check_equal(starts[0], 1, "battle_started")
	check_equal(sequences, range(1, sequences.size() + 1), "sequence numbers")
	check_equal(sequences[-1], client._stream._last_sequence, "all events of the set-up")


func test_calls_made_before_the_server_is_there_go_out_when_it_is() -> void:
	_proxy.closed = true
	var client: GcsClient = connected(_proxy.address())
	client.start_battle("starter", "first_fight")
	await until_connection(client, GcsClient.Connection.UNREACHABLE)
	check(client.state == null, "no battle yet")
	_proxy.closed = false
	await until(func() -> bool: return client.state != null, "the battle starts")


func test_settled_waits_for_the_answer_of_an_action_that_is_sent_again() -> void:
	var client: GcsClient = connected(_proxy.address())
	await started(client, "first_fight", ["strike", "strike", "strike", "strike", "strike"])
	var open_at_settled: Array[int] = []
	var actions: Array[GcsAction] = []
	client.settled.connect(func() -> void:
		open_at_settled.push_back(actions.filter(func(action: GcsAction) -> bool:
			return action.state == GcsAction.State.PENDING).size()))
	for count: int in range(3):
		_proxy.closed = true
		_proxy.cut()
		await until_connection(client, GcsClient.Connection.LOST)
		# The first is answered with the state that comes with the rejoin at the earliest; the second is not allowed.
		var played: GcsAction = client.play_card(client.state.hand.cards[0], "enemy0")
		var wrong: GcsAction = client.play_card("c99")
		actions.assign([played, wrong])
		var before: int = open_at_settled.size()
		_proxy.closed = false
		await until(func() -> bool: return open_at_settled.size() > before, "it settles")
		check(played.was_accepted() and wrong.state == GcsAction.State.REJECTED, "both are answered")
	check_equal(open_at_settled.max(), 0, "actions without an answer at settled")
