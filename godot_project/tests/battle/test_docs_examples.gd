extends BattleTestCase
## The scripts in docs/godot.md, as a newcomer would copy them: each compiles under our strict warnings and starts its
## battle.

const NEEDS: String = "gcs_server"
const TIMEOUT: float = 60.0
const PAGE: String = "res://../docs/godot.md"


func _examples() -> PackedStringArray:
	var page: String = FileAccess.get_file_as_string(ProjectSettings.globalize_path(PAGE))
	var examples: PackedStringArray = []
	for part: String in page.split("```gdscript\n").slice(1):
		examples.push_back(part.get_slice("```", 0))
	return examples


func test_each_example_starts_a_battle() -> void:
	var examples: PackedStringArray = _examples()
	check(examples.size() > 1, "the page has examples")
	ProjectSettings.set_setting(GcsSettings.ADDRESS, peer_address("gcs_server"))
	for text: String in examples:
		var script: GDScript = GDScript.new()
		script.source_code = text
		if script.reload() != OK:
			fail("this does not compile:\n%s" % text)
			continue
		var node: Node = script.new()
		add_child(node)
		await until(func() -> bool: return Gcs.state != null and not Gcs.is_showing(),
				"the battle of the example starts")
		var action: GcsAction = SimpleBot.act(Gcs)
		await until(func() -> bool: return action.state == GcsAction.State.ACCEPTED, "an action is carried out")
		node.free()
		Gcs.pace_with(Callable())
		Gcs.leave_battle()
		Gcs.state = null
		Gcs.disconnect_from_server()
