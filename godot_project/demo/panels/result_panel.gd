extends Control
## How the battle ended, the reward on a win, and what to do next.

## Another battle of the same encounter.
signal again_pressed()
## The encounter menu.
signal menu_pressed()

const CardView = preload("../cards/card_view.gd")
const Catalog = preload("../ui/catalog.gd")
const Palette = preload("../ui/palette.gd")

@onready var _title: Label = %Title
@onready var _summary: Label = %Summary
@onready var _reward: Control = %Reward
@onready var _reward_title: Label = %RewardTitle
@onready var _reward_cards: HBoxContainer = %RewardCards
@onready var _again: Button = %Again
@onready var _menu: Button = %Menu

var _left_to_pick: int = 0


func _ready() -> void:
	_again.pressed.connect(func() -> void: again_pressed.emit())
	_menu.pressed.connect(func() -> void: menu_pressed.emit())


## Shows [param result].
func open(result: GcsV1Battle.Result, state: GcsBattleState, catalog: Catalog) -> void:
	match result.outcome:
		GcsV1Battle.Outcome.OUTCOME_WON:
			_title.text = "Victory"
			_title.add_theme_color_override("font_color", Palette.LAMP)
		GcsV1Battle.Outcome.OUTCOME_LOST:
			_title.text = "The light goes out"
			_title.add_theme_color_override("font_color", Palette.HARM)
		_:
			_title.text = "The battle was ended"
			_title.add_theme_color_override("font_color", Palette.TEXT)
	_summary.text = "%s · turn %d · %d HP left · seed %d" % [
		catalog.name_of("encounters", state.encounter), state.turn, result.hp, state.seed]
	for child: Node in _reward_cards.get_children():
		child.queue_free()
	_reward.visible = result.has_reward() and not result.reward.cards.is_empty()
	if _reward.visible:
		_left_to_pick = result.reward.choose
		_reward_title.text = "Choose a card as your reward" if _left_to_pick == 1 else "Choose %d cards as your reward" % _left_to_pick
		for card: String in result.reward.cards:
			_offer(card, catalog)
	show()
	modulate.a = 0.0
	create_tween().tween_property(self, "modulate:a", 1.0, 0.35)
	_again.grab_focus()


func _offer(card: String, catalog: Catalog) -> void:
	var view: CardView = CardView.new()
	view.show_asset(card, catalog)
	view.gui_input.connect(func(event: InputEvent) -> void:
		var clicked: bool = event is InputEventMouseButton and event.is_pressed()
		if (clicked or event.is_action_pressed("ui_accept")) and _left_to_pick > 0:
			_pick(view, card, catalog))
	_reward_cards.add_child(view)


func _pick(picked: CardView, card: String, catalog: Catalog) -> void:
	_left_to_pick -= 1
	_reward_title.text = "%s joins your deck" % catalog.name_of("cards", card)
	for view: CardView in _reward_cards.get_children():
		view.focus_mode = Control.FOCUS_NONE
		view.selected = view == picked
		if view != picked and _left_to_pick == 0:
			view.create_tween().tween_property(view, "modulate", Color(0.5, 0.5, 0.5, 0.6), 0.25)
	_again.grab_focus()
