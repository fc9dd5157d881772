extends Control
## The least that plays a battle: text, a button for each card, one for the end of the turn. Aims at the first enemy.

var _text: Label = Label.new()
var _buttons: HFlowContainer = HFlowContainer.new()


func _ready() -> void:
	var rows: VBoxContainer = VBoxContainer.new()
	add_child(rows)
	rows.set_anchors_and_offsets_preset(Control.PRESET_FULL_RECT, Control.PRESET_MODE_MINSIZE, 24)
	rows.add_child(_text)
	rows.add_child(_buttons)
	Gcs.connection_changed.connect(func(_connection: GcsClient.Connection, reason: String) -> void: _text.text = reason)
	Gcs.state_changed.connect(_show_state)
	Gcs.action_rejected.connect(func(rejection: GcsV1Battle.Rejection) -> void: _text.text += "\n" + rejection.message)
	Gcs.connect_to_server()
	Gcs.start_battle("starter", "first_fight")


func _show_state(state: GcsBattleState) -> void:
	_text.text = "Turn %d, energy %d\n" % [state.turn, state.energy]
	for unit: GcsUnit in state.units:
		_text.text += "%s: %d/%d HP, %d armor" % [unit.id, unit.hp, unit.max_hp, unit.armor]
		for status: String in unit.statuses:
			_text.text += ", %s %d" % [status, unit.statuses[status]]
		_text.text += " - intends %s %d\n" % [unit.intent.kind, unit.intent.amount] if unit.intent != null else "\n"
	for button: Node in _buttons.get_children():
		button.queue_free()
	if state.choice != null:
		for id: String in state.choice.cards:
			_add_button(state.card_of(id).card_id, func() -> void: Gcs.choose_cards([id]))
		for index: int in range(state.choice.options.size()):
			_add_button(state.choice.options[index], func() -> void: Gcs.choose_option(index))
	elif not state.is_running():
		var outcome: String = GcsV1Battle.Outcome.find_key(state.outcome)
		_text.text += "The battle is over: %s" % outcome.trim_prefix("OUTCOME_").to_lower()
		_add_button("again", func() -> void: Gcs.start_battle("starter", "first_fight"))
	else:
		for card: GcsCard in state.hand_cards():
			var target: String = card.targets[0] if card.needs_target() else ""
			_add_button("%s (%d)\n%s" % [card.card_id, card.cost, card.text],
					func() -> void: Gcs.play_card(card.id, target), not card.playable)
		_add_button("end turn", func() -> void: Gcs.end_turn())


func _add_button(text: String, pressed: Callable, disabled: bool = false) -> void:
	var button: Button = Button.new()
	button.text = text
	button.disabled = disabled
	button.pressed.connect(pressed)
	_buttons.add_child(button)
