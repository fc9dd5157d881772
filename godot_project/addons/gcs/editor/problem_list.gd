@tool
extends Tree
## What is wrong with a pack: one row for each problem, with file and path. A double click opens the file.

const FILE: int = 0
const PATH: int = 1
const MESSAGE: int = 2

## Widths of the columns, in pixels of a screen of normal density.
const FILE_WIDTH: int = 140
const PATH_WIDTH: int = 90
const MESSAGE_WIDTH: int = 160

var _folder: String = ""


func _init() -> void:
	hide_root = true
	columns = 3
	column_titles_visible = true
	select_mode = Tree.SELECT_ROW
	set_column_title(FILE, "File")
	set_column_title(PATH, "Path")
	set_column_title(MESSAGE, "Problem")
	# What is wrong needs most of the width; where it is takes as much as it has to.
	for column: int in [FILE, PATH] as Array[int]:
		set_column_expand(column, false)
		set_column_clip_content(column, true)
	set_column_custom_minimum_width(FILE, FILE_WIDTH)
	set_column_custom_minimum_width(PATH, PATH_WIDTH)
	set_column_custom_minimum_width(MESSAGE, MESSAGE_WIDTH)
	item_activated.connect(_on_item_activated)


## Shows [param problems] of the pack in [param folder]; empty when its folder is not known.
func show_problems(problems: Array[GcsV1Content.Problem], folder: String) -> void:
	_folder = folder
	clear()
	var root: TreeItem = create_item()
	for problem: GcsV1Content.Problem in problems:
		var row: TreeItem = create_item(root)
		row.set_text(FILE, "%s:%d" % [problem.file, problem.line] if problem.line > 0 else problem.file)
		row.set_metadata(FILE, problem.file)
		row.set_text(PATH, problem.path)
		row.set_text(MESSAGE, text_of(problem))
		row.set_autowrap_mode(MESSAGE, TextServer.AUTOWRAP_WORD_SMART)
		for column: int in range(columns):
			row.set_tooltip_text(column, "%s %s\n%s" % [problem.file, problem.path, text_of(problem)])
		var is_error: bool = problem.severity == GcsV1Content.Severity.SEVERITY_ERROR
		row.set_custom_color(MESSAGE, get_theme_color(&"error_color" if is_error else &"warning_color", &"Editor"))


## A problem as a sentence.
static func text_of(problem: GcsV1Content.Problem) -> String:
	var text: String = problem.message
	if not problem.expected.is_empty():
		text += "; expected %s" % problem.expected
	if not problem.found.is_empty():
		text += ", found %s" % problem.found
	if not problem.hint.is_empty():
		text += " (%s)" % problem.hint
	return text


func _on_item_activated() -> void:
	var file: String = get_selected().get_metadata(FILE)
	if not _folder.is_empty() and not file.is_empty():
		OS.shell_open(ProjectSettings.globalize_path(_folder.path_join(file)))
