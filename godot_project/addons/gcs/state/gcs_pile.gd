@icon("../icons/pile.svg")
class_name GcsPile
extends RefCounted
## The hand, the draw, the discard or the exhaust pile of a battle, kept current by [GcsBattleState].

## Its size, its cards or their order changed.
signal changed()

## Which pile.
var pile: GcsV1Battle.Pile = GcsV1Battle.Pile.PILE_UNSPECIFIED
## How many cards lie in it.
var size: int = 0
## The instances in it: the hand from left to right, the others top first. Empty for a hidden draw pile.
var cards: Array[String] = []
## Asset ids of the cards of a hidden draw pile, sorted; empty for other piles.
var contents: Array[String] = []


func _init(which: GcsV1Battle.Pile) -> void:
	pile = which


func _take(state: GcsV1Battle.PileState) -> void:
	if size == state.size and cards == state.cards and contents == state.contents:
		return
	size = state.size
	cards = state.cards.duplicate()
	contents = state.contents.duplicate()
	changed.emit()


## Puts a card in; an empty id is one that the player may not know.
func _put(card: String, index: int) -> void:
	size += 1
	if not card.is_empty():
		cards.insert(clampi(index, 0, cards.size()), card)
	changed.emit()


func _remove(card: String) -> void:
	size = maxi(size - 1, 0)
	cards.erase(card)
	changed.emit()
