extends BattleTestCase
## Battles through the relay, with a token: over TLS, over WebSocket and over both.

const NEEDS: String = "gcs_relay gcs_relay_tls gcs_two_relays"
const TIMEOUT: float = 60.0
const CERTIFICATE: String = "res://../tests/godot/peers_grpc/localhost.crt"
const TOKEN: String = "token-of-the-godot-tests"


func after_each() -> void:
	super()
	for setting: String in [GcsSettings.TOKEN, GcsSettings.TLS_CERTIFICATE]:
		ProjectSettings.set_setting(setting, null)


func test_whole_battle_over_tls() -> void:
	await _check_battle("grpcs://" + peer_address("gcs_relay_tls"))


func test_whole_battle_over_websocket() -> void:
	await _check_battle("ws://" + peer_address("gcs_relay") + "/battles")


func test_whole_battle_over_websocket_and_tls() -> void:
	await _check_battle("wss://" + peer_address("gcs_relay_tls"))


func test_token_and_certificate_come_from_the_project_settings() -> void:
	ProjectSettings.set_setting(GcsSettings.TOKEN, TOKEN)
	ProjectSettings.set_setting(GcsSettings.TLS_CERTIFICATE, ProjectSettings.globalize_path(CERTIFICATE))
	var client: GcsClient = GcsClient.new()
	_clients.push_back(client)
	add_child(client)
	client.connect_to_server("grpcs://" + peer_address("gcs_relay_tls"))
	await until_connection(client, GcsClient.Connection.ONLINE)


func test_certificate_setting_that_cannot_be_read_is_told() -> void:
	expect_engine_error("cannot be read")
	expect_engine_error("no-such.crt")
	ProjectSettings.set_setting(GcsSettings.TLS_CERTIFICATE, "res://no-such.crt")
	check(GcsClient.make_channel_options().tls == null, "the system's certificates")


func test_wrong_token_and_no_token_are_told() -> void:
	for token: String in ["not-the-token-of-the-tests", ""]:
		for url: String in ["grpcs://" + peer_address("gcs_relay_tls"), "ws://" + peer_address("gcs_relay")]:
			var client: GcsClient = _client(url, token)
			await until_connection(client, GcsClient.Connection.REFUSED)
			check(client.connection_reason.contains("the server refuses the token"), client.connection_reason)
			check(client.connection_reason.contains(
					"not this server's" if not token.is_empty() else "with a token alone"),
					"the server's words: %s" % client.connection_reason)


func test_certificate_that_nobody_trusts_is_told() -> void:
	expect_engine_error("TLS handshake error")
	var client: GcsClient = GcsClient.new()
	_clients.push_back(client)
	add_child(client)
	client.connect_to_server("grpcs://" + peer_address("gcs_relay_tls"))
	await until_connection(client, GcsClient.Connection.UNREACHABLE)
	check_equal(client._server.failure, GrpcFailure.Kind.TLS_FAILED, client.connection_reason)


func test_battle_goes_on_over_another_relay_when_its_own_is_killed() -> void:
	var relays: PackedStringArray = peer_address("gcs_two_relays").split(",")
	var proxy: CutProxy = CutProxy.new()
	add_child(proxy)
	proxy.open(relays[0].get_slice("@", 0))
	var client: GcsClient = _client("grpcs://" + proxy.address(), TOKEN)
	var sequences: Array[int] = record_sequences(client)
	await started(client, "first_fight")
	await step(client)
	OS.kill(relays[0].get_slice("@", 1).to_int())
	proxy.cut()
	var action: GcsAction = SimpleBot.act(client)
	await until_connection(client, GcsClient.Connection.LOST)
	proxy.forward_to(relays[1].get_slice("@", 0))
	await until(func() -> bool: return action.state != GcsAction.State.PENDING,
			"the action is answered over the other relay")
	check_equal(action.state, GcsAction.State.ACCEPTED, "action")
	await _play_on(client)
	check_equal(sequences, range(1, sequences.size() + 1), "sequence numbers")
	proxy.queue_free()


func test_relay_whose_server_is_gone_is_told() -> void:
	# Named last: it ends the server behind the relays, which stand until the peer is stopped.
	var addresses: PackedStringArray = peer_address("gcs_two_relays").split(",")
	var second: String = addresses[1].get_slice("@", 0)
	check_equal(OS.kill(addresses[2].get_slice("@", 1).to_int()), OK, "the server is ended")
	for scheme: String in ["grpcs://", "wss://"]:
		var client: GcsClient = _client(scheme + second, TOKEN)
		await until_connection(client, GcsClient.Connection.UNREACHABLE)
		check_equal(client._server.failure, GrpcFailure.Kind.RELAY_REFUSED, client.connection_reason)
		check(client.connection_reason.contains("the server behind the relay does not answer"),
				client.connection_reason)


## A client that trusts the test's certificate.
func _client(url: String, token: String) -> GcsClient:
	var client: GcsClient = GcsClient.new()
	_clients.push_back(client)
	add_child(client)
	var options: GrpcChannelOptions = GcsClient.make_channel_options()
	options.backoff_initial_ms = 50
	options.backoff_max_ms = 200
	options.token = token
	check_equal(options.trust(ProjectSettings.globalize_path(CERTIFICATE)), OK, "the test's certificate")
	client.connect_to_server(url, options)
	return client


func _check_battle(url: String) -> void:
	var client: GcsClient = _client(url, TOKEN)
	var sequences: Array[int] = record_sequences(client)
	await started(client, "first_fight")
	await _play_on(client)
	check(client.state.result != null, "the battle has a result")
	check_equal(sequences, range(1, sequences.size() + 1), "sequence numbers")


func _play_on(client: GcsClient) -> void:
	while client.state.is_running() and not has_failed():
		await step(client)
