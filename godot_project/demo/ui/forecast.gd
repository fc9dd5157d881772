extends RefCounted
## What a card's text tells in numbers: which of them a battle has changed, and what the card would do to its target.
##
## It reads the wording of the sample pack: "Deal 6 damage", "Deal 3 damage 2 times", "Strip off all of the target's
## armor".

## How a number stands to the one that is printed on the card.
enum Change { NONE, BETTER, WORSE }

const Forecast = preload("forecast.gd")

const DAMAGE: String = "Deal (\\d+) damage(?: (\\d+) times)?"
const STRIPS: String = "Strip off all of the target's armor"
const ONCE_MORE: String = "once more if the target has armor"
## Before a number of which less is better.
const COSTLY: PackedStringArray = ["Lose ", "lose ", "you take "]

## HP that the target would lose.
var hp: int = 0
## Armor that it would lose.
var armor: int = 0


## What a card with [param text], as it reads for this target, would take of one that has [param armor_before] and
## [param hp_before]; null when the text tells of no damage.
static func of(text: String, hp_before: int, armor_before: int) -> Forecast:
	var found: RegExMatch = RegEx.create_from_string(DAMAGE).search(text)
	if found == null:
		return null
	var hits: int = found.get_string(2).to_int() if not found.get_string(2).is_empty() else 1
	if armor_before > 0 and text.contains(ONCE_MORE):
		hits += 1
	var total: int = found.get_string(1).to_int() * hits
	var forecast: Forecast = Forecast.new()
	var standing: int = 0 if text.contains(STRIPS) else armor_before
	forecast.armor = armor_before - maxi(standing - total, 0)
	forecast.hp = mini(maxi(total - standing, 0), hp_before)
	return forecast


## [param words] in pieces, each with how its number stands to that of [param printed]: [code][text, change][/code].
static func pieces(words: String, printed: String) -> Array[Array]:
	var numbers: RegEx = RegEx.create_from_string("\\b(\\d+|X)\\b")
	var live: Array[RegExMatch] = numbers.search_all(words)
	var usual: Array[RegExMatch] = numbers.search_all(printed)
	if live.size() != usual.size():
		return [[words, Change.NONE]]
	var found: Array[Array] = []
	var at: int = 0
	for index: int in range(live.size()):
		var before: String = words.substr(at, live[index].get_start() - at)
		found.push_back([before, Change.NONE])
		found.push_back([live[index].get_string(), _change(live[index].get_string(), usual[index].get_string(),
				before)])
		at = live[index].get_end()
	found.push_back([words.substr(at), Change.NONE])
	return found


static func _change(live: String, usual: String, before: String) -> Change:
	if live == usual or not live.is_valid_int() or not usual.is_valid_int():
		return Change.NONE
	var more: bool = live.to_int() > usual.to_int()
	for words: String in COSTLY:
		if before.ends_with(words):
			more = not more
	return Change.BETTER if more else Change.WORSE
