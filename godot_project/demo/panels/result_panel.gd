extends Control
## How the battle ended, the reward on a win, and what to do next.

## The same encounter once more, with other draws.
signal retry_pressed()
## The same encounter once more, card for card.
signal same_seed_pressed()
## The encounter that follows.
signal continue_pressed()
## The encounter menu.
signal menu_pressed()
## The player picked [param card], an asset id, as a reward.
signal reward_picked(card: String)

const CardView = preload("../cards/card_view.gd")
const Catalog = preload("../ui/catalog.gd")
const Motion = preload("../ui/motion.gd")
const Palette = preload("../ui/palette.gd")

@onready var _title: Label = %Title
@onready var _summary: Label = %Summary
@onready var _reward: Control = %Reward
@onready var _reward_title: Label = %RewardTitle
@onready var _reward_cards: HBoxContainer = %RewardCards
@onready var _retry: Button = %Retry
@onready var _same_seed: Button = %SameSeed
@onready var _continue: Button = %Continue
@onready var _menu: Button = %Menu

var _left_to_pick: int = 0
var _picked: PackedStringArray = []


func _ready() -> void:
	_retry.pressed.connect(func() -> void: retry_pressed.emit())
	_same_seed.pressed.connect(func() -> void: same_seed_pressed.emit())
	_continue.pressed.connect(func() -> void: continue_pressed.emit())
	_menu.pressed.connect(func() -> void: menu_pressed.emit())


## Shows [param result]; with [param workings] the seed, too.
func open(result: GcsV1Battle.Result, state: GcsBattleState, catalog: Catalog, workings: bool) -> void:
	match result.outcome:
		GcsV1Battle.Outcome.OUTCOME_WON:
			_tell("Victory", Palette.LAMP)
		GcsV1Battle.Outcome.OUTCOME_LOST:
			_tell("The light goes out", Palette.HARM)
		_:
			_tell("The battle was ended", Palette.TEXT)
	var won: bool = result.outcome == GcsV1Battle.Outcome.OUTCOME_WON
	_summary.text = "%s · turn %d" % [catalog.name_of("encounters", state.encounter), state.turn]
	if won:
		_summary.text += " · %d HP left" % result.hp
	if workings:
		_summary.text += " · seed %s" % GcsSeed.to_text(state.seed)
	_retry.visible = not won
	_continue.visible = won
	_same_seed.visible = workings
	_offer_reward(result.reward if result.has_reward() else null, catalog)
	show()
	if not Motion.calm:
		modulate.a = 0.0
		create_tween().tween_property(self, "modulate:a", 1.0, 0.35)
	if _reward.visible:
		(_reward_cards.get_child(0) as Control).grab_focus()
	else:
		_next().grab_focus()


func _tell(title: String, color: Color) -> void:
	_title.text = title
	_title.add_theme_color_override("font_color", color)


func _offer_reward(reward: GcsV1Battle.Reward, catalog: Catalog) -> void:
	for child: Node in _reward_cards.get_children():
		_reward_cards.remove_child(child)
		child.queue_free()
	_reward.visible = reward != null and not reward.cards.is_empty()
	_lead_on(not _reward.visible)
	if not _reward.visible:
		return
	_picked.clear()
	_left_to_pick = reward.choose
	_reward_title.text = _question()
	for card: String in reward.cards:
		var view: CardView = CardView.new()
		view.show_asset(card, catalog)
		view.offer()
		view.chosen.connect(_pick.bind(view, card, catalog))
		_reward_cards.add_child(view)


func _pick(picked: CardView, card: String, catalog: Catalog) -> void:
	if _left_to_pick == 0 or picked.selected:
		return
	_left_to_pick -= 1
	_picked.push_back(catalog.name_of("cards", card))
	picked.selected = true
	_reward_title.text = "Joins your deck: %s" % ", ".join(_picked) if _left_to_pick == 0 else _question()
	reward_picked.emit(card)
	if _left_to_pick > 0:
		return
	_lead_on(true)
	for view: CardView in _reward_cards.get_children():
		view.focus_mode = Control.FOCUS_NONE
		if not view.selected:
			view.create_tween().tween_property(view, "modulate", Palette.FADED, 0.25)
	_next().grab_focus()


## Whether all that was to be picked is; to go on without it is to skip it.
func _lead_on(picked: bool) -> void:
	_continue.text = "Continue" if picked else "Skip"
	_continue.theme_type_variation = &"PrimaryButton" if picked else &""


## The button that leads on.
func _next() -> Button:
	return _continue if _continue.visible else _retry


func _question() -> String:
	return "Choose a card as your reward" if _left_to_pick == 1 else "Choose %d cards as your reward" % _left_to_pick
