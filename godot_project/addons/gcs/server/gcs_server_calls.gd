class_name GcsServerCalls
extends GcsBattleView
## What a game asks of the server beside playing: packs, battles, previews, GES events; the part of [GcsClient] that
## asks.
##
## Each gives its call at once. [code]await call.response()[/code] gives the response of the class that is named here,
## or null with the reason in [member GrpcCall.status]. A call that is made before the server is reached, or while it is
## away, waits for it. Without [method GcsClient.connect_to_server] it fails.

## A raise was not dispatched: unknown GUID, wrong payload, inactive database, no battle, or no server in time.
signal raise_refused(guid: String, message: String)

const ServerConnection = preload("server_connection.gd")
const WireNumbers = preload("wire_numbers.gd")

## The longest delay and interval of a raise, in milliseconds.
const MOST_MS: int = WireNumbers.INT_MAX

var _server: ServerConnection = ServerConnection.new()
var _ges_streams: Array[WeakRef] = []


## Asks for what a scene needs to draw [param pack]: names, texts, costs, free data. Response:
## [code]GcsV1Content.GetPackResponse[/code].
func get_pack(pack: String) -> GrpcCall:
	var request: GcsV1Content.GetPackRequest = GcsV1Content.GetPackRequest.new()
	request.pack = pack
	var options: GrpcCallOptions = _patient()
	options.deadline_ms = GrpcCallOptions.NO_DEADLINE
	return GcsV1Content.ContentServiceClient.new(_channel()).get_pack(request, options)


## Asks which packs there are, with their encounters. Response: [code]GcsV1Content.ListPacksResponse[/code].
func list_packs() -> GrpcCall:
	return GcsV1Content.ContentServiceClient.new(_channel()).list_packs(GcsV1Content.ListPacksRequest.new(), _patient())


## Asks which battles stand at the server; [method GcsClient.join_battle] takes one up. Response:
## [code]GcsV1Service.ListBattlesResponse[/code], whose [code]next_page_token[/code] goes into [param page_token] for
## the next page.
func list_battles(page_token: String = "") -> GrpcCall:
	var request: GcsV1Service.ListBattlesRequest = GcsV1Service.ListBattlesRequest.new()
	request.page_token = page_token
	return GcsV1Service.BattleServiceClient.new(_channel()).list_battles(request, _patient())


## Asks what [param card], an instance in hand, would cost and do on [param target]: text with the numbers for that
## target, cost, whether it could be played and if not why. Nothing changes by it. Response:
## [code]GcsV1Service.PreviewResponse[/code].
## [codeblock]
## var told: GcsV1Service.PreviewResponse = await Gcs.preview("c4", "enemy0").response()
## if told != null:
##     label.text = told.text
## [/codeblock]
func preview(card: String, target: String = "") -> GrpcCall:
	var request: GcsV1Service.PreviewRequest = GcsV1Service.PreviewRequest.new()
	request.battle_id = _battle_id()
	request.card = card
	request.target = target
	return GcsV1Service.BattleServiceClient.new(_channel()).preview(request, _patient())


## Asks how the battle can be played again; refused while it runs and its seed may not be told. Response:
## [code]GcsV1Service.GetReplayResponse[/code].
func get_replay() -> GrpcCall:
	var request: GcsV1Service.GetReplayRequest = GcsV1Service.GetReplayRequest.new()
	request.battle_id = _battle_id()
	return GcsV1Service.BattleServiceClient.new(_channel()).get_replay(request, _patient())


## Asks for the GES events of [param pack], with what the server has seen of each. Response:
## [code]GcsV1Ges.ListEventsResponse[/code].
func list_ges_events(pack: String) -> GrpcCall:
	var request: GcsV1Ges.ListEventsRequest = GcsV1Ges.ListEventsRequest.new()
	request.pack = pack
	return GcsV1Ges.GesServiceClient.new(_channel()).list_events(request, _patient())


## Raises a GES event in the battle. [param payload] and [param sender] are values as [method GcsPayload.from] takes
## them, of the types that the event's asset declares; [method GesEvent.raise] checks them before. A raise that follows
## from an event of the battle gives that event's [code]sequence[/code] as [param answers]: events that answer each
## other for ever are cut then. [code]await raise.outcome()[/code] tells what became of it; who does not wait hears of a
## failure by [signal raise_refused]. What the event does arrives like what an action does.
func raise_event(guid: String, payload: Variant = null, sender: Variant = null, answers: int = 0) -> GcsRaise:
	var raising: GcsRaise = _make_raise(guid, answers)
	_begin_raise(raising, payload, sender)
	return raising


## Raises a GES event in [param delay_ms] milliseconds of the battle's clock. What it carries is captured now. See
## [method raise_event]; [method GcsRaise.cancel] takes it back.
func raise_delayed(guid: String, delay_ms: int, payload: Variant = null, sender: Variant = null,
		answers: int = 0) -> GcsRaise:
	var raising: GcsRaise = _make_raise(guid, answers)
	raising._delay(delay_ms)
	_begin_raise(raising, payload, sender, WireNumbers.int_error("delay_ms", delay_ms, 0, MOST_MS))
	return raising


## Raises a GES event every [param interval_ms] milliseconds of the battle's clock, [param count] times; -1: until it is
## cancelled or the battle is over. What it carries is captured now. See [method raise_event]; [method GcsRaise.cancel]
## ends it.
func raise_repeating(
	guid: String, interval_ms: int, count: int = -1, payload: Variant = null, sender: Variant = null, answers: int = 0
) -> GcsRaise:
	var raising: GcsRaise = _make_raise(guid, answers)
	raising._repeat(interval_ms, count)
	var error: String = WireNumbers.int_error("interval_ms", interval_ms, 1, MOST_MS)
	if error.is_empty() and count != -1:
		error = WireNumbers.int_error("count", count, 1)
	_begin_raise(raising, payload, sender, error)
	return raising


## Hears GES events of [param battle_id]; empty: of all battles of the server. [param guids] are those to hear; none:
## all. [param others_only] leaves out what this client raised itself. The stream is heard as long as it is kept.
func listen(battle_id: String = "", guids: Array[String] = [], others_only: bool = false) -> GcsGesStream:
	var request: GcsV1Ges.ListenRequest = GcsV1Ges.ListenRequest.new()
	request.battle_id = battle_id
	request.guids = guids.duplicate()
	request.others_only = others_only
	var stream: GcsGesStream = GcsGesStream.new(request)
	_ges_streams.push_back(weakref(stream))
	return stream


func _poll_ges_streams() -> void:
	for index: int in range(_ges_streams.size() - 1, -1, -1):
		var stream: GcsGesStream = _ges_streams[index].get_ref()
		if stream == null or stream._over:
			_ges_streams.remove_at(index)
		else:
			stream._poll(_server.channel)


func _make_raise(guid: String, answers: int) -> GcsRaise:
	var request: GcsV1Ges.RaiseRequest = GcsV1Ges.RaiseRequest.new()
	request.battle_id = _battle_id()
	request.guid = guid
	request.raise_id = _make_id()
	request.answers = answers
	return GcsRaise.new(request)


## Sends [param raising], or gives it up for [param error] where that is not empty.
func _begin_raise(raising: GcsRaise, payload: Variant, sender: Variant, error: String = "") -> void:
	raising._refused = _on_raise_refused
	var request: GcsV1Ges.RaiseRequest = raising._request
	for wrong: String in [
		GcsPayload.error_of(payload), GcsPayload.error_of(sender, "sender"),
		"" if request.answers >= 0 else "answers: expected the sequence of an event, got %d" % request.answers,
	] as Array[String]:
		if error.is_empty():
			error = wrong
	if _server.channel == null or request.battle_id.is_empty():
		raising._refuse(GrpcStatus.make(GrpcStatus.Code.FAILED_PRECONDITION, "no battle is being played"))
	elif not error.is_empty():
		raising._refuse(GrpcStatus.make(GrpcStatus.Code.INVALID_ARGUMENT, error))
	else:
		request.arg = GcsPayload.from(payload) if payload != null else null
		request.sender = GcsPayload.from(sender) if sender != null else null
		raising._send(_server.channel, GcsSettings.number_of(GcsSettings.CALL_DEADLINE_MS))


func _on_raise_refused(guid: String, message: String) -> void:
	raise_refused.emit(guid, message)


## The channel to the server; without one, a channel whose calls fail.
func _channel() -> GrpcChannel:
	if _server.channel != null:
		return _server.channel
	var closed: GrpcChannel = GrpcChannel.open(GcsSettings.text_of(GcsSettings.ADDRESS))
	closed.close()
	return closed


func _patient() -> GrpcCallOptions:
	var options: GrpcCallOptions = GrpcCallOptions.new()
	options.wait_for_ready = true
	options.single_response = true
	return options


## An id that nobody else makes: 128 random bits.
static func _make_id() -> String:
	return Crypto.new().generate_random_bytes(16).hex_encode()
