extends BattleTestCase
## Seeds of all 64 bits: as text, and to the server and back.

const NEEDS: String = "gcs_server"


func test_a_seed_and_its_text() -> void:
	for text: String in ["0", "7", "9007199254740993", "9223372036854775807", "9223372036854775808",
			"18446744073709551615"]:
		check(GcsSeed.is_seed(text), "%s is one" % text)
		check_equal(GcsSeed.to_text(GcsSeed.from_text(text)), text, "there and back")
	check_equal(GcsSeed.from_text("18446744073709551615"), -1, "all bits set")


func test_what_is_no_seed() -> void:
	for text: String in ["", "-1", "+1", "1.0", " 1", "seven", "18446744073709551616", "99999999999999999999",
			"100000000000000000000"]:
		check(not GcsSeed.is_seed(text), "'%s' is none" % text)


func test_a_battle_with_the_largest_seed() -> void:
	var client: GcsClient = connected(peer_address("gcs_server"))
	await started(client, "first_fight", [], GcsSeed.from_text(GcsSeed.MOST))
	check_equal(GcsSeed.to_text(client.state.seed), GcsSeed.MOST, "the seed of the state")
