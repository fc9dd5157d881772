extends RefCounted
## Waits between attempts to connect: exponential, with jitter.

var _options: GrpcChannelOptions
var _random: RandomNumberGenerator = RandomNumberGenerator.new()
var _base_ms: float = 0.0


func _init(options: GrpcChannelOptions, random_seed: int) -> void:
	_options = options
	_random.seed = random_seed


## Milliseconds to wait before the next attempt.
func next_ms() -> int:
	if _base_ms <= 0.0:
		_base_ms = float(_options.backoff_initial_ms)
	else:
		_base_ms = minf(_base_ms * maxf(_options.backoff_multiplier, 1.0), float(_options.backoff_max_ms))
	var share: float = clampf(_options.backoff_jitter, 0.0, 1.0)
	return maxi(1, roundi(_base_ms * (1.0 + _random.randf_range(-share, share))))


## True while no wait was asked for since the start or the last [method reset].
func is_fresh() -> bool:
	return _base_ms <= 0.0


## Starts over, after a connection stood.
func reset() -> void:
	_base_ms = 0.0
