@tool
extends Tree
## What happened in a battle, each event below the one that caused it: the last few hundred.

## The most events that are shown.
const MOST: int = 400

var _items: Dictionary[int, TreeItem] = {}
var _newest_root: TreeItem = null


func _init() -> void:
	hide_root = true
	columns = 1
	select_mode = Tree.SELECT_ROW


## Forgets everything.
func clear_events() -> void:
	clear()
	_items.clear()
	_newest_root = null


## Adds [param events], in order. [param state] names cards.
func add_events(events: Array[GcsV1Events.Event], state: GcsBattleState) -> void:
	if get_root() == null:
		create_item()
	var newest: TreeItem = null
	for event: GcsV1Events.Event in events:
		var text: String = GcsTrace.text_of(event, state)
		var parent: TreeItem = _items.get(event.cause)
		if text.is_empty():
			# What has nothing to say stands for its cause, so that what follows from it is not lost.
			if parent != null:
				_items[event.sequence] = parent
			continue
		if parent == null:
			if _newest_root != null:
				_newest_root.collapsed = true
			parent = get_root()
		newest = create_item(parent)
		if parent == get_root():
			_newest_root = newest
		newest.set_text(0, "%d  %s" % [event.sequence, text.replace("\n", " ")])
		newest.set_tooltip_text(0, text)
		if event.kind_case == GcsV1Events.Event.KindCase.ENTRY_DISPATCHED:
			newest.set_custom_color(0, get_theme_color(&"accent_color", &"Editor"))
		elif event.kind_case == GcsV1Events.Event.KindCase.FAULT:
			newest.set_custom_color(0, get_theme_color(&"error_color", &"Editor"))
		elif event.kind_case == GcsV1Events.Event.KindCase.WARNING:
			newest.set_custom_color(0, get_theme_color(&"warning_color", &"Editor"))
		_items[event.sequence] = newest
	_drop_oldest()
	if newest != null:
		scroll_to_item(newest)


## How many events are shown.
func shown_count() -> int:
	return _count(get_root()) - 1 if get_root() != null else 0


func _drop_oldest() -> void:
	while shown_count() > MOST and get_root().get_child_count() > 1:
		var oldest: TreeItem = get_root().get_first_child()
		var gone: Dictionary[TreeItem, bool] = {}
		_collect(oldest, gone)
		for sequence: int in _items.keys():
			if gone.has(_items[sequence]):
				_items.erase(sequence)
		oldest.free()


static func _count(item: TreeItem) -> int:
	var count: int = 1
	for child: TreeItem in item.get_children():
		count += _count(child)
	return count


static func _collect(item: TreeItem, into: Dictionary[TreeItem, bool]) -> void:
	into[item] = true
	for child: TreeItem in item.get_children():
		_collect(child, into)
