extends GcsTest
## What is written in the demo can be read: contrast of at least 4.5 to 1 (WCAG 2 AA) of every text and its ground.

const Palette = preload("res://demo/ui/palette.gd")

const ENOUGH: float = 4.5
const ENOUGH_OF_SHAPES: float = 3.0
const SCRIPTS: String = "res://demo"
## The ground of a button's text by the name of the text's colour.
const STYLES: Dictionary[String, String] = {
	"font_color": "normal", "font_hover_color": "hover", "font_pressed_color": "pressed",
	"font_disabled_color": "disabled",
	"font_focus_color": "normal", "font_hover_pressed_color": "hover_pressed", "font_placeholder_color": "normal",
	"default_color": "normal",
}

var _theme: Theme = preload("res://demo/ui/theme.tres")


## Relative luminance as WCAG 2 defines it.
func _luminance(color: Color) -> float:
	var linear: Color = color.srgb_to_linear()
	return 0.2126 * linear.r + 0.7152 * linear.g + 0.0722 * linear.b


func _contrast(first: Color, second: Color) -> float:
	var light: float = maxf(_luminance(first), _luminance(second))
	var dark: float = minf(_luminance(first), _luminance(second))
	return (light + 0.05) / (dark + 0.05)


## The ground as it is where it lets the brightest thing through that can be behind it: the moon.
func _worst(ground: Color) -> Color:
	return Color.WHITE.blend(ground)


## The type or the one that it varies, whichever has the item.
func _owner(type: StringName, kind: Theme.DataType, item: String) -> StringName:
	var at: StringName = type
	while not at.is_empty() and not _theme.has_theme_item(kind, item, at):
		at = _theme.get_type_variation_base(at)
	return at


## Grounds that labels of the demo stand on.
func _panels() -> Array[Color]:
	var grounds: Array[Color] = []
	for type: StringName in ["PanelContainer", "Bar", "Details", "TooltipPanel"] as Array[StringName]:
		grounds.push_back(_worst((_theme.get_stylebox("panel", type) as StyleBoxFlat).bg_color))
	return grounds


func test_contrast_is_computed_as_the_standard_says() -> void:
	check_near(_contrast(Color.WHITE, Color.BLACK), 21.0, 0.01, "black on white")
	check_near(_contrast(Color("777777"), Color.WHITE), 4.48, 0.01, "the grey that just fails")


func test_colours_of_the_palette() -> void:
	for ground: Color in Palette.WRITING:
		for text: Color in Palette.WRITING[ground]:
			var found: float = _contrast(text, ground)
			check(found >= ENOUGH, "#%s on #%s: %.2f" % [text.to_html(false), ground.to_html(false), found])


func test_colours_of_the_theme() -> void:
	var pairs: int = 0
	for type: StringName in _theme.get_type_list():
		for item: String in STYLES:
			var color_type: StringName = _owner(type, Theme.DATA_TYPE_COLOR, item)
			if color_type.is_empty():
				continue
			var style_type: StringName = _owner(type, Theme.DATA_TYPE_STYLEBOX, STYLES[item])
			var style: StyleBoxFlat = _theme.get_stylebox(STYLES[item],
					style_type) as StyleBoxFlat if not style_type.is_empty() else null
			for ground: Color in [_worst(style.bg_color)] as Array[Color] if style != null else _panels():
				pairs += 1
				var found: float = _contrast(_theme.get_color(item, color_type), ground)
				check(found >= ENOUGH, "%s of %s on #%s: %.2f" % [item, type, ground.to_html(false), found])
	check(pairs > 40, "the theme was looked at: %d pairs" % pairs)


## WCAG asks for 3 to 1 of what is no text: of the light rim or of the dark line around it. Figures stand before the
## sea, between horizon and shore.
func test_rim_of_figures_stands_out_from_every_place() -> void:
	check(_contrast(Palette.RIM, Palette.INK) >= ENOUGH_OF_SHAPES, "rim and line")
	var places: PackedStringArray = []
	for file: String in DirAccess.get_files_at("res://demo/art/scenes"):
		if file.ends_with(".svg"):
			places.push_back(file)
	check(places.size() >= 6, "places: %s" % places)
	for file: String in places:
		var picture: Image = (load("res://demo/art/scenes/" + file) as Texture2D).get_image()
		picture.resize(64, 36)
		for y: int in range(16, 22):
			for x: int in range(64):
				var ground: Color = picture.get_pixel(x, y)
				var found: float = maxf(_contrast(Palette.RIM, ground), _contrast(Palette.INK, ground))
				if found < ENOUGH_OF_SHAPES:
					fail("%s at %d, %d: %.2f" % [file, x, y, found])
					return


## Words that are drawn take their colour from the palette, where it was checked.
func test_no_text_is_drawn_in_a_colour_of_its_own() -> void:
	var lines: int = 0
	for path: String in _scripts_below(SCRIPTS):
		var text: String = FileAccess.get_file_as_string(path)
		for line: String in text.split("\n"):
			if line.contains("draw_string") or line.contains("push_color") or line.contains("\"font_color\""):
				lines += 1
				check(not line.contains("Color(\"") and not line.contains("Color.") and not line.contains("Color(0")
						and not line.contains("Color(1"),
						"%s: %s" % [path, line.strip_edges()])
	check(lines > 15, "the scripts were looked at: %d lines" % lines)


func _scripts_below(folder: String) -> PackedStringArray:
	var found: PackedStringArray = []
	for file: String in DirAccess.get_files_at(folder):
		if file.ends_with(".gd"):
			found.append(folder.path_join(file))
	for child: String in DirAccess.get_directories_at(folder):
		found.append_array(_scripts_below(folder.path_join(child)))
	return found
