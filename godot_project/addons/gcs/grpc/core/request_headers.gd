extends RefCounted
## The header block that opens a call.

const MetadataCodec = preload("metadata_codec.gd")
const Target = preload("target.gd")

const USER_AGENT: String = "grpc-gdscript/1.0"
## Most that [code]grpc-timeout[/code] can say in milliseconds: eight digits.
const MAX_TIMEOUT_MS: int = 99_999_999
const MAX_HEADS: int = 256

## [code]/package.Service/Method[/code].
var path: String
## When the call fails of itself, in milliseconds of [method Time.get_ticks_msec]; 0: never.
var deadline_at_ms: int = 0
## Size of the header list as HTTP/2 counts it, without [code]grpc-timeout[/code].
var list_bytes: int = 0
## What is wrong with path or metadata; empty when nothing is.
var error: String = ""

var _block: PackedByteArray = PackedByteArray()


## [param heads] keeps what was encoded for a path, so that later calls of the method need not encode it again.
func _init(method_path: String, call_options: GrpcCallOptions, options: GrpcChannelOptions, target: Target,
		heads: Dictionary[String, MetadataCodec]) -> void:
	path = method_path
	var deadline_ms: int = call_options.deadline_ms
	if deadline_ms == GrpcCallOptions.CHANNEL_DEFAULT:
		deadline_ms = options.default_deadline_ms
	if deadline_ms > 0:
		deadline_at_ms = Time.get_ticks_msec() + deadline_ms
	if not path.begins_with("/") or path.count("/") != 2 or not _is_plain(path):
		error = "path \"%s\", expected /package.Service/Method" % path.c_escape()
		return
	var codec: MetadataCodec = MetadataCodec.new()
	var key: String = "%s %s" % [path, call_options.accept_compression]
	if not heads.has(key):
		if heads.size() >= MAX_HEADS:
			heads.clear()
		heads[key] = _head(call_options, options, target)
	codec.block = heads[key].block.duplicate()
	codec.list_bytes = heads[key].list_bytes
	if not options.token.is_empty() and not call_options.metadata.has("authorization"):
		codec.add_field("authorization", "Bearer " + options.token, true)
	error = codec.encode(call_options.metadata)
	_block = codec.block
	list_bytes = codec.list_bytes


## The block with what is left of the deadline as [code]grpc-timeout[/code].
func block() -> PackedByteArray:
	if deadline_at_ms == 0:
		return _block
	var left_ms: int = maxi(1, deadline_at_ms - Time.get_ticks_msec())
	var codec: MetadataCodec = MetadataCodec.new()
	# Whole seconds, rounded down: the server must not take longer than the caller waits.
	@warning_ignore("integer_division")
	codec.add_field("grpc-timeout", "%dm" % left_ms if left_ms <= MAX_TIMEOUT_MS else "%dS" % (left_ms / 1_000))
	return _block + codec.block


func _is_plain(text: String) -> bool:
	for index: int in range(text.length()):
		if text.unicode_at(index) <= 0x20 or text.unicode_at(index) > 0x7e:
			return false
	return true


## What all calls of a method have in common.
func _head(call_options: GrpcCallOptions, options: GrpcChannelOptions, target: Target) -> MetadataCodec:
	var codec: MetadataCodec = MetadataCodec.new()
	codec.add_field(":method", "POST")
	codec.add_field(":scheme", "https" if target.is_secure() else "http")
	codec.add_field(":path", path)
	codec.add_field(":authority", options.authority if not options.authority.is_empty() else target.authority())
	codec.add_field("te", "trailers")
	codec.add_field("content-type", "application/grpc")
	codec.add_field("user-agent", ("%s %s" % [options.user_agent, USER_AGENT]).strip_edges())
	if call_options.accept_compression:
		codec.add_field("grpc-accept-encoding", "identity,gzip,deflate")
	return codec
