extends RefCounted
## Where a program is: Godot starts one that is not there without an error, and only its end tells.


## The path of [param program]: itself when it names a folder, otherwise what the PATH leads to. Empty: it is not there.
static func find(program: String) -> String:
	var file: String = program
	if OS.has_feature("windows") and file.get_extension().to_lower() != "exe":
		file += ".exe"
	if not file.get_base_dir().is_empty():
		return file if FileAccess.file_exists(file) else ""
	for folder: String in OS.get_environment("PATH").split(";" if OS.has_feature("windows") else ":", false):
		if FileAccess.file_exists(folder.path_join(file)):
			return folder.path_join(file)
	return ""
