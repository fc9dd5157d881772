extends DemoTestCase
## Sounds are computed, heard when something happens, and silent when the player wants it so.

const NEEDS: String = "gcs_server"
const TIMEOUT: float = 60.0

const Sounds = preload("res://demo/effects/sounds.gd")


func test_every_sound_is_loud_enough_and_ends_in_silence() -> void:
	for sound: String in Sounds.SOUNDS:
		var stream: AudioStreamWAV = screen.sounds.stream_of(sound)
		var peak: int = 0
		for at: int in range(0, stream.data.size(), 2):
			peak = maxi(peak, absi(stream.data.decode_s16(at)))
		check(peak > 3_000, "%s: the loudest sample is %d" % [sound, peak])
		check(absi(stream.data.decode_s16(stream.data.size() - 2)) < 300, "%s ends in silence" % sound)


func test_play_is_heard_and_muted_by_the_setting() -> void:
	check_equal(screen.sounds.playing(), 0, "sounds at rest")
	screen.settings.pace = "Fast"
	SimpleBot.act(Gcs)
	await until(func() -> bool: return screen.sounds.playing() > 0, "the play is heard")
	await until_free()
	screen.settings.sound = false
	check_equal(screen.sounds.playing(), 0, "silent at once")
	SimpleBot.act(Gcs)
	await until_free()
	check_equal(screen.sounds.playing(), 0, "and stays silent")


func test_sounds_of_the_director_exist() -> void:
	var script: String = FileAccess.get_file_as_string(
			"res://demo/effects/director.gd") + FileAccess.get_file_as_string("res://demo/battle_screen.gd")
	var named: Array[RegExMatch] = RegEx.create_from_string("(?:_sound|sounds\\.play)\\(\"(\\w+)\"").search_all(script)
	check(named.size() > 8, "the scripts were looked at: %d" % named.size())
	for found: RegExMatch in named:
		check(Sounds.SOUNDS.has(found.get_string(1)), "a sound named %s" % found.get_string(1))
