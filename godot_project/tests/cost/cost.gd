extends Node
## Measures what the client costs a game and prints the figures as lines of JSON after [constant MARK];
## [code]python -m benchmarks.godot[/code] starts it, with the server's address and how many frames to measure, and
## shows them. A loop of GDScript runs beside each measurement, in the same seconds.

const TimedClient = preload("timed_client.gd")
const SimpleBot = preload("res://demo/simple_bot.gd")

## The prefix of lines that the Python side reads.
const MARK: String = "@cost "
const FRAMES_A_SECOND: int = 60
const ROUNDS: int = 200
const STARTS: int = 20
## A frame counts as undisturbed when the loop before it and the one after it took at most so many times the fastest
## one.
const UNDISTURBED: float = 1.25
## Five units and thirty cards, with a player who lasts.
const ENCOUNTER: String = """{
	"enemies": ["rust_knight", "reef_captain", "tide_cantor", "barnacle_brute"],
	"deck": "stormcaller",
	"player": {"hp": 900000, "max_hp": 900000, "energy": 6, "draw": 8}
}"""
const DECK: Array[String] = [
	"strike", "strike", "strike", "strike", "defend", "defend", "defend", "defend", "mallet", "gybe",
	"gybe", "grog", "harpoon", "hull_breaker", "flotsam", "overboard", "ash_coat", "mallet", "echo_call",
	"venom_glands",
	"mending_song", "shoal", "cold_current", "signal_flare", "weathercock", "rain_barrel", "static", "strike", "defend",
	"gybe",
]

var _client: TimedClient = TimedClient.new()
var _waiting: GcsAction = null


func _ready() -> void:
	Engine.max_fps = FRAMES_A_SECOND
	add_child(_client)
	_client.battle_failed.connect(func(status: GrpcStatus) -> void: _give_up(str(status)))
	_client.action_rejected.connect(func(rejection: GcsV1Battle.Rejection) -> void: _give_up(rejection.message))
	_client.connection_changed.connect(_on_connection_changed)
	_client.connect_to_server(OS.get_cmdline_user_args()[0])


func _on_connection_changed(connection: GcsClient.Connection, reason: String) -> void:
	if connection == GcsClient.Connection.ONLINE:
		_measure.call_deferred()
	elif connection not in [GcsClient.Connection.CONNECTING, GcsClient.Connection.OFFLINE]:
		_give_up(reason)


func _measure() -> void:
	await _measure_starts()
	await _measure_snapshot()
	await _measure_frames()
	get_tree().quit(0)


## A battle on a connection that stands.
func _measure_starts() -> void:
	# As fast as it goes: a frame's length would hide what is measured.
	Engine.max_fps = 0
	var spent: PackedInt64Array = []
	for number: int in range(STARTS):
		var begun: int = Time.get_ticks_usec()
		_client.start_battle("starter", "first_fight")
		await _client.battle_started
		spent.push_back(Time.get_ticks_usec() - begun)
	_report("start of a battle on a standing connection", spent, {})
	Engine.max_fps = FRAMES_A_SECOND


func _measure_snapshot() -> void:
	_start_busy_battle()
	var taken: Array[GcsV1Events.Update] = []
	_client._stream.update_received.connect(func(update: GcsV1Events.Update) -> void: taken.push_back(update))
	await _client.state_changed
	await get_tree().process_frame
	var snapshot: GcsV1Battle.BattleState = taken[0].snapshot
	var bytes: PackedByteArray = snapshot.to_bytes()
	var decoded: PackedInt64Array = []
	var mirrored: PackedInt64Array = []
	var loops: PackedInt64Array = []
	for _round: int in range(ROUNDS):
		loops.push_back(_calibrate())
		var begun: int = Time.get_ticks_usec()
		var state: GcsV1Battle.BattleState = GcsV1Battle.BattleState.new()
		state.parse(bytes)
		decoded.push_back(Time.get_ticks_usec() - begun)
		begun = Time.get_ticks_usec()
		var mirror: GcsBattleState = GcsBattleState.new()
		mirror._take_snapshot(state)
		mirrored.push_back(Time.get_ticks_usec() - begun)
	var size: Dictionary = {"units": snapshot.units.size(), "cards": snapshot.cards.size(), "bytes": bytes.size()}
	_report("a loop of 10,000 rounds, between the snapshots", loops, {})
	_report("snapshot decoded", decoded, size)
	_report("snapshot taken over into Gcs.state", mirrored, size)


func _measure_frames() -> void:
	# The loop runs before and after each frame's work: where it is slow, something else had the processor.
	var loops: PackedInt64Array = []
	_client.measure(_act)
	var frames: int = OS.get_cmdline_user_args()[1].to_int()
	while _client.frames.size() < frames:
		await get_tree().process_frame
		loops.push_back(_calibrate())
	var sorted: PackedInt64Array = loops.duplicate()
	sorted.sort()
	var undisturbed: int = int(sorted[0] * UNDISTURBED)
	var busy: PackedInt64Array = []
	var calm: PackedInt64Array = []
	for frame: int in range(loops.size() - 1):
		if not _client.busy[frame]:
			continue
		busy.push_back(_client.frames[frame])
		if maxi(loops[frame], loops[frame + 1]) <= undisturbed:
			calm.push_back(_client.frames[frame])
	_report("a loop of 10,000 rounds, between the frames", loops, {})
	_report("a frame of the battle", busy, {"updates": _client.updates, "events": _client.events})
	_report("those of them that nothing disturbed", calm, {})


## As fast as a frame goes by: the next action as soon as the one before is shown. True when one was sent.
func _act() -> bool:
	if _client.state == null or (_waiting != null and _waiting.state == GcsAction.State.PENDING):
		return false
	if not _client.state.is_running():
		_waiting = null
		_start_busy_battle()
		return true
	_waiting = SimpleBot.act(_client)
	return true


func _start_busy_battle() -> void:
	var options: GcsBattleOptions = GcsBattleOptions.new()
	options.set_seed(7)
	options.deck = DECK
	# All cards are in the snapshot, the draw pile's as well.
	options.open_draw_pile = true
	_client.start_battle("starter", ENCOUNTER, options)


func _calibrate() -> int:
	var begun: int = Time.get_ticks_usec()
	var sum: int = 0
	for number: int in 10_000:
		sum += number & 7
	return Time.get_ticks_usec() - begun if sum > 0 else 0


func _report(what: String, spent: PackedInt64Array, more: Dictionary) -> void:
	var row: Dictionary = {"what": what, "usec": Array(spent)}
	row.merge(more)
	print(MARK + JSON.stringify(row))


func _give_up(reason: String) -> void:
	printerr("cost: %s" % reason)
	get_tree().quit(1)
