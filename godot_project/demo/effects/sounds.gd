extends Node
## What the demo sounds like, made here by computation: no recordings. Silent when [member on] is false.

const RATE: int = 22050
## How many sounds may be heard at once.
const VOICES: int = 6
const SEA_SECONDS: float = 8.0
const SEA_DB: float = -26.0
## By name: the tones, each as pitch in Hz at its start and its end, seconds, and how much of it is noise, from 0 to 1.
const SOUNDS: Dictionary[String, Array] = {
	"draw": [[900.0, 1400.0, 0.06, 0.8]],
	"play": [[300.0, 520.0, 0.12, 0.5]],
	"hit": [[190.0, 60.0, 0.2, 0.55]],
	"block": [[420.0, 380.0, 0.09, 0.2], [640.0, 600.0, 0.1, 0.1]],
	"armor": [[520.0, 560.0, 0.08, 0.1], [780.0, 800.0, 0.12, 0.05]],
	"heal": [[523.0, 523.0, 0.1, 0.0], [659.0, 659.0, 0.1, 0.0], [784.0, 784.0, 0.16, 0.0]],
	"hurt": [[240.0, 110.0, 0.22, 0.4]],
	"status": [[700.0, 880.0, 0.07, 0.05]],
	"death": [[220.0, 45.0, 0.55, 0.6]],
	"turn": [[392.0, 392.0, 0.1, 0.0], [523.0, 523.0, 0.18, 0.0]],
	"enemy": [[196.0, 196.0, 0.12, 0.1], [147.0, 147.0, 0.22, 0.1]],
	"thunder": [[90.0, 30.0, 1.1, 0.95]],
	"refused": [[160.0, 150.0, 0.12, 0.1]],
	"boss": [[98.0, 98.0, 0.3, 0.15], [92.5, 92.5, 0.3, 0.15], [65.4, 60.0, 0.9, 0.3]],
	"won": [[392.0, 392.0, 0.13, 0.0], [523.0, 523.0, 0.13, 0.0], [659.0, 659.0, 0.13, 0.0], [784.0, 784.0, 0.5, 0.0]],
	"lost": [[330.0, 330.0, 0.3, 0.02], [294.0, 294.0, 0.3, 0.02], [247.0, 247.0, 0.3, 0.02],
			[196.0, 180.0, 1.0, 0.05]],
}

## Whether anything is heard.
var on: bool = true:
	set(value):
		on = value
		_listen()

var _streams: Dictionary[String, AudioStreamWAV] = {}
var _voices: Array[AudioStreamPlayer] = []
var _next: int = 0
var _sea: AudioStreamPlayer = AudioStreamPlayer.new()


func _ready() -> void:
	for _number: int in range(VOICES):
		var voice: AudioStreamPlayer = AudioStreamPlayer.new()
		voice.volume_db = -9.0
		add_child(voice)
		_voices.push_back(voice)
	_sea.stream = _make_sea()
	_sea.volume_db = SEA_DB
	add_child(_sea)
	_listen()


## Plays the sound [param sound], a key of [constant SOUNDS].
func play(sound: String) -> void:
	if not on or not is_inside_tree():
		return
	var voice: AudioStreamPlayer = _voices[_next]
	_next = (_next + 1) % VOICES
	voice.stream = stream_of(sound)
	voice.play()


## The sound [param sound]; made when it is first wanted.
func stream_of(sound: String) -> AudioStreamWAV:
	if not _streams.has(sound):
		var samples: PackedFloat32Array = []
		for tone: Array in SOUNDS[sound]:
			var from: float = tone[0]
			var to: float = tone[1]
			var seconds: float = tone[2]
			var noise: float = tone[3]
			samples.append_array(_tone(from, to, seconds, noise))
		_streams[sound] = _wav(samples)
	return _streams[sound]


## The sounds that are being played, the sea aside.
func playing() -> int:
	return _voices.filter(func(voice: AudioStreamPlayer) -> bool: return voice.playing).size()


func _listen() -> void:
	if not is_inside_tree() or _voices.is_empty():
		return
	if on and not _sea.playing:
		_sea.play()
	elif not on:
		_sea.stop()
		for voice: AudioStreamPlayer in _voices:
			voice.stop()


## A tone that glides from one pitch to another and dies away, with an overtone and noise.
static func _tone(from: float, to: float, seconds: float, noise: float) -> PackedFloat32Array:
	var samples: PackedFloat32Array = []
	var count: int = int(seconds * RATE)
	samples.resize(count)
	var phase: float = 0.0
	var hiss: float = 0.0
	for index: int in range(count):
		var share: float = float(index) / count
		phase += TAU * lerpf(from, to, share) / RATE
		hiss = lerpf(hiss, randf_range(-1.0, 1.0), 0.35)
		var loudness: float = minf(index / 60.0, 1.0) * (1.0 - share) * (1.0 - share)
		samples[index] = loudness * ((1.0 - noise) * (sin(phase) * 0.7 + sin(phase * 2.0) * 0.2) + noise * hiss)
	return samples


## Waves that come and go; its end goes over into its beginning.
static func _make_sea() -> AudioStreamWAV:
	var samples: PackedFloat32Array = []
	var count: int = int(SEA_SECONDS * RATE)
	samples.resize(count)
	var low: float = 0.0
	for index: int in range(count):
		low = lerpf(low, randf_range(-1.0, 1.0), 0.06)
		samples[index] = low * (0.55 - 0.45 * cos(TAU * index / count))
	var sea: AudioStreamWAV = _wav(samples)
	sea.loop_mode = AudioStreamWAV.LOOP_FORWARD
	sea.loop_end = count
	return sea


static func _wav(samples: PackedFloat32Array) -> AudioStreamWAV:
	var bytes: PackedByteArray = []
	bytes.resize(samples.size() * 2)
	for index: int in range(samples.size()):
		bytes.encode_s16(index * 2, int(clampf(samples[index], -1.0, 1.0) * 32_000.0))
	var stream: AudioStreamWAV = AudioStreamWAV.new()
	stream.format = AudioStreamWAV.FORMAT_16_BITS
	stream.mix_rate = RATE
	stream.data = bytes
	return stream
