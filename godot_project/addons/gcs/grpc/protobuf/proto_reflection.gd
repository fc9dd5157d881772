class_name ProtoReflection
extends RefCounted
## What works on any message by its list of fields: merging and comparing. Called through [ProtoMessage].


## Does the work of [method ProtoMessage.merge].
static func merge(into: ProtoMessage, from: ProtoMessage) -> void:
	if from == null or from.get_script() != into.get_script():
		push_error("merge needs another message of %s" % into.message_name())
		return
	for field: ProtoField in from.message_fields():
		if field.is_set(from):
			_merge_field(field, into, from)
	into.unknown_fields.append_array(from.unknown_fields)


## Does the work of [method ProtoMessage.equals].
static func equals(left: ProtoMessage, right: ProtoMessage) -> bool:
	if right == null or left.get_script() != right.get_script() or left.unknown_fields != right.unknown_fields:
		return false
	for field: ProtoField in left.message_fields():
		var is_set: bool = field.is_set(left)
		if is_set != field.is_set(right):
			return false
		if is_set and not _equal_fields(field, left.get(field.property), right.get(field.property)):
			return false
	return true


static func _merge_field(field: ProtoField, into: ProtoMessage, from: ProtoMessage) -> void:
	var value: Variant = from.get(field.property)
	match field.presence:
		ProtoField.Presence.REPEATED:
			var elements: Array = value
			var list: Array = into.get(field.property)
			for element: Variant in elements:
				list.append(_copy(field, element))
		ProtoField.Presence.MAP:
			var entries: Dictionary = value
			var map: Dictionary = into.get(field.property)
			for key: Variant in entries:
				map[key] = _copy(field, entries[key])
		_:
			if field.kind == ProtoField.Kind.MESSAGE and field.is_set(into):
				var inner: ProtoMessage = into.get(field.property)
				var addition: ProtoMessage = value
				inner.merge(addition)
			else:
				into.set(field.property, _copy(field, value))


static func _copy(field: ProtoField, value: Variant) -> Variant:
	if field.kind == ProtoField.Kind.MESSAGE and value != null:
		var message: ProtoMessage = value
		return message.clone()
	if field.kind == ProtoField.Kind.BYTES:
		var bytes: PackedByteArray = value
		return bytes.duplicate()
	return value


static func _equal_fields(field: ProtoField, left: Variant, right: Variant) -> bool:
	match field.presence:
		ProtoField.Presence.REPEATED:
			var left_list: Array = left
			var right_list: Array = right
			if left_list.size() != right_list.size():
				return false
			for index: int in left_list.size():
				if not _equal(field, left_list[index], right_list[index]):
					return false
			return true
		ProtoField.Presence.MAP:
			var left_map: Dictionary = left
			var right_map: Dictionary = right
			if left_map.size() != right_map.size():
				return false
			for key: Variant in left_map:
				if not right_map.has(key) or not _equal(field, left_map[key], right_map[key]):
					return false
			return true
	return _equal(field, left, right)


static func _equal(field: ProtoField, left: Variant, right: Variant) -> bool:
	if field.kind == ProtoField.Kind.MESSAGE and left != null:
		var message: ProtoMessage = left
		var other: ProtoMessage = right
		return message.equals(other)
	return left == right
