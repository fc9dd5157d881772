extends RefCounted
## Bytes on their way to the peer, bounded.

## DATA is put into frames and streams are opened while less than this waits.
const TARGET_BYTES: int = 65_536
## More than this waiting means that the peer makes us answer and does not read the answers.
const MAX_BYTES: int = 262_144

## True once an answer did not fit.
var overflowed: bool = false

var _bytes: PackedByteArray = PackedByteArray()
var _from: int = 0


## Appends what the client sends on its own account, while [method has_room] says so.
func append(bytes: PackedByteArray) -> void:
	_bytes.append_array(bytes)


## Appends a frame that answers the peer or steers the connection.
func append_control(frame: PackedByteArray) -> void:
	if size() + frame.size() > MAX_BYTES:
		overflowed = true
	else:
		_bytes.append_array(frame)


## Bytes that wait.
func size() -> int:
	return _bytes.size() - _from


## True while less than [constant TARGET_BYTES] waits.
func has_room() -> bool:
	return size() < TARGET_BYTES


## The bytes that wait. Call [method taken] with how many were written.
func waiting() -> PackedByteArray:
	return _bytes if _from == 0 else _bytes.slice(_from)


## Drops the first [param count] bytes.
func taken(count: int) -> void:
	_from += count
	if _from == _bytes.size():
		_bytes = PackedByteArray()
		_from = 0
	elif _from >= TARGET_BYTES:
		_bytes = _bytes.slice(_from)
		_from = 0
