extends RefCounted
## Cuts a stream of DATA into gRPC messages: a flag byte, four bytes of length, the message.
##
## Hand it a piece with [method feed], then call [method next] until it answers null. Messages may straddle pieces in
## any way.

const Frames = preload("../http2/frames.gd")

const PREFIX_BYTES: int = 5
## What the engine's decompressor takes and gives at once.
const GZIP_BUFFER_BYTES: int = 65_536

## Why [method next] gave up; [constant GrpcStatus.OK] while it did not.
var error: GrpcStatus.Code = GrpcStatus.Code.OK
var error_text: String = ""
## The call's [code]grpc-encoding[/code].
var encoding: String = "identity"

var _max_bytes: int
var _piece: PackedByteArray = PackedByteArray()
var _at: int = 0
var _end: int = 0
## The start of a message that is not whole yet, prefix included.
var _partial: PackedByteArray = PackedByteArray()


func _init(max_bytes: int) -> void:
	_max_bytes = max_bytes


## Takes a piece of DATA, once the last one is used up. [param bytes] is read in place.
func feed(bytes: PackedByteArray, from: int, length: int) -> void:
	_piece = bytes
	_at = from
	_end = from + length


## The next message as a [PackedByteArray]; null when more data is needed or [member error] is set.
func next() -> Variant:
	if error != GrpcStatus.Code.OK:
		return null
	if _partial.is_empty() and _end - _at >= PREFIX_BYTES:
		var length: int = Frames.read_u32(_piece, _at + 1)
		if not _check(_piece[_at], length):
			return null
		if _end - _at >= PREFIX_BYTES + length:
			var from: int = _at + PREFIX_BYTES
			_at = from + length
			return _open(_piece[from - PREFIX_BYTES], _piece.slice(from, _at))
	if _partial.size() < PREFIX_BYTES and not _take(PREFIX_BYTES):
		return null
	var missing: int = Frames.read_u32(_partial, 1)
	if not _check(_partial[0], missing) or not _take(PREFIX_BYTES + missing):
		return null
	var message: PackedByteArray = _partial
	_partial = PackedByteArray()
	return _open(message[0], message.slice(PREFIX_BYTES))


## True when the stream ended inside a message.
func is_torn() -> bool:
	return not _partial.is_empty()


## Forgets everything.
func clear() -> void:
	_piece = PackedByteArray()
	_partial = PackedByteArray()
	_at = 0
	_end = 0


## Moves bytes to the unfinished message until it has [param size]; false when there are not enough.
func _take(size: int) -> bool:
	var taken: int = mini(size - _partial.size(), _end - _at)
	_partial.append_array(_piece.slice(_at, _at + taken))
	_at += taken
	return _partial.size() == size


func _check(flag: int, length: int) -> bool:
	if flag > 1:
		return _refuse(GrpcStatus.Code.INTERNAL, "message with flag byte %d, expected 0 or 1" % flag)
	if length > _max_bytes:
		return _refuse(GrpcStatus.Code.RESOURCE_EXHAUSTED,
				"message of %d bytes, at most %d are accepted" % [length, _max_bytes])
	return true


func _refuse(code: GrpcStatus.Code, text: String) -> bool:
	error = code
	error_text = text
	clear()
	return false


## The message itself, decompressed where its flag says so; null on failure.
func _open(flag: int, body: PackedByteArray) -> Variant:
	if flag == 0:
		return body
	match encoding:
		"gzip":
			return _inflate(body, false)
		"deflate":
			return _inflate(body, true)
		"identity":
			_refuse(GrpcStatus.Code.INTERNAL, "compressed message without grpc-encoding")
		_:
			_refuse(GrpcStatus.Code.INTERNAL,
					"messages compressed with \"%s\", expected gzip or deflate" % encoding.c_escape())
	return null


## Decompresses piece by piece, so that a small message cannot unfold beyond the limit.
func _inflate(body: PackedByteArray, zlib: bool) -> Variant:
	var inflater: StreamPeerGZIP = StreamPeerGZIP.new()
	if inflater.start_decompression(zlib, GZIP_BUFFER_BYTES) != OK:
		_refuse(GrpcStatus.Code.INTERNAL, "the engine cannot decompress now")
		return null
	# One byte more than there is: a whole stream leaves it untouched, a torn one takes it.
	var source: PackedByteArray = body + PackedByteArray([0])
	var message: PackedByteArray = PackedByteArray()
	var at: int = 0
	while true:
		var put: Array = inflater.put_partial_data(source.slice(at, at + GZIP_BUFFER_BYTES))
		if put[0] != OK:
			_refuse(GrpcStatus.Code.INTERNAL, "broken %s data in a message" % encoding)
			return null
		var moved: int = put[1]
		at += moved
		var waiting: int = inflater.get_available_bytes()
		if waiting > 0:
			if message.size() + waiting > _max_bytes:
				_refuse(GrpcStatus.Code.RESOURCE_EXHAUSTED,
						"message of more than %d bytes after decompression" % _max_bytes)
				return null
			var part: Array = inflater.get_partial_data(waiting)
			var bytes: PackedByteArray = part[1]
			message.append_array(bytes)
		elif moved == 0 or at == source.size():
			break
	if at != body.size():
		_refuse(GrpcStatus.Code.INTERNAL, "%s data of a message ends early or has bytes behind it" % encoding)
		return null
	return message
