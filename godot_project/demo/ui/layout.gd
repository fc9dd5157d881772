extends RefCounted
## Where energy, piles and the end of the turn are: beside the hand on a wide screen, in a row above it on a high one.

const HandView = preload("../cards/hand_view.gd")

## Everything is so much larger on a high screen, which is as wide as a wide one is high.
const PORTRAIT_SCALE: float = 1.6
## By part: its left edge and its top edge on a high screen, from the left or, below 0, from the right, and from the
## bottom.
const PORTRAIT: Dictionary[String, Vector2] = {
	"%Energy": Vector2(24, -352), "%DrawPile": Vector2(138, -346), "%ExhaustPile": Vector2(-388, -346),
	"%DiscardPile": Vector2(-296, -346), "%EndTurn": Vector2(-196, -328),
}
## What the hand leaves free on both sides of a high screen, a card's width included.
const PORTRAIT_SIDES: float = 210.0

## Offsets on a wide screen, by part, as the scene has them.
var _wide: Dictionary[String, Vector2] = {}


## Whether [param extent] is higher than it is wide.
static func is_portrait(extent: Vector2) -> bool:
	return extent.y > extent.x


## Puts the parts of [param screen] where they belong in its present shape.
func arrange(screen: Control, hand: HandView) -> void:
	var portrait: bool = is_portrait(screen.size)
	hand.sides = PORTRAIT_SIDES if portrait else HandView.SIDES
	for part: String in PORTRAIT:
		var control: Control = screen.get_node(part)
		if not _wide.has(part):
			_wide[part] = Vector2(control.offset_left, control.offset_top)
		var extent: Vector2 = control.size
		var at: Vector2 = PORTRAIT[part] if portrait else _wide[part]
		control.offset_left = at.x
		control.offset_top = at.y
		control.offset_right = at.x + extent.x
		control.offset_bottom = at.y + extent.y
