@icon("../icons/card.svg")
class_name GcsCard
extends RefCounted
## One card instance of a battle, kept current by [GcsBattleState].

## Its text, cost, place or whether it can be played changed.
signal changed()

const CardReasons = preload("card_reasons.gd")

## The instance's id, [code]c0[/code], [code]c1[/code] and so on. Never used again within a battle.
var id: String = ""
## The card's asset id; changes when the card is upgraded.
var card_id: String = ""
## Where it is.
var pile: GcsV1Battle.Pile = GcsV1Battle.Pile.PILE_UNSPECIFIED
## The cost as shown, after hooks; for a cost of x the current energy. Only told for cards in hand.
var cost: int = 0
## Whether its cost is x.
var is_x: bool = false
## Whether it can be played now. Only told for cards in hand.
var playable: bool = false
## Why it cannot be played now; unspecified when it can.
var unplayable_reason: GcsV1Battle.RejectionReason = GcsV1Battle.RejectionReason.REJECTION_REASON_UNSPECIFIED
## Keywords in force: exhaust, ethereal, retain, innate, unplayable, power.
var keywords: Array[String] = []
## Its text with live numbers.
var text: String = ""
## The units that it can be played on; empty when it takes no target.
var targets: Array[String] = []


## Whether a target has to be named to play it.
func needs_target() -> bool:
	return not targets.is_empty()


## [member unplayable_reason] in plain words; empty when it can be played.
func why_unplayable() -> String:
	if unplayable_reason == GcsV1Battle.RejectionReason.REJECTION_REASON_UNSPECIFIED:
		return ""
	if CardReasons.TEXTS.has(unplayable_reason):
		return CardReasons.TEXTS[unplayable_reason]
	var reason: String = GcsV1Battle.RejectionReason.find_key(unplayable_reason)
	return reason.trim_prefix("REJECTION_REASON_").to_lower().replace("_", " ")


func _to_string() -> String:
	return "%s (%s)" % [card_id, id]


## Takes over the whole of [param state].
func _take(state: GcsV1Battle.CardState) -> void:
	id = state.id
	card_id = state.card_id
	pile = state.pile
	cost = state.cost
	is_x = state.is_x
	playable = state.playable
	unplayable_reason = state.unplayable_reason
	keywords = state.keywords.duplicate()
	text = state.text
	targets = state.targets.duplicate()
	changed.emit()
