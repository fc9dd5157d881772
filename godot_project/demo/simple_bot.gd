extends RefCounted
## Plays by a fixed policy: the leftmost playable card on the weakest enemy it may target, else the end of the turn. The
## same battle with the same seed always goes the same way.


## The next action, sent with [param client]; null when there is nothing to do.
static func act(client: GcsClient) -> GcsAction:
	var state: GcsBattleState = client.state
	if not state.is_running():
		return null
	if state.choice != null:
		return _answer(client, state.choice)
	for card: GcsCard in state.hand_cards():
		if card.playable:
			return client.play_card(card.id, _target(state, card))
	return client.end_turn()


static func _answer(client: GcsClient, choice: GcsV1Battle.Choice) -> GcsAction:
	if choice.kind == "option":
		return client.choose_option(0)
	return client.choose_cards(choice.cards.slice(0, maxi(choice.min, mini(1, choice.max))))


static func _target(state: GcsBattleState, card: GcsCard) -> String:
	var weakest: GcsUnit = null
	for id: String in card.targets:
		var unit: GcsUnit = state.unit_of(id)
		if unit == null or (unit.is_player() and card.targets.size() > 1):
			continue
		if weakest == null or unit.hp < weakest.hp:
			weakest = unit
	return weakest.id if weakest != null else ""
