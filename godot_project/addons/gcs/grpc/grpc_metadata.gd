class_name GrpcMetadata
extends RefCounted
## Reads gRPC metadata: dictionaries from a lower-case key to a list of values, as calls receive them.
##
## Values are [String]s; those of keys that end in [code]-bin[/code] are [PackedByteArray]s.


## The first text under [param key], or [param fallback].
static func text(metadata: Dictionary[String, Array], key: String, fallback: String = "") -> String:
	var values: Array = metadata.get(key, [])
	if values.is_empty() or typeof(values[0]) != TYPE_STRING:
		return fallback
	return str(values[0])


## The first bytes under [param key] (which ends in [code]-bin[/code]), or an empty array.
static func bytes(metadata: Dictionary[String, Array], key: String) -> PackedByteArray:
	var values: Array = metadata.get(key, [])
	if values.is_empty() or typeof(values[0]) != TYPE_PACKED_BYTE_ARRAY:
		return PackedByteArray()
	return values[0]
