extends RefCounted
## What a pack's assets look like: names, texts, pictures and colours by asset id, as the server tells them.
##
## What the pack does not say is made up from the id, so that any pack can be played.

const TYPE_COLORS: Dictionary[String, String] = {"attack": "#c8513f", "skill": "#3f7fa8", "power": "#c9952f",
		"curse": "#6b4a7d"}
const PLAIN: String = "#5d7a8a"
## Behind every order that a pack gives.
const LAST: float = 1_000_000.0

## The pack's id.
var pack: String = ""
## Its name.
var title: String = ""

## By kind (cards, statuses, enemies, encounters, events), then by id: field to text.
var _assets: Dictionary[String, Dictionary] = {}
## Cards of each deck, by deck id.
var _decks: Dictionary[String, Array] = {}


## Takes over what [param response] tells.
func read(response: GcsV1Content.GetPackResponse) -> void:
	pack = response.id
	title = response.name
	_assets.clear()
	_decks.clear()
	for card: GcsV1Content.CardInfo in response.cards:
		_add("cards", card.id, card.name, card.extra_json, {
			"text": card.text, "type": card.type,
			"cost": "X" if card.is_x else "" if "unplayable" in card.keywords else str(card.cost)})
	for status: GcsV1Content.StatusInfo in response.statuses:
		_add("statuses", status.id, status.name, status.extra_json, {"text": status.text, "type": status.kind})
	for enemy: GcsV1Content.EnemyInfo in response.enemies:
		_add("enemies", enemy.id, enemy.name, enemy.extra_json, {"text": enemy.text})
	for encounter: GcsV1Content.EncounterInfo in response.encounters:
		_add("encounters", encounter.id, encounter.name, encounter.extra_json, {
			"enemies": ", ".join(encounter.enemies), "deck": encounter.deck})
	for deck: GcsV1Content.DeckInfo in response.decks:
		_decks[deck.id] = deck.cards
	for event: GcsV1Ges.GesEvent in response.events:
		_add("events", event.id, event.name, event.extra_json, {
			"guid": event.guid, "category": event.category, "argument": event.argument})


## The name that players read of an asset of [param kind] (cards, statuses, enemies, encounters, events).
func name_of(kind: String, id: String) -> String:
	return field_of(kind, id, "name", id.capitalize())


## Its text, empty when it has none.
func text_of(kind: String, id: String) -> String:
	return field_of(kind, id, "text")


## Its type, such as attack or skill for a card, buff or debuff for a status.
func type_of(kind: String, id: String) -> String:
	return field_of(kind, id, "type")


## The name of its picture in [code]demo/art[/code].
func art_of(kind: String, id: String) -> String:
	return field_of(kind, id, "art")


## Its colour.
func color_of(kind: String, id: String) -> Color:
	var usual: String = TYPE_COLORS.get(type_of(kind, id), PLAIN)
	return Color(field_of(kind, id, "color", usual))


## Any field of it as text, or [param otherwise].
func field_of(kind: String, id: String, field: String, otherwise: String = "") -> String:
	var assets: Dictionary = _assets.get(kind, {})
	var asset: Dictionary = assets.get(id, {})
	return asset.get(field, otherwise)


## The ids of all assets of a kind, in the order that their field [code]order[/code] tells; those without one come last.
func ids_of(kind: String) -> Array[String]:
	var assets: Dictionary = _assets.get(kind, {})
	var ids: Array[String] = []
	ids.assign(assets.keys())
	var places: Dictionary[String, float] = {}
	for index: int in range(ids.size()):
		places[ids[index]] = field_of(kind, ids[index], "order", str(LAST + index)).to_float()
	ids.sort_custom(func(left: String, right: String) -> bool: return places[left] < places[right])
	return ids


## Whom [param encounter] announces, and a line about it; empty unless the pack marks it as a boss.
func opening_of(encounter: String) -> PackedStringArray:
	if field_of("encounters", encounter, "boss") != "true":
		return []
	var enemy: String = field_of("encounters", encounter, "enemies").get_slice(", ", 0)
	return [name_of("enemies", enemy), text_of("enemies", enemy)]


## The cards of the deck that [param encounter] is played with.
func deck_of(encounter: String) -> Array[String]:
	var cards: Array[String] = []
	var deck: Array = _decks.get(field_of("encounters", encounter, "deck"), [])
	cards.assign(deck)
	return cards


func _add(kind: String, id: String, asset_name: String, extra_json: String, fields: Dictionary) -> void:
	var extra: Variant = JSON.parse_string(extra_json) if not extra_json.is_empty() else null
	if typeof(extra) == TYPE_DICTIONARY:
		var free: Dictionary = extra
		for field: String in free:
			fields[field] = str(free[field])
	if not asset_name.is_empty():
		fields["name"] = asset_name
	if not _assets.has(kind):
		_assets[kind] = {}
	_assets[kind][id] = fields
