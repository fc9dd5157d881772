extends BattleTestCase
## What a game asks of the server beside playing: every call is reachable from the client, waits for the server and
## tells why it failed.

const NEEDS: String = "gcs_server"


func test_preview_tells_cost_and_text_and_changes_nothing() -> void:
	var client: GcsClient = connected(peer_address("gcs_server"))
	await started(client, "first_fight", ["strike", "strike", "strike", "strike", "strike"])
	var version: int = client.state.version
	var card: GcsCard = client.state.hand_cards()[0]
	var told: GcsV1Service.PreviewResponse = await client.preview(card.id, "enemy0").response()
	check_equal(told.cost, card.cost, "cost")
	check(told.playable and told.text.contains("6"), "playable, with its number: %s" % told.to_text())
	var refused: GrpcCall = client.preview("c99")
	check_equal(await refused.response(), null, "an unknown card")
	check(not refused.status.is_ok() and refused.status.message.contains("c99"), str(refused.status))
	check_equal(client.state.version, version, "nothing has changed")


func test_lists() -> void:
	var client: GcsClient = connected(peer_address("gcs_server"))
	# Before the server is reached.
	var asking: GrpcCall = client.list_packs()
	var packs: GcsV1Content.ListPacksResponse = await asking.response()
	var ids: Array[String] = []
	for pack: GcsV1Content.PackSummary in packs.packs:
		ids.push_back(pack.id)
	check("starter" in ids, "packs: %s" % [ids])
	await started(client, "first_fight")
	var battles: GcsV1Service.ListBattlesResponse = await client.list_battles().response()
	var found: bool = battles.battles.any(
			func(battle: GcsV1Service.BattleSummary) -> bool: return battle.battle_id == client.state.battle_id)
	check(found, "the battle is listed")
	var events: GcsV1Ges.ListEventsResponse = await client.list_ges_events("starter").response()
	check(events.events.any(func(event: GcsV1Ges.GesEvent) -> bool: return event.guid == THUNDER), "events")
	var replay: GcsV1Service.GetReplayResponse = await client.get_replay().response()
	check_equal(replay.start.encounter, "first_fight", "replay")


func test_without_a_connection_a_call_fails_instead_of_waiting() -> void:
	var client: GcsClient = GcsClient.new()
	add_child(client)
	var asking: GrpcCall = client.get_pack("starter")
	check_equal(await asking.response(), null, "response")
	check_equal(asking.status.code, GrpcStatus.Code.UNAVAILABLE, "status")
	client.queue_free()
