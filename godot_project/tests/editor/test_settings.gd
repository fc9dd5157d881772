extends GcsTest
## The project settings of the addon: defaults without the plugin, what the editor shows, and the page that lists them.

const PAGE: String = "res://../docs/godot-editor.md"


func test_register_and_unregister() -> void:
	ProjectSettings.set_setting(GcsSettings.POLL_BUDGET_USEC, 5_000)
	GcsSettings.register()
	var shown: Dictionary[String, Dictionary] = {}
	for property: Dictionary in ProjectSettings.get_property_list():
		var setting: String = property["name"]
		shown[setting] = property
	for row: Dictionary in GcsSettings.TABLE:
		var setting: String = row["name"]
		check(setting.begins_with("gcs/") and shown.has(setting), "%s is shown" % setting)
		check_equal(shown[setting]["hint"], row["hint"], "hint of %s" % setting)
		check_equal(shown[setting]["type"], typeof(GcsSettings.default_of(setting)), "type of %s" % setting)
	check_equal(GcsSettings.number_of(GcsSettings.POLL_BUDGET_USEC), 5_000, "what was set stays")
	GcsSettings.unregister()
	check(not ProjectSettings.has_setting(GcsSettings.ADDRESS), "what nobody changed is gone")
	check_equal(GcsSettings.text_of(GcsSettings.ADDRESS), "grpc://127.0.0.1:50051", "its default holds")
	check_equal(GcsSettings.number_of(GcsSettings.POLL_BUDGET_USEC), 5_000, "what was changed stays")
	ProjectSettings.clear(GcsSettings.POLL_BUDGET_USEC)
	check_equal(GcsSettings.list_of(GcsSettings.SERVER_ARGUMENTS), PackedStringArray(["serve"]), "a list")


func test_client_takes_them() -> void:
	var values: Dictionary[String, Variant] = {
		GcsSettings.POLL_BUDGET_USEC: 700, GcsSettings.CALL_DEADLINE_MS: 3_000, GcsSettings.TOKEN: "secret",
		GcsSettings.TLS_CERTIFICATE: "res://../tests/godot/peers_grpc/localhost.crt",
	}
	for setting: String in values:
		ProjectSettings.set_setting(setting, values[setting])
	var client: GcsClient = GcsClient.new()
	check_equal(client.budget_usec, 700, "budget")
	client.free()
	var options: GrpcChannelOptions = GcsClient.make_channel_options()
	check_equal([options.default_deadline_ms, options.token, options.tls != null], [3_000, "secret", true], "options")
	expect_engine_error("cannot be read")
	expect_engine_error("Error parsing X509")
	ProjectSettings.set_setting(GcsSettings.TLS_CERTIFICATE, "res://project.godot")
	check_equal(GcsClient.make_channel_options().tls, null, "no certificate")
	for setting: String in values:
		ProjectSettings.set_setting(setting, null)


func test_page_lists_every_setting_with_its_default() -> void:
	var page: String = FileAccess.get_file_as_string(ProjectSettings.globalize_path(PAGE))
	for row: Dictionary in GcsSettings.TABLE:
		var setting: String = row["name"]
		var text: String = str(GcsSettings.default_of(setting))
		if row["name"] == GcsSettings.LOG_LEVEL:
			text = "Warnings"
		var line: String = "| `%s` | %s | %s |" % [row["name"], "`%s`" % text if not text.is_empty() else "",
				row["help"]]
		check(page.contains(line), "docs/godot-editor.md lacks the line: %s" % line)
