class_name GcsSeed
extends RefCounted
## Seeds as text: a seed goes from 0 to 2⁶⁴ − 1, an int of GDScript only to 2⁶³ − 1.
##
## From 2⁶³ on, the int of a seed is negative: the same 64 bits. Seeds that a server draws are below 2⁵³.
## [codeblock]
## if GcsSeed.is_seed(line_edit.text):
##     options.set_seed(GcsSeed.from_text(line_edit.text))
## print(GcsSeed.to_text(Gcs.state.seed))
## [/codeblock]

## The largest seed.
const MOST: String = "18446744073709551615"


## Whether [param text] is a seed: a number from 0 to [constant MOST], in digits alone.
static func is_seed(text: String) -> bool:
	if text.is_empty() or text.length() > MOST.length():
		return false
	for index: int in range(text.length()):
		if text[index] < "0" or text[index] > "9":
			return false
	return text.length() < MOST.length() or text <= MOST


## The seed that [param text] is; 0, with an error, if [method is_seed] says that it is none.
static func from_text(text: String) -> int:
	if not is_seed(text):
		push_error("%s is no seed: expected a number from 0 to %s" % [text, MOST])
		return 0
	var read: int = 0
	for index: int in range(text.length()):
		read = read * 10 + text.unicode_at(index) - 48
	return read


## A seed as text, also where its int is negative.
@warning_ignore("shadowed_global_identifier")
static func to_text(seed: int) -> String:
	return String.num_uint64(seed)
