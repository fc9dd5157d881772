extends RefCounted
## The cards that the player has won: they join the deck of every battle until the player begins anew.

## A card was won, or all were given back.
signal changed()

const Catalog = preload("catalog.gd")

## Asset ids in the order they were won.
var won: Array[String] = []


## Adds [param card] to the decks to come.
func win(card: String) -> void:
	won.push_back(card)
	changed.emit()


## Gives all back.
func begin_anew() -> void:
	won.clear()
	changed.emit()


## The encounter that comes after [param encounter]; empty after the last.
static func next_after(encounter: String, catalog: Catalog) -> String:
	var ids: Array[String] = catalog.ids_of("encounters")
	var at: int = ids.find(encounter)
	return ids[at + 1] if at >= 0 and at + 1 < ids.size() else ""


## The cards to play [param encounter] with: its own deck and what was won. Empty when nothing was won: the encounter's
## deck.
func deck_for(encounter: String, catalog: Catalog) -> Array[String]:
	var cards: Array[String] = []
	if not won.is_empty():
		cards.append_array(catalog.deck_of(encounter))
		cards.append_array(won)
	return cards
