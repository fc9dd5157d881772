extends Control
## A question of the battle: pick cards or one of several options. It stays until the answer is sent.

const CardView = preload("../cards/card_view.gd")
const Catalog = preload("../ui/catalog.gd")

const WIDEST: float = 880.0
const NARROWEST: float = 520.0
const ITEM_GAP: float = 20.0

@onready var _prompt: Label = %Prompt
@onready var _hint: Label = %Hint
@onready var _items: HFlowContainer = %Items
@onready var _scroll: ScrollContainer = %Scroll
@onready var _confirm: Button = %Confirm

var _choice: GcsV1Battle.Choice = null
var _picked: Array[String] = []


func _ready() -> void:
	_confirm.pressed.connect(_on_confirm)
	resized.connect(_fit)
	_items.minimum_size_changed.connect(_fit)


## Asks [param choice].
func open(choice: GcsV1Battle.Choice, state: GcsBattleState, catalog: Catalog) -> void:
	_choice = choice
	_picked.clear()
	_prompt.text = choice.prompt if not choice.prompt.is_empty() else "Choose"
	for child: Node in _items.get_children():
		_items.remove_child(child)
		child.queue_free()
	_confirm.visible = choice.kind == "card"
	_hint.visible = choice.kind == "card"
	if choice.kind == "card":
		for id: String in choice.cards:
			_add_card(state.card_of(id), catalog)
	else:
		for index: int in range(choice.options.size()):
			_add_option(index, choice.options[index])
	_refresh()
	_fit()
	show()
	var first: Control = _items.get_child(0)
	first.grab_focus()


func _add_card(card: GcsCard, catalog: Catalog) -> void:
	var view: CardView = CardView.new()
	view.show_card(card, catalog)
	view.offer()
	view.chosen.connect(_toggle.bind(view))
	_items.add_child(view)


func _add_option(index: int, text: String) -> void:
	var button: Button = Button.new()
	button.text = text
	button.custom_minimum_size = Vector2(220, 52)
	button.pressed.connect(func() -> void:
		hide()
		Gcs.choose_option(index))
	_items.add_child(button)


func _toggle(view: CardView) -> void:
	if view.card.id in _picked:
		_picked.erase(view.card.id)
	elif _picked.size() < _choice.max:
		_picked.push_back(view.card.id)
	elif _choice.max == 1:
		_picked = [view.card.id]
	_refresh()


func _refresh() -> void:
	for child: Node in _items.get_children():
		var view: CardView = child as CardView
		if view != null:
			view.selected = view.card.id in _picked
	_confirm.disabled = _picked.size() < _choice.min or _picked.size() > _choice.max
	var wanted: String = str(_choice.max) if _choice.min == _choice.max else "%d to %d" % [_choice.min, _choice.max]
	_hint.text = "Pick %s · %d picked" % [wanted, _picked.size()]


## As high as its cards, as far as the screen allows; more are scrolled to.
func _fit() -> void:
	var wanted: float = ITEM_GAP
	for item: Control in _items.get_children():
		wanted += item.get_combined_minimum_size().x + ITEM_GAP
	_items.custom_minimum_size.x = minf(clampf(wanted, NARROWEST, WIDEST), size.x - 140.0)
	_scroll.custom_minimum_size = Vector2(_items.custom_minimum_size.x + 16.0,
			minf(_items.get_combined_minimum_size().y + 24.0, size.y - 220.0))


func _on_confirm() -> void:
	hide()
	Gcs.choose_cards(_picked)
