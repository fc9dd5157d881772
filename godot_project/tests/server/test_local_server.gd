extends BattleTestCase
## A server of the game's own: started, played on, stopped, and told about when it fails. Takes `gcs` from the PATH, as
## the editor does.

const TIMEOUT: float = 90.0
## Seconds that a server may take to start on a busy machine.
const START_LIMIT: float = 60.0

var _server: GcsLocalServer = null
var _started: Array[String] = []
var _failed: Array[String] = []
var _stopped: Array[int] = []


func before_each() -> void:
	_server = GcsLocalServer.new()
	add_child(_server)
	_server.started.connect(func(url: String) -> void: _started.push_back(url))
	_server.failed.connect(func(reason: String) -> void: _failed.push_back(reason))
	_server.stopped.connect(func(exit_code: int) -> void: _stopped.push_back(exit_code))


func test_battle_on_a_server_of_its_own_that_stops_and_starts_again() -> void:
	_server.start()
	_server.start()
	check_equal(_server.state, GcsLocalServer.State.STARTING, "state after start")
	await _until_started(1)
	check_equal(_server.state, GcsLocalServer.State.RUNNING, "state")
	check_equal(_started, [_server.url] as Array[String], "told once, with the URL")
	var client: GcsClient = connected(_server.url, _server.token)
	await started(client, "first_fight")
	await step(client)
	check(client.state != null and client.state.is_running(), "the battle goes on")
	client.disconnect_from_server()

	var pid: int = _server.pid
	var token: String = _server.token
	_server.stop()
	_server.stop()
	check_equal(_server.url, "", "the URL while it stops")
	await _until_stopped(1)
	check_equal(_stopped, [0] as Array[int], "it stops gracefully, told once")
	check(not OS.is_process_running(pid), "the process is gone")
	check_equal([_server.state, _server.token], [GcsLocalServer.State.STOPPED, ""], "state and token at last")

	_server.start()
	await _until_started(2)
	check(_server.pid != pid, "another process")
	check(_server.token != token and not _server.token.is_empty(), "another token")
	check_equal(_failed, [] as Array[String], "failures")


func test_only_the_game_itself_gets_in() -> void:
	OS.set_environment(GcsClient.TOKEN_VARIABLE, "a-token-of-the-player")
	_server.start()
	check_equal(OS.get_environment(GcsClient.TOKEN_VARIABLE), "a-token-of-the-player", "the game's own environment")
	OS.unset_environment(GcsClient.TOKEN_VARIABLE)
	check(_server.token.length() >= 64, "long enough that nobody guesses it")
	await _until_started(1)
	for token: String in ["", "a-token-of-the-player"]:
		var stranger: GcsClient = connected(_server.url, token)
		await until_connection(stranger, GcsClient.Connection.REFUSED)
		check(stranger.connection_reason.contains("the server refuses the token"), stranger.connection_reason)
	var own: GcsClient = connected("grpc://127.0.0.1:1")
	own.connect_to_server(_server.url, _server.make_channel_options())
	await until_connection(own, GcsClient.Connection.ONLINE)


func test_token_is_left_to_a_file_that_the_game_names() -> void:
	_server.arguments = ["--token-file", ProjectSettings.globalize_path("res://../tests/godot/peers_grpc/token")]
	_server.start()
	check(not OS.has_environment(GcsClient.TOKEN_VARIABLE), "the game's own environment")
	await _until_started(1)
	check_equal([_server.token, _server.make_channel_options().token], ["", ""], "no token is made")
	await until_connection(connected(_server.url), GcsClient.Connection.REFUSED)
	var token: String = FileAccess.get_file_as_string(_server.arguments[1]).strip_edges()
	await until_connection(connected(_server.url, token), GcsClient.Connection.ONLINE)


func test_server_that_dies_is_told() -> void:
	_server.start()
	await _until_started(1)
	# Not OS.kill(), which would also collect the process, and nobody could tell any more how it ended.
	OS.execute("kill", ["-9", str(_server.pid)])
	await _until_stopped(1)
	check(_stopped[0] != 0, "the exit code tells that it did not stop by itself")
	check_equal([_server.url, _server.pid, _failed], ["", 0, [] as Array[String]], "nothing is left of it")


func test_no_executable_is_a_failure_in_words() -> void:
	_server.executable = "/nowhere/gcs"
	_server.start()
	check_equal(_failed, [] as Array[String], "not before start() has returned")
	await until(func() -> bool: return not _failed.is_empty(), "failed")
	check_equal(_failed, ["/nowhere/gcs is not there"] as Array[String], "the reason")
	check_equal(_server.state, GcsLocalServer.State.STOPPED, "state")


func test_no_gcs_on_the_path_is_a_failure_in_words() -> void:
	var path: String = OS.get_environment("PATH")
	OS.set_environment("PATH", "/nowhere")
	_server.start()
	_server.executable = "no_such_gcs"
	_server.start()
	OS.set_environment("PATH", path)
	await until(func() -> bool: return _failed.size() == 2, "failed")
	check_equal(_failed,
			["there is no gcs on the PATH: set executable to where it is", "no_such_gcs is not there"] as Array[String],
			"the reasons")


func test_options_that_the_server_refuses_are_told_in_its_words() -> void:
	_server.arguments = ["--packs", "/nowhere/my_pack"]
	_server.start()
	await await_condition_or_timeout(func() -> bool: return not _failed.is_empty(), START_LIMIT, "failed")
	check(_failed.size() == 1 and _failed[0].contains("exit code 2")
			and _failed[0].contains("/nowhere/my_pack is no pack"), "told: %s" % str(_failed))
	check_equal(_started, [] as Array[String], "it never listened")


func test_server_node_that_leaves_the_tree_stops_its_server() -> void:
	_server.start()
	await _until_started(1)
	var pid: int = _server.pid
	remove_child(_server)
	await await_condition_or_timeout(func() -> bool: return not OS.is_process_running(pid), START_LIMIT,
			"the process ends")
	add_child(_server)


func test_program_that_does_not_stop_is_killed_after_its_node_has_left_the_tree() -> void:
	_server.executable = _program("trap '' TERM; exec sleep 1000")
	for freed: bool in [false, true]:
		_server.start()
		var child: GcsLocalServer.ChildProcess = _server._child
		remove_child(_server)
		check(child.kill_at_ms > Time.get_ticks_msec(), "it has its time to stop")
		for frame: int in range(3):
			await get_tree().process_frame
		check(not child.ended and _runs(child.pid), "it goes on")
		if freed:
			_server.free()
		child.kill_at_ms = Time.get_ticks_msec()
		await until(func() -> bool: return child.ended, "it is over")
		check(not _runs(child.pid), "the process is gone")
		if not freed:
			check_equal(_stopped, [] as Array[int], "told in the tree alone")
			add_child(_server)
			await _until_stopped(1)
			check_equal(_stopped, [GcsLocalServer.KILLED] as Array[int], "told that it was killed")
	_server = GcsLocalServer.new()


func test_program_that_prints_without_end_is_read_in_bounds() -> void:
	_server.executable = _program("exec cat /dev/zero >&2")
	_server.start()
	var most: int = 0
	for frame: int in range(50):
		await get_tree().create_timer(0.01).timeout
		_server._process(0.0)
		most = maxi(most, _server._child._errors._unread.size())
	check(most > 0 and most < 200_000, "bytes kept of a line without an end: %d" % most)
	_server.stop()
	OS.execute("kill", ["-9", str(_server.pid)])
	await _until_stopped(1)


func after_each() -> void:
	_server.queue_free()
	DirAccess.remove_absolute(_program_path())
	super()


## A program in place of the server: a shell script.
func _program(line: String) -> String:
	FileAccess.open(_program_path(), FileAccess.WRITE).store_string("#!/bin/sh\n%s\n" % line)
	check_equal(OS.execute("chmod", ["+x", _program_path()]), 0, "chmod")
	return _program_path()


func _program_path() -> String:
	return OS.get_temp_dir().path_join("gcs-program-%d.sh" % OS.get_process_id())


## Asked of the system: the engine knows nothing of a process that it has killed.
func _runs(pid: int) -> bool:
	return OS.execute("kill", ["-0", str(pid)]) == 0


func _until_started(times: int) -> void:
	await await_condition_or_timeout(func() -> bool: return _started.size() == times, START_LIMIT,
			"started %d times" % times)


func _until_stopped(times: int) -> void:
	await await_condition_or_timeout(func() -> bool: return _stopped.size() == times, START_LIMIT,
			"stopped %d times" % times)
