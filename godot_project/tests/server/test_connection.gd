extends BattleTestCase
## What the client says about a server that is not there, or not the right one.

const NEEDS: String = "grpc_echo gcs_other_version gcs_not_ready"


func test_no_server() -> void:
	# A port that was free a moment ago.
	var probe: TCPServer = TCPServer.new()
	probe.listen(0, "127.0.0.1")
	var address: String = "127.0.0.1:%d" % probe.get_local_port()
	probe.stop()
	var client: GcsClient = connected(address)
	await until_connection(client, GcsClient.Connection.UNREACHABLE)
	check(client.connection_reason.contains("no server answers there"), client.connection_reason)
	check(client.connection_reason.contains("gcs serve"), "it says what to do: %s" % client.connection_reason)
	check(client.connection_reason.contains(address), "it names the address: %s" % client.connection_reason)


func test_gRPC_server_that_is_not_gcs() -> void:
	var client: GcsClient = connected(peer_address("grpc_echo"))
	await until_connection(client, GcsClient.Connection.REFUSED)
	check(client.connection_reason.contains("it is not gcs"), client.connection_reason)


func test_version_mismatch() -> void:
	var client: GcsClient = connected(peer_address("gcs_other_version"))
	await until_connection(client, GcsClient.Connection.REFUSED)
	check(client.connection_reason.contains("version mismatch"), client.connection_reason)
	check(client.connection_reason.contains("protocol 99"), "it names the server's: %s" % client.connection_reason)
	check(client.connection_reason.contains("9.9.9"), "it names the server's version: %s" % client.connection_reason)


func test_other_protocol_at_the_port() -> void:
	var other: TCPServer = TCPServer.new()
	other.listen(0, "127.0.0.1")
	var client: GcsClient = connected("127.0.0.1:%d" % other.get_local_port())
	await until(func() -> bool:
		if other.is_connection_available():
			other.take_connection().put_data("HTTP/1.0 400 Bad Request\r\n\r\n".to_utf8_buffer())
		return client.connection == GcsClient.Connection.UNREACHABLE, "the connection is given up")
	check(client.connection_reason.contains("does not speak gRPC"), client.connection_reason)


func test_address_that_cannot_be_read() -> void:
	var client: GcsClient = connected("ftp://somewhere")
	check_equal(client.connection, GcsClient.Connection.REFUSED, "connection")
	check(client.connection_reason.contains("ftp"), client.connection_reason)


func test_state_is_told_once_for_many_attempts() -> void:
	var probe: TCPServer = TCPServer.new()
	probe.listen(0, "127.0.0.1")
	var address: String = "127.0.0.1:%d" % probe.get_local_port()
	probe.stop()
	var client: GcsClient = connected(address)
	var told: Array[GcsClient.Connection] = []
	client.connection_changed.connect(
			func(connection: GcsClient.Connection, _reason: String) -> void: told.push_back(connection))
	var attempts: Array[int] = [0]
	client._server.channel.state_changed.connect(func(state: GrpcChannel.State, _reason: String) -> void:
		if state == GrpcChannel.State.TRANSIENT_FAILURE:
			attempts[0] += 1)
	await until(func() -> bool: return attempts[0] >= 3, "attempts go on")
	check_equal(told, [GcsClient.Connection.UNREACHABLE] as Array[GcsClient.Connection], "connection_changed")


func test_server_that_is_not_ready_is_asked_again_with_growing_waits() -> void:
	var begun_ms: int = Time.get_ticks_msec()
	var client: GcsClient = connected(peer_address("gcs_not_ready"))
	var told: Array[GcsClient.Connection] = []
	var reasons: Array[String] = []
	client.connection_changed.connect(func(connection: GcsClient.Connection, reason: String) -> void:
		told.push_back(connection)
		reasons.push_back(reason))
	await until_connection(client, GcsClient.Connection.ONLINE)
	check_equal(client.server_info.version, "0.0.6", "it answers the sixth ask")
	check_equal(told, [GcsClient.Connection.UNREACHABLE, GcsClient.Connection.ONLINE] as Array[GcsClient.Connection],
			"told once each")
	check(reasons[0].contains("not ready (ask 1 comes too early)"), reasons[0])
	# The waits of these options add up to 50 + 80 + 128 + 200 + 200 ms, each up to a fifth shorter.
	check(Time.get_ticks_msec() - begun_ms >= 500, "after %d ms" % (Time.get_ticks_msec() - begun_ms))


func test_lost_server_is_told_once_although_the_reason_changes() -> void:
	var proxy: CutProxy = CutProxy.new()
	add_child(proxy)
	proxy.open(peer_address("gcs_not_ready"))
	var client: GcsClient = connected(proxy.address())
	await until_connection(client, GcsClient.Connection.ONLINE)
	var told: Array[GcsClient.Connection] = []
	client.connection_changed.connect(
			func(connection: GcsClient.Connection, _reason: String) -> void: told.push_back(connection))
	var failures: Array[GrpcFailure.Kind] = []
	client._server.channel.state_changed.connect(func(state: GrpcChannel.State, _reason: String) -> void:
		if state == GrpcChannel.State.TRANSIENT_FAILURE and not client._server.channel.failure in failures:
			failures.push_back(client._server.channel.failure))
	proxy.close()
	await until(func() -> bool: return failures.size() >= 2, "first it breaks, then nobody is there")
	check_equal(told, [GcsClient.Connection.LOST] as Array[GcsClient.Connection], "connection_changed")
	check(client.connection_reason.contains("no server answers there"),
			"the newest reason: %s" % client.connection_reason)
