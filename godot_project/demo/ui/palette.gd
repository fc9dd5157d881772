extends RefCounted
## The colours of the demo, in one place. Text on [constant PANEL] and [constant CARD] has a contrast of at least 4.5 to 1.

const INK: Color = Color("0e1724")
const PANEL: Color = Color("14202f")
const PANEL_HIGH: Color = Color("1d2d41")
const CARD: Color = Color("18242f")
const LINE: Color = Color("3a5068")
const TEXT: Color = Color("f1f5f8")
const MUTED: Color = Color("b3c2d0")
const LAMP: Color = Color("ffd166")
const HARM: Color = Color("ff7a66")
const HARM_DEEP: Color = Color("a8332a")
const HEAL: Color = Color("8fe08a")
const ARMOR: Color = Color("8cc8f2")
const ARMOR_DEEP: Color = Color("2f6690")
const BUFF: Color = Color("f0c05a")
const DEBUFF: Color = Color("c79af0")


## A rounded box.
static func box(fill: Color, radius: int, border: Color = Color.TRANSPARENT, width: int = 0) -> StyleBoxFlat:
	var style: StyleBoxFlat = StyleBoxFlat.new()
	style.bg_color = fill
	style.set_corner_radius_all(radius)
	style.border_color = border
	style.set_border_width_all(width)
	style.anti_aliasing_size = 0.7
	return style
