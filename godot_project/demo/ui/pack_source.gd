extends Node
## Where the pack comes from: a server at an address, or the one that is shipped with an exported game.

## The server has told the pack.
signal pack_read(response: GcsV1Content.GetPackResponse)
## What is to be told to the player meanwhile, or why it cannot be had.
signal told(text: String)

const Arguments = preload("../arguments.gd")


## Connects and asks for the pack that [param arguments] name.
func begin(arguments: Arguments) -> void:
	# A game that is run from the editor plays on the server of whoever develops it.
	if arguments.has("address") or OS.has_feature("editor") or GcsLocalServer.find_executable().is_empty():
		_connect_to(arguments.text("address"), arguments)
	else:
		_start_server(arguments)


func _start_server(arguments: Arguments) -> void:
	var server: GcsLocalServer = GcsLocalServer.new()
	add_child(server)
	server.started.connect(func(url: String) -> void: _connect_to(url, arguments, server.make_channel_options()))
	server.failed.connect(told.emit)
	told.emit("starting the server")
	server.start()


func _connect_to(url: String, arguments: Arguments, options: GrpcChannelOptions = null) -> void:
	Gcs.connect_to_server(url, options)
	var asking: GrpcCall = Gcs.get_pack(arguments.text("pack", "starter"))
	asking.message_received.connect(pack_read.emit)
	asking.finished.connect(func(status: GrpcStatus) -> void:
		# Cancelled: the server is refused, and why is told already.
		if not status.is_ok() and status.code != GrpcStatus.Code.CANCELLED:
			told.emit("The pack cannot be had: %s" % status.message))
