class_name GesTestCase
extends BattleTestCase
## Base of the tests of GES events: the autoload in a battle, and events as the import makes them.


func after_each() -> void:
	super()
	Gcs.pace_with(Callable())
	Gcs.leave_battle()
	Gcs.disconnect_from_server()


## A battle of the autoload in which a thunder of 3 or more brings rain and lightning (the flow storm).
func started_with_autoload(deck: Array[String] = []) -> void:
	Gcs.connect_to_server(peer_address("gcs_server"))
	await started(Gcs, "first_fight", deck)


## An event of the sample pack.
func event_of(guid: String, id: String, argument: GesEvent.Argument, has_sender: bool = false) -> GesEvent:
	var event: GesEvent = GesEvent.new()
	event.guid = guid
	event.id = id
	event.pack = "starter"
	event.argument = argument
	event.has_sender = has_sender
	return event


## The sample pack's thunder.
func thunder() -> GesEvent:
	return event_of(THUNDER, "thunder", GesEvent.Argument.INT)


## The sample pack's rain.
func rain() -> GesEvent:
	return event_of("7b1e64a0-93d2-4f0e-8a57-51c6de0b8f21", "rain", GesEvent.Argument.INT)


## The sample pack's roar.
func roar() -> GesEvent:
	return event_of("e15d2b7c-48fa-4c63-b0e9-3f9a7d21c605", "roar", GesEvent.Argument.INT, true)
