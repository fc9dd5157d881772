@icon("../icons/unit.svg")
class_name GcsUnit
extends RefCounted
## The player or one enemy of a battle, kept current by [GcsBattleState].
##
## Its signals tell what a scene has to redraw. While the events of an action are shown one by one, the values follow
## them.

## HP or its maximum changed.
signal hp_changed(before: int, after: int)
## Armor changed.
signal armor_changed(before: int, after: int)
## The stacks of a status changed. [param before] 0: it is new. [param after] 0: it is gone.
signal stacks_changed(status: String, before: int, after: int)
## The planned intent, or the numbers that it shows, changed; null when there is none.
signal intent_changed(intent: GcsV1Battle.Intent)
## It died.
signal died()
## Something about it changed; comes after the signals above.
signal changed()

## [code]player[/code], [code]enemy0[/code], [code]enemy1[/code] and so on. Never used again within a battle.
var id: String = ""
## The enemy's asset id; empty for the player.
var enemy: String = ""
## HP now.
var hp: int = 0
## The most HP it can have.
var max_hp: int = 0
## Armor now.
var armor: int = 0
## Whether it lives. A dead unit keeps its place in [member GcsBattleState.units].
var alive: bool = true
## Stacks by status id, in the order first applied.
var statuses: Dictionary[String, int] = {}
## What an enemy will do; null for the player, for the dead and for enemies without an intent.
var intent: GcsV1Battle.Intent = null
## Its variables that are not 0.
var variables: Dictionary[String, int] = {}


## Whether this is the player.
func is_player() -> bool:
	return id == "player"


## How many stacks of [param status] it carries; 0 for none.
func stacks_of(status: String) -> int:
	return statuses.get(status, 0)


func _to_string() -> String:
	return "%s %d/%d" % [id, hp, max_hp]


func _set_hp(to_hp: int, to_max: int) -> void:
	if hp == to_hp and max_hp == to_max:
		return
	var before: int = hp
	hp = to_hp
	max_hp = to_max
	hp_changed.emit(before, hp)
	changed.emit()


func _set_armor(to_armor: int) -> void:
	if armor == to_armor:
		return
	var before: int = armor
	armor = to_armor
	armor_changed.emit(before, armor)
	changed.emit()


func _set_stacks(status: String, to_stacks: int) -> void:
	var before: int = stacks_of(status)
	if before == to_stacks:
		return
	if to_stacks == 0:
		statuses.erase(status)
	else:
		statuses[status] = to_stacks
	stacks_changed.emit(status, before, to_stacks)
	changed.emit()


func _set_intent(to_intent: GcsV1Battle.Intent) -> void:
	if intent == to_intent or (intent != null and to_intent != null and intent.equals(to_intent)):
		return
	intent = to_intent
	intent_changed.emit(intent)
	changed.emit()


func _set_alive(to_alive: bool) -> void:
	if alive == to_alive:
		return
	alive = to_alive
	if not alive:
		died.emit()
	changed.emit()


## Takes over the whole of [param unit].
func _take(unit: GcsV1Battle.UnitState) -> void:
	id = unit.id
	enemy = unit.enemy
	variables = unit.variables.duplicate()
	_set_hp(unit.hp, unit.max_hp)
	_set_armor(unit.armor)
	var stacks: Dictionary[String, int] = {}
	for status: GcsV1Battle.StatusState in unit.statuses:
		stacks[status.id] = status.stacks
	for status: String in statuses.keys():
		if not stacks.has(status):
			_set_stacks(status, 0)
	for status: String in stacks:
		_set_stacks(status, stacks[status])
	# The events keep the counts; the order in which statuses were first applied is the server's.
	statuses = stacks
	_set_intent(unit.intent)
	_set_alive(unit.alive)
