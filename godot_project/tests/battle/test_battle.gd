extends BattleTestCase
## Battles against a real server, through the client.

const NEEDS: String = "gcs_server"
const TIMEOUT: float = 60.0


func _client() -> GcsClient:
	return connected(peer_address("gcs_server"))


## The whole state, asked for beside the stream.
func _snapshot(battle_id: String) -> GcsV1Battle.BattleState:
	var channel: GrpcChannel = GrpcChannel.open(peer_address("gcs_server"))
	var request: GcsV1Service.GetBattleRequest = GcsV1Service.GetBattleRequest.new()
	request.battle_id = battle_id
	var getting: GrpcCall = GcsV1Service.BattleServiceClient.new(channel).get_battle(request)
	await until(func() -> bool:
		channel.poll()
		return getting.is_finished(), "the state comes")
	@warning_ignore("redundant_await")
	var response: GcsV1Service.GetBattleResponse = await getting.response()
	channel.close()
	return response.update.snapshot


func test_mirror_equals_the_snapshot_after_every_action_of_a_battle() -> void:
	var client: GcsClient = _client()
	var ends: Array[GcsV1Battle.Result] = []
	client.battle_ended.connect(func(result: GcsV1Battle.Result) -> void: ends.push_back(result))
	var sequences: Array[int] = record_sequences(client)
	await started(client, "first_fight")
	while client.state.is_running() and not has_failed():
		var action: GcsAction = await step(client)
		check_equal(action.state, GcsAction.State.ACCEPTED, "the bot's action")
		var expected: GcsBattleState = mirror_of(await _snapshot(client.state.battle_id))
		check_equal(described(client.state), described(expected), "state after %s" % action.message)
	check_equal(ends.size(), 1, "battle_ended")
	check_equal(ends[0].outcome, client.state.outcome, "outcome")
	check_equal(sequences, range(1, sequences.size() + 1), "sequence numbers")


func test_events_lead_to_the_state_that_follows_them() -> void:
	var client: GcsClient = _client()
	await started(client, "chapel")
	# What the mirror says once the events are followed, before the server's own state is taken over.
	var followed: Array[Dictionary] = []
	client._queue.update_ended.disconnect(client._on_update_ended)
	client._queue.update_ended.connect(func(update: GcsV1Events.Update) -> void:
		followed.push_back(_vitals(client.state))
		client._on_update_ended(update)
		followed.push_back(_vitals(client.state)))
	while client.state.is_running() and not has_failed():
		await step(client)
		check_equal(followed[0], followed[1], "what events tell, in turn %d" % client.state.turn)
		followed.clear()


func test_unplayable_card_is_refused_and_changes_nothing() -> void:
	var client: GcsClient = _client()
	await started(client, "first_fight")
	var before: Dictionary = described(client.state)
	var refusals: Array[GcsV1Battle.Rejection] = []
	client.action_rejected.connect(func(rejection: GcsV1Battle.Rejection) -> void: refusals.push_back(rejection))
	var action: GcsAction = client.play_card("c999", "enemy0")
	await until(func() -> bool: return action.state != GcsAction.State.PENDING, "the server answers")
	check_equal(action.state, GcsAction.State.REJECTED, "action")
	check_equal(action.rejection.reason, GcsV1Battle.RejectionReason.REJECTION_REASON_UNKNOWN_CARD, "reason")
	check_equal(refusals.size(), 1, "action_rejected")
	check_equal(described(client.state), before, "state")


func test_raised_event_reaches_the_graphs_that_listen() -> void:
	var client: GcsClient = _client()
	await started(client, "first_fight", ["lightning_rod", "lightning_rod", "lightning_rod", "strike", "strike"])
	for card: GcsCard in client.state.hand_cards():
		if card.card_id == "lightning_rod":
			var action: GcsAction = client.play_card(card.id)
			await until(func() -> bool: return action.state == GcsAction.State.ACCEPTED, "lightning_rod is played")
			break
	var lines: Array[String] = []
	client.entry_dispatched.connect(
			func(entry: GcsV1Events.EntryDispatched) -> void: lines.push_back(GcsTrace.entry_line(entry)))
	var hp: int = client.state.alive_enemies()[0].hp
	var stacks: int = client.state.player().stacks_of("lightning_rod")
	var raised: Array[GcsV1Events.GesEventRaised] = []
	client.ges_event_raised.connect(func(event: GcsV1Events.GesEventRaised) -> void: raised.push_back(event))
	client.raise_event(THUNDER, 2)
	await until(func() -> bool: return client.state.alive_enemies()[0].hp < hp, "the thunder strikes")
	check_equal(client.state.alive_enemies()[0].hp, hp - 2 * stacks, "HP")
	check("on_ges_event status:lightning_rod@player" in lines, "the Entry: %s" % [lines])
	check_equal(raised[0].event, "thunder", "event")


func test_wrong_raise_is_told() -> void:
	var client: GcsClient = _client()
	var refused: Array[String] = []
	client.raise_refused.connect(func(guid: String, _message: String) -> void: refused.push_back(guid))
	client.raise_event(THUNDER, 1)
	check_equal(refused, [THUNDER] as Array[String], "a raise without a battle")
	await started(client, "first_fight")
	client.raise_event("00000000-0000-0000-0000-000000000000")
	client.raise_event(THUNDER, "loud")
	await until(func() -> bool: return refused.size() == 3, "both are refused")


func test_unknown_encounter_fails_with_the_status() -> void:
	var client: GcsClient = _client()
	var failures: Array[GrpcStatus] = []
	client.battle_failed.connect(func(status: GrpcStatus) -> void: failures.push_back(status))
	client.start_battle("starter", "no_such_fight")
	await until(func() -> bool: return not failures.is_empty(), "battle_failed")
	check_equal(failures[0].code, GrpcStatus.Code.NOT_FOUND, "code")
	check(failures[0].message.contains("no_such_fight"), "the message names it: %s" % failures[0].message)


func test_choice_is_shown_and_answered() -> void:
	var client: GcsClient = _client()
	await started(client, "first_fight", ["reel_in", "strike", "strike", "strike", "strike"])
	var opened: Array[GcsV1Battle.Choice] = []
	client.state.choice_opened.connect(func(choice: GcsV1Battle.Choice) -> void: opened.push_back(choice))
	for card: GcsCard in client.state.hand_cards():
		if card.card_id == "reel_in":
			client.play_card(card.id)
	if not await until(func() -> bool: return client.state.choice != null, "reel_in asks"):
		return
	check_equal(opened.size(), 1, "choice_opened")
	check(not client.state.can_act(), "nothing else can be done meanwhile")
	var wrong: GcsAction = client.choose_option(0)
	await until(func() -> bool: return wrong.state != GcsAction.State.PENDING,
			"an option is an answer of the wrong kind")
	check_equal(wrong.rejection.reason, GcsV1Battle.RejectionReason.REJECTION_REASON_INVALID_CHOICE,
			"R5.10: why it is rejected")
	var picked: Array[String] = client.state.choice.cards.slice(0, 2)
	var moves: Array[String] = []
	client.card_moved.connect(func(move: GcsV1Events.CardMoved) -> void:
		if move.to_pile == GcsV1Battle.Pile.PILE_DISCARD:
			moves.push_back(move.card))
	var answer: GcsAction = client.choose_cards(picked)
	await until(func() -> bool: return answer.state != GcsAction.State.PENDING, "the answer is taken")
	check(client.state.choice == null, "the choice is closed")
	check_equal(moves.slice(0, 2), picked, "the cards picked are discarded")


func test_handler_gets_one_event_at_a_time_and_state_follows() -> void:
	var client: GcsClient = _client()
	await started(client, "first_fight", ["strike", "strike", "strike", "strike", "strike"])
	var running: Array[int] = [0]
	var hp_seen: Array[int] = []
	client.pace_with(func(event: GcsV1Events.Event) -> void:
		running[0] += 1
		check_equal(running[0], 1, "handlers at once")
		if event.has_hp_changed():
			hp_seen.push_back(client.state.unit_of(event.hp_changed.unit).hp - event.hp_changed.after)
		await get_tree().process_frame
		running[0] -= 1)
	await step(client)
	check_equal(hp_seen, [0] as Array[int], "the mirror shows the HP of the event that is shown")
	check(not client.is_showing(), "the action ends when all is shown")


func test_freed_handler_does_not_hold_up_the_battle() -> void:
	var client: GcsClient = _client()
	await started(client, "first_fight", ["strike", "strike", "strike", "strike", "strike"])
	var scene: SlowScene = SlowScene.new()
	add_child(scene)
	client.pace_with(scene.show_event)
	var action: GcsAction = client.play_card(client.state.hand.cards[0], "enemy0")
	await until(client.is_showing, "the scene shows something")
	scene.free()
	await until(func() -> bool: return action.state == GcsAction.State.ACCEPTED, "the action ends without its scene")


func test_second_client_joins_and_both_see_the_same() -> void:
	var first: GcsClient = _client()
	await started(first, "first_fight")
	var second: GcsClient = _client()
	second.join_battle(first.state.battle_id)
	await until(func() -> bool: return second.state != null and not second.is_showing(), "the second client joins")
	await step(first)
	await until(func() -> bool: return second.state.version == first.state.version, "the second client hears of it")
	check_equal(described(second.state), described(first.state), "states")


func test_conceding_loses_the_battle() -> void:
	var client: GcsClient = _client()
	await started(client, "first_fight")
	client.concede()
	var result: GcsV1Battle.Result = await await_signal_or_timeout(client.battle_ended, LIMIT, "the end")
	check_equal(result.outcome, GcsV1Battle.Outcome.OUTCOME_LOST, "outcome")
	check_equal(client.end_turn().state, GcsAction.State.PENDING, "an action after the end is sent and refused")
	await await_signal_or_timeout(client.action_rejected, LIMIT, "the refusal")


## What the events alone tell of a state.
func _vitals(state: GcsBattleState) -> Dictionary:
	var units: Array[Array] = []
	for unit: GcsUnit in state.units:
		units.push_back([unit.id, unit.hp, unit.max_hp, unit.armor, unit.alive, unit.statuses])
	return {"units": units, "turn": state.turn, "phase": state.phase, "energy": state.energy, "hand": state.hand.cards,
		"discard": state.discard.cards, "exhaust": state.exhaust.cards, "draw": state.draw.size}


class SlowScene extends Node:
	signal never()

	func show_event(_event: GcsV1Events.Event) -> void:
		await never


func test_cards_for_a_choice_of_options_are_rejected() -> void:
	var client: GcsClient = connected(peer_address("gcs_server"))
	await started(client, "first_fight", ["two_tides", "strike", "strike", "strike", "strike"])
	var cards: Array[GcsCard] = client.state.hand_cards()
	var asking: int = cards.find_custom(func(card: GcsCard) -> bool: return card.card_id == "two_tides")
	client.play_card(cards[asking].id, cards[asking].targets[0] if cards[asking].needs_target() else "")
	if not await until(func() -> bool: return client.state.choice != null, "two_tides asks"):
		return
	check_equal(client.state.choice.kind, "option", "kind")
	var none: Array[String] = []
	for picked: Array[String] in [none, [cards[0].id] as Array[String]]:
		var wrong: GcsAction = await client.choose_cards(picked).outcome()
		check_equal(wrong.state, GcsAction.State.REJECTED, "cards %s" % [picked])
		check_equal(wrong.rejection.reason, GcsV1Battle.RejectionReason.REJECTION_REASON_INVALID_CHOICE, "reason")
	check(client.state.choice != null, "the choice stays open")
	check((await client.choose_option(1).outcome()).was_accepted(), "an option answers it")
