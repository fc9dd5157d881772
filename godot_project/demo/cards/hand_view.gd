extends Control
## The hand, fanned out. Cards glide to their places; those that leave fly to where they went.

## The player wants to play a card.
signal card_picked(view: CardView, by: Picked)
## The mouse was released after a drag, at a place in global coordinates.
signal card_dropped(view: CardView, at: Vector2)
## The mouse or the focus came to a card.
signal card_pointed_at(view: CardView)
## The mouse or the focus left a card.
signal card_pointed_off(view: CardView)

## How the player took a card: with a click, at the start of a drag, or with the key or button that accepts.
enum Picked { CLICK, DRAG, ACCEPT }

const CardView = preload("card_view.gd")
const Catalog = preload("../ui/catalog.gd")

const WIDEST: float = 790.0
## What energy, piles and buttons take of the width on both sides, a card's width included.
const SIDES: float = 556.0
const SPACING: float = 149.0
## Of the outermost cards, as compared with the middle.
const TILT_DEGREES: float = 6.0
const DROOP: float = 10.0
## So many steps from the middle, at least, are the outermost cards: a small hand stays nearly flat.
const FLAT: float = 2.0
const BOTTOM_MARGIN: float = 24.0
## A card that is looked at stands lower, for it is larger: it covers no HP bar.
const HOVER_BOTTOM_MARGIN: float = 8.0
const LIFT: float = 12.0
## A hand of more cards than these is drawn smaller.
const CROWD: int = 7
const CROWDED_SCALE: float = 0.78
const HOVER_SCALE: float = 1.22
const SELECTED_SCALE: float = 1.08
const GLIDE: float = 14.0
const DRAG_START: float = 12.0

## What is left free on both sides, a card's width included.
var sides: float = SIDES
## Whether the player may pick cards; dims nothing by itself.
var active: bool = false:
	set(value):
		active = value
		for view: CardView in views:
			view.dims = value
## The card that follows the mouse; null when none does.
var dragged: CardView = null
## The views from left to right.
var views: Array[CardView] = []
## Where the focus goes from the first card to the left, from the last to the right, and upwards; set by the screen.
var left_of_hand: Control
var right_of_hand: Control
var above_hand: Control
## Where cards come from and go to, by pile; set by the screen.
var pile_places: Dictionary[GcsV1Battle.Pile, Vector2] = {}

var _state: GcsBattleState = null
var _catalog: Catalog = null
var _hovered: CardView = null
var _pressed: CardView = null
## The place in the hand where the focus was last.
var _last_place: int = 0
var _press_at: Vector2 = Vector2.ZERO
## Where the mouse is, in global coordinates, while a button is held.
var _pointer: Vector2 = Vector2.ZERO


func _init() -> void:
	mouse_filter = Control.MOUSE_FILTER_IGNORE


## Shows the hand of [param state] from now on.
func show_hand(state: GcsBattleState, catalog: Catalog) -> void:
	for view: CardView in views:
		view.queue_free()
	views.clear()
	_hovered = null
	_pressed = null
	dragged = null
	_state = state
	_catalog = catalog
	state.hand.changed.connect(refresh)
	refresh()


## Brings the views in line with the hand.
func refresh() -> void:
	var wanted: Array[CardView] = []
	for card: GcsCard in _state.hand_cards():
		var view: CardView = view_of(card.id)
		wanted.push_back(view if view != null else _add(card))
	for view: CardView in views:
		if view not in wanted:
			_send_off(view)
	views = wanted
	for index: int in range(views.size()):
		move_child(views[index], index)
	_chain_focus()


## Lets go of the card that is dragged or about to be, as when the window loses the focus.
func let_go() -> void:
	_pressed = null
	dragged = null


## Gives the card the focus that lies at [param place], counted from the left; nothing when there is none.
func focus_card(place: int) -> void:
	if place < views.size():
		views[place].grab_focus()


## The card that lies where the focus was last, or near to it; null for an empty hand.
func card_to_focus() -> CardView:
	return views[mini(_last_place, views.size() - 1)] if not views.is_empty() else null


## The view of a card in hand; null when it shows none.
func view_of(card: String) -> CardView:
	for view: CardView in views:
		if view.card.id == card:
			return view
	return null


func _add(card: GcsCard) -> CardView:
	var view: CardView = CardView.new()
	view.show_card(card, _catalog)
	view.dims = active
	view.scale = Vector2.ONE * 0.3
	view.position = pile_places.get(GcsV1Battle.Pile.PILE_DRAW, size / 2.0) - view.pivot_offset
	view.mouse_entered.connect(_on_hover.bind(view))
	view.mouse_exited.connect(_on_leave.bind(view))
	view.gui_input.connect(_on_input.bind(view))
	view.focus_entered.connect(_on_hover.bind(view))
	view.focus_exited.connect(_on_leave.bind(view))
	add_child(view)
	return view


func _send_off(view: CardView) -> void:
	if _hovered == view:
		_hovered = null
		card_pointed_off.emit(view)
	if _pressed == view:
		_pressed = null
	if dragged == view:
		dragged = null
	view.mouse_filter = Control.MOUSE_FILTER_IGNORE
	view.focus_mode = Control.FOCUS_NONE
	view.selected = false
	view.dims = false
	view.z_index = 20
	var played: bool = view.card.pile == GcsV1Battle.Pile.PILE_IN_PLAY
	var tween: Tween = view.create_tween().set_trans(Tween.TRANS_QUAD).set_ease(Tween.EASE_OUT)
	if played:
		tween.tween_property(view, "position", size * Vector2(0.5, 0.56) - view.pivot_offset, 0.18)
		tween.parallel().tween_property(view, "rotation", 0.0, 0.18)
		tween.parallel().tween_property(view, "scale", Vector2.ONE * 1.1, 0.18)
		tween.tween_interval(0.32)
	tween.tween_callback(_fly_away.bind(view))


## To the pile where the card is by now.
func _fly_away(view: CardView) -> void:
	var place: Vector2 = pile_places.get(view.card.pile, pile_places.get(GcsV1Battle.Pile.PILE_DISCARD, size))
	var tween: Tween = view.create_tween().set_trans(Tween.TRANS_QUAD).set_ease(Tween.EASE_IN).set_parallel()
	tween.tween_property(view, "position", place - view.pivot_offset, 0.24)
	tween.tween_property(view, "scale", Vector2.ONE * 0.15, 0.24)
	tween.tween_property(view, "modulate:a", 0.2, 0.24)
	tween.chain().tween_callback(view.queue_free)


## Left and right go from card to card: the fan overlaps, which the engine's search by place does not understand.
func _chain_focus() -> void:
	for index: int in range(views.size()):
		var view: CardView = views[index]
		view.focus_neighbor_left = view.get_path_to(views[index - 1] if index > 0 else left_of_hand)
		view.focus_neighbor_right = view.get_path_to(views[index + 1] if index + 1 < views.size() else right_of_hand)
		view.focus_neighbor_top = view.get_path_to(above_hand)


func _process(delta: float) -> void:
	_place(1.0 - exp(-GLIDE * delta))


func _place(share: float) -> void:
	var count: int = views.size()
	var spacing: float = minf(SPACING, minf(WIDEST, size.x - sides) / maxf(count - 1, 1))
	for index: int in range(count):
		var view: CardView = views[index]
		var offset: float = index - (count - 1) / 2.0
		var share_of_side: float = offset / maxf((count - 1) / 2.0, FLAT)
		var raised: bool = view == _hovered or view.selected
		var target: Vector2 = Vector2(size.x / 2.0 + offset * spacing,
				size.y - BOTTOM_MARGIN + share_of_side * share_of_side * DROOP)
		var tilt: float = deg_to_rad(share_of_side * TILT_DEGREES)
		var wanted_scale: float = CROWDED_SCALE if count > CROWD else 1.0
		view.visible_width = CardView.SIZE.x if raised or index == count - 1 else spacing / wanted_scale
		if raised:
			target.y = size.y - (BOTTOM_MARGIN if view.selected else HOVER_BOTTOM_MARGIN)
			tilt = 0.0
			wanted_scale = SELECTED_SCALE if view.selected else HOVER_SCALE
		elif _hovered != null:
			# Neighbours make room for the raised one.
			var distance: int = index - views.find(_hovered)
			target.x += signf(distance) * 26.0 / maxf(absf(distance), 1.0)
		if view.selected:
			target.y -= LIFT
		if view == dragged and not view.needs_aim():
			target = get_global_transform().affine_inverse() * _pointer + Vector2(0, CardView.SIZE.y / 2.0)
			wanted_scale = 1.0
			view.position = target - view.pivot_offset
		view.z_index = 10 if raised else 0
		view.dragged = view == dragged
		view.position = view.position.lerp(target - view.pivot_offset, share)
		view.rotation = lerp_angle(view.rotation, tilt, share)
		view.scale = view.scale.lerp(Vector2.ONE * wanted_scale, share)


func _on_hover(view: CardView) -> void:
	if dragged == null:
		_hovered = view
		if view.has_focus():
			_last_place = views.find(view)
		card_pointed_at.emit(view)


func _on_leave(view: CardView) -> void:
	if _hovered == view and not view.has_focus():
		_hovered = null
		card_pointed_off.emit(view)


func _on_input(event: InputEvent, view: CardView) -> void:
	if event.is_action_pressed("ui_accept"):
		view.accept_event()
		card_picked.emit(view, Picked.ACCEPT)
	elif event is InputEventMouseButton:
		var button: InputEventMouseButton = event
		if button.button_index == MOUSE_BUTTON_LEFT:
			_on_button(button, view)
	elif event is InputEventMouseMotion and _pressed == view:
		_pointer = view.get_global_transform() * (event as InputEventMouse).position
		if dragged == null and _pointer.distance_to(_press_at) > DRAG_START:
			dragged = view
			card_picked.emit(view, Picked.DRAG)


func _on_button(button: InputEventMouseButton, view: CardView) -> void:
	view.accept_event()
	if button.pressed:
		_pressed = view
		_press_at = view.get_global_transform() * button.position
		_pointer = _press_at
		return
	if _pressed != view:
		return
	_pressed = null
	if dragged == view:
		dragged = null
		card_dropped.emit(view, view.get_global_transform() * button.position)
	else:
		card_picked.emit(view, Picked.CLICK)
