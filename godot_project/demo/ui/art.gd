extends RefCounted
## The demo's pictures by name.

const GLYPHS: String = "res://demo/art/glyphs/%s.svg"
const CARDS: String = "res://demo/art/cards/%s.svg"
const FIGURES: String = "res://demo/art/figures/%s.svg"
const SCENES: String = "res://demo/art/scenes/%s.svg"

## What was loaded: a picture that only a draw call refers to would be gone before it is drawn.
static var _kept: Dictionary[String, Texture2D] = {}


## A white glyph, to be tinted; a plain disc for a name without one.
static func glyph(name: String) -> Texture2D:
	return _load(GLYPHS, name, "disc")


## Whether there is a glyph of that name.
static func has_glyph(name: String) -> bool:
	return not name.is_empty() and ResourceLoader.exists(GLYPHS % name)


## The picture of a card, which an upgraded one shares with the card that it came from; null for a card without one.
static func card(id: String) -> Texture2D:
	var plain: String = id.trim_suffix("_plus")
	return _load(CARDS, plain, plain) if ResourceLoader.exists(CARDS % plain) else null


## An enemy's figure in greys, to be tinted.
static func figure(name: String) -> Texture2D:
	return _load(FIGURES, name, "unknown")


## A back-drop.
static func scene(name: String) -> Texture2D:
	return _load(SCENES, name, "beach")


static func _load(folder: String, name: String, otherwise: String) -> Texture2D:
	var path: String = folder % name
	if not _kept.has(path):
		_kept[path] = load(path if not name.is_empty() and ResourceLoader.exists(path) else folder % otherwise)
	return _kept[path]
