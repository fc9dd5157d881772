extends RefCounted
## gRPC metadata to header fields and back.

const HpackEncoder = preload("../http2/hpack_encoder.gd")

## Names that belong to HTTP or gRPC itself.
const RESERVED: Array[String] = ["te", "content-type", "user-agent", "host", "connection", "keep-alive",
		"proxy-connection",
	"transfer-encoding", "upgrade"]
const KEY_CHARACTERS: String = "abcdefghijklmnopqrstuvwxyz0123456789-_."
## HTTP/2 counts this much for a field on top of name and value.
const FIELD_OVERHEAD: int = 32

## The encoded fields.
var block: PackedByteArray = PackedByteArray()
## Their size as HTTP/2 counts header lists.
var list_bytes: int = 0


## Appends user metadata to [member block]; returns what is wrong with it, or an empty text.
func encode(metadata: Dictionary[String, Variant]) -> String:
	for key: String in metadata:
		var wrong: String = wrong_in_key(key)
		if not wrong.is_empty():
			return wrong
		var given: Variant = metadata[key]
		var values: Array = [given]
		if typeof(given) == TYPE_ARRAY:
			values = given
		for value: Variant in values:
			wrong = _add(key, value)
			if not wrong.is_empty():
				return wrong
	return ""


## Appends one field to [member block].
func add_field(name: String, value: String, secret: bool = false) -> void:
	block.append_array(HpackEncoder.field(name, value, secret))
	list_bytes += name.length() + value.length() + FIELD_OVERHEAD


## What is wrong with a metadata key; empty when nothing is.
static func wrong_in_key(key: String) -> String:
	if key.is_empty():
		return "metadata key is empty"
	for index: int in range(key.length()):
		if not KEY_CHARACTERS.contains(key[index]):
			return "metadata key \"%s\", expected lower-case letters, digits, - _ and ." % key.c_escape()
	if key.begins_with("grpc-") or key in RESERVED:
		return "metadata key \"%s\" is reserved" % key
	return ""


## What is wrong with the text of a field; empty when nothing is.
static func wrong_in_value(text: String) -> String:
	for index: int in range(text.length()):
		var code: int = text.unicode_at(index)
		if code < 0x20 or code > 0x7e:
			return "has the character U+%04X, expected printable ASCII" % code
	return ""


## Metadata out of a flat list of header fields, without those of HTTP and gRPC.
static func decode(fields: PackedStringArray) -> Dictionary[String, Array]:
	var metadata: Dictionary[String, Array] = {}
	for index: int in range(0, fields.size(), 2):
		var name: String = fields[index]
		if name.begins_with(":") or name.begins_with("grpc-") or name in RESERVED:
			continue
		if not metadata.has(name):
			metadata[name] = []
		if name.ends_with("-bin"):
			# One field may carry several values, joined by commas.
			for part: String in fields[index + 1].split(","):
				metadata[name].push_back(decode_base64(part.strip_edges()))
		else:
			metadata[name].push_back(fields[index + 1])
	return metadata


## The last value of [param name] in a flat list of header fields, or [param fallback].
static func find(fields: PackedStringArray, name: String, fallback: String = "") -> String:
	for index: int in range(fields.size() - 2, -1, -2):
		if fields[index] == name:
			return fields[index + 1]
	return fallback


## Decodes base64 with or without padding; broken text gives an empty array.
static func decode_base64(text: String) -> PackedByteArray:
	var bare: String = text.rstrip("=").replace("-", "+").replace("_", "/")
	if bare.is_empty() or bare.length() % 4 == 1:
		return PackedByteArray()
	for index: int in range(bare.length()):
		var code: int = bare.unicode_at(index)
		var letter: bool = code >= 0x41 and code <= 0x5a or code >= 0x61 and code <= 0x7a or code >= 0x2f and code <= 0x39
		if not letter and code != 0x2b:
			return PackedByteArray()
	return Marshalls.base64_to_raw(bare + "=".repeat((4 - bare.length() % 4) % 4))


func _add(key: String, value: Variant) -> String:
	if key.ends_with("-bin"):
		if typeof(value) != TYPE_PACKED_BYTE_ARRAY:
			return "metadata \"%s\" is a %s, expected a PackedByteArray" % [key, type_string(typeof(value))]
		var raw: PackedByteArray = value
		add_field(key, Marshalls.raw_to_base64(raw).rstrip("=") if not raw.is_empty() else "")
		return ""
	if typeof(value) != TYPE_STRING and typeof(value) != TYPE_STRING_NAME:
		return "metadata \"%s\" is a %s, expected a String" % [key, type_string(typeof(value))]
	var text: String = str(value)
	var wrong: String = wrong_in_value(text)
	if not wrong.is_empty():
		return "metadata \"%s\" %s (use a -bin key)" % [key, wrong]
	add_field(key, text, key == "authorization")
	return ""
