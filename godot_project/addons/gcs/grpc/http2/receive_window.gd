extends RefCounted
## What the peer may still send, on a stream or on the whole connection.

var _size: int
var _left: int
var _free: int = 0


func _init(size: int) -> void:
	_size = size
	_left = size


## Counts bytes that came; false when there are more than the peer was allowed.
func take(bytes: int) -> bool:
	_left -= bytes
	return _left >= 0


## Counts bytes that were dealt with. Returns by how much to raise the peer's window now; 0 while less than half of it
## is free.
func give_back(bytes: int) -> int:
	_free += bytes
	if _free << 1 < _size:
		return 0
	var increment: int = _free
	_left += increment
	_free = 0
	return increment
