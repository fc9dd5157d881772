extends GcsTest
## Events as lines of text.


func _entry(kind: GcsV1Events.OwnerKind, id: String, unit: String) -> GcsV1Events.EntryDispatched:
	var entry: GcsV1Events.EntryDispatched = GcsV1Events.EntryDispatched.new()
	entry.entry = "on_damage_taken"
	entry.owner = GcsV1Events.Owner.new()
	entry.owner.kind = kind
	entry.owner.id = id
	entry.owner.unit = unit
	return entry


func _port(name_: String, fill: Callable) -> GcsV1Events.Port:
	var port: GcsV1Events.Port = GcsV1Events.Port.new()
	port.name = name_
	port.value = GcsV1Events.Value.new()
	fill.call(port.value)
	return port


func test_entry_line_is_that_of_scenario_files() -> void:
	var entry: GcsV1Events.EntryDispatched = _entry(GcsV1Events.OwnerKind.OWNER_KIND_STATUS, "thorns", "enemy0")
	entry.ports = [
		_port("amount", func(value: GcsV1Events.Value) -> void: value.int_value = 6),
		_port("source", func(value: GcsV1Events.Value) -> void: value.unit_value = ""),
		_port("target", func(value: GcsV1Events.Value) -> void: value.unit_value = "enemy0"),
		_port("was_kill", func(value: GcsV1Events.Value) -> void: value.bool_value = true),
	]
	check_equal(GcsTrace.entry_line(entry),
			"on_damage_taken status:thorns@enemy0 amount=6 source=none target=enemy0 was_kill=true", "line")


func test_owner_of_a_card_names_no_unit() -> void:
	var entry: GcsV1Events.EntryDispatched = _entry(GcsV1Events.OwnerKind.OWNER_KIND_CARD, "strike", "")
	check_equal(GcsTrace.owner_text(entry.owner), "card:strike", "owner")


func test_lines_are_indented_by_what_caused_them() -> void:
	var trace: GcsTrace = GcsTrace.new()
	var lines: Array[String] = []
	for index: int in range(3):
		var event: GcsV1Events.Event = GcsV1Events.Event.new()
		event.sequence = index + 1
		event.cause = index
		event.hp_changed = GcsV1Events.HpChanged.new()
		event.hp_changed.unit = "player"
		event.hp_changed.before = 10
		event.hp_changed.after = 10 - index
		event.hp_changed.reason = "loss"
		lines.push_back(trace.event_line(event, null))
	check_equal(lines, ["player: HP 10 -> 10 (loss)", "  player: HP 10 -> 9 (loss)",
			"    player: HP 10 -> 8 (loss)"] as Array[String], "lines")


func test_turns_stand_at_the_left_edge() -> void:
	var trace: GcsTrace = GcsTrace.new()
	var cause: GcsV1Events.Event = GcsV1Events.Event.new()
	cause.sequence = 1
	cause.action_started = GcsV1Events.ActionStarted.new()
	cause.action_started.kind = "end_turn"
	check_equal(trace.event_line(cause, null), "> end_turn", "action")
	var phase: GcsV1Events.Event = GcsV1Events.Event.new()
	phase.sequence = 2
	phase.cause = 1
	phase.phase_changed = GcsV1Events.PhaseChanged.new()
	phase.phase_changed.turn = 3
	phase.phase_changed.phase = GcsV1Battle.Phase.PHASE_ENEMY
	check_equal(trace.event_line(phase, null), "== turn 3: enemy ==", "phase")


func test_a_fault_tells_what_comes_again_once() -> void:
	var event: GcsV1Events.Event = GcsV1Events.Event.new()
	event.sequence = 1
	event.fault = GcsV1Events.Fault.new()
	event.fault.kind = "depth"
	event.fault.message = "too deep"
	event.fault.chain = ["s", "a", "b", "a", "b", "a", "b", "a"]
	var lines: PackedStringArray = GcsTrace.text_of(event, null).split("\n")
	var expected: PackedStringArray = ["! fault depth: too deep", "  at s", "  at a", "  at b",
			"  ... these 2 again, 2 times", "  at a"]
	check_equal(lines, expected, "lines")


func test_what_stands_very_deep_is_not_indented_further() -> void:
	var trace: GcsTrace = GcsTrace.new()
	var line: String = ""
	for index: int in range(30):
		var event: GcsV1Events.Event = GcsV1Events.Event.new()
		event.sequence = index + 1
		event.cause = index
		event.unit_removed = GcsV1Events.UnitRemoved.new()
		event.unit_removed.unit = "enemy0"
		line = trace.event_line(event, null)
	check_equal(line, "  ".repeat(24) + "(+5) enemy0: leaves", "line")
