extends RefCounted
## The user arguments of the demo, after [code]--[/code] on the command line: [code]--name=value[/code] or
## [code]--name[/code].

## What is wrong with the arguments; empty when nothing is.
var error: String = ""

var _values: Dictionary[String, String] = {}


## Reads [param given]; arguments that are not in [param known] are an error.
func _init(known: PackedStringArray, given: PackedStringArray = OS.get_cmdline_user_args()) -> void:
	for argument: String in given:
		var name: String = argument.get_slice("=", 0).trim_prefix("--")
		if not argument.begins_with("--") or name not in known:
			error = "unknown argument %s, expected --%s" % [argument, ", --".join(known)]
			return
		_values[name] = argument.substr(argument.find("=") + 1) if argument.contains("=") else ""


## Whether the argument was given.
func has(name: String) -> bool:
	return _values.has(name)


## The argument's value, or [param otherwise].
func text(name: String, otherwise: String = "") -> String:
	return _values.get(name, otherwise)


## The argument's value as a whole number, or [param otherwise]; a value that is none is an [member error].
func number(name: String, otherwise: int = 0) -> int:
	if not _values.has(name):
		return otherwise
	if not _values[name].is_valid_int():
		error = "--%s=%s: expected a whole number" % [name, _values[name]]
		return otherwise
	return _values[name].to_int()


## The argument's value as a seed, or [param otherwise]; a value that is none is an [member error].
func seed_text(name: String, otherwise: String = "") -> String:
	if not _values.has(name):
		return otherwise
	if not GcsSeed.is_seed(_values[name]):
		error = "--%s=%s: expected a number from 0 to %s" % [name, _values[name], GcsSeed.MOST]
		return otherwise
	return _values[name]
