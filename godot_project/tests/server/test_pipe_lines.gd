extends GcsTest
## What another process prints is read whole, in bounds, and without cutting a character. A file stands for the pipe.

const PipeLines = preload("res://addons/gcs/server/pipe_lines.gd")
const FILE: String = "user://test_pipe_lines.txt"


func after_each() -> void:
	DirAccess.remove_absolute(FILE)


func _pipe(text: String) -> PipeLines:
	var written: FileAccess = FileAccess.open(FILE, FileAccess.WRITE)
	written.store_string(text)
	written.close()
	return PipeLines.new(FileAccess.open(FILE, FileAccess.READ))


func test_lines_and_the_last_words() -> void:
	var pipe: PipeLines = _pipe("one\r\n\ntwo\nlast wor")
	check_equal(pipe.take(), PackedStringArray(["one", "", "two"]), "lines")
	check_equal(pipe.take(), PackedStringArray(), "nothing more")
	check_equal(pipe.rest(), "last wor", "rest")


func test_character_across_pieces_stays_whole() -> void:
	var line: String = "x".repeat(PipeLines.PIECE_BYTES - 1) + "€"
	check_equal(_pipe(line + "\n").take(), PackedStringArray([line]), "line")


func test_a_frame_reads_no_more_than_its_bound() -> void:
	var line: String = "x".repeat(PipeLines.PIECE_BYTES - 1) + "\n"
	var in_a_frame: int = PipeLines.FRAME_BYTES >> 12
	var pipe: PipeLines = _pipe(line.repeat(in_a_frame + 3))
	check_equal(pipe.take().size(), in_a_frame, "first frame")
	check_equal(pipe.take().size(), 3, "second frame")


func test_line_without_an_end_is_given_up() -> void:
	var pipe: PipeLines = _pipe("x".repeat(3 * PipeLines.FRAME_BYTES) + "\nnext\n")
	var lines: PackedStringArray = []
	for frame: int in range(4):
		lines.append_array(pipe.take())
		check(pipe.rest().length() <= 2 * PipeLines.FRAME_BYTES, "kept: %d" % pipe.rest().length())
	check_equal(lines[-1], "next", "what follows it is heard")
	check(lines[0].length() <= PipeLines.FRAME_BYTES, "only its end is left: %d" % lines[0].length())
