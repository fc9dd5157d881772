extends Control
## The cards of a pile, laid out.

const CardView = preload("../cards/card_view.gd")
const Catalog = preload("../ui/catalog.gd")

const WIDEST: float = 920.0

@onready var _title: Label = %Title
@onready var _note: Label = %Note
@onready var _cards: HFlowContainer = %Cards
@onready var _scroll: ScrollContainer = %Scroll
@onready var _close: Button = %Close


func _ready() -> void:
	_close.pressed.connect(hide)
	resized.connect(_fit)
	_cards.minimum_size_changed.connect(_fit)


## Shows the cards of [param pile], whose name is [param title].
func open(title: String, pile: GcsPile, state: GcsBattleState, catalog: Catalog) -> void:
	_title.text = "%s · %d" % [title, pile.size]
	for child: Node in _cards.get_children():
		child.queue_free()
	for id: String in pile.cards:
		var view: CardView = CardView.new()
		view.show_card(state.card_of(id), catalog)
		_cards.add_child(view)
	for asset: String in pile.contents:
		var view: CardView = CardView.new()
		view.show_asset(asset, catalog)
		_cards.add_child(view)
	if pile.size == 0:
		_note.text = "It is empty."
	else:
		var is_hidden: bool = not pile.contents.is_empty()
		_note.text = "The top card comes first."
		if is_hidden:
			_note.text = "In no particular order: what you draw next stays hidden."
	show()
	_close.grab_focus()


## As high as its cards, as far as the screen allows; more are scrolled to.
func _fit() -> void:
	_scroll.custom_minimum_size = Vector2(minf(WIDEST, size.x - 100.0),
			minf(_cards.get_combined_minimum_size().y + 24.0, size.y - 220.0))
