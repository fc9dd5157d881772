extends RefCounted
## The colours of the demo, in one place. What is written in one of them stands on a ground that [constant WRITING]
## names, with a contrast of at least 4.5 to 1.

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
const CARD_DIM: Color = Color("141b23")
const CARD_FADED: Color = Color("4a545e")
const HP: Color = Color("b3372d")
## Around figures.
const RIM: Color = Color("f4f8fb")
const STAKE: Color = Color("7a2a55")
const HP_LOST: Color = Color("f2e3b8")
const FLAME: Color = Color("b3541f")
const FLAME_DEEP: Color = Color("8f4117")
const GLOW: Color = Color("ff9d3c")
const ASH: Color = Color("333c46")
const ASH_DEEP: Color = Color("2a323b")
const SHIELD: Color = Color("35699a")
const SHIELD_DEEP: Color = Color("2b5f8c")
const NIGHT: Color = Color("0b1420")
## Tint of what was not picked.
const FADED: Color = Color(0.5, 0.5, 0.5, 0.6)

## By ground: the colours that words on it are written in.
const WRITING: Dictionary[Color, Array] = {
	INK: [TEXT, MUTED, LAMP, HARM, HEAL, ARMOR, BUFF, DEBUFF],
	PANEL: [TEXT, MUTED, LAMP, HARM, ARMOR, DEBUFF],
	CARD: [TEXT, HEAL, HARM],
	CARD_DIM: [TEXT, MUTED, HEAL, HARM],
	HP: [TEXT],
	STAKE: [TEXT],
	ARMOR_DEEP: [TEXT],
	SHIELD: [TEXT],
	FLAME: [TEXT],
	ASH: [TEXT],
	HARM_DEEP: [TEXT],
}


## A rounded box.
static func box(fill: Color, radius: int, border: Color = Color.TRANSPARENT, width: int = 0) -> StyleBoxFlat:
	var style: StyleBoxFlat = StyleBoxFlat.new()
	style.bg_color = fill
	style.set_corner_radius_all(radius)
	style.border_color = border
	style.set_border_width_all(width)
	style.anti_aliasing_size = 0.7
	return style
