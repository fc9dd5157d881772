class_name BattleTestCase
extends GcsTest
## Base of the tests that play battles: clients of their own beside the autoload, a bot, and states as values to
## compare.

const SimpleBot = preload("res://demo/simple_bot.gd")

## Seconds that anything may take before a test counts as failed.
const LIMIT: float = 15.0
## Ids of the pack that the tests play with.
const THUNDER: String = "2f0c1a52-6d7e-4f8b-9a1b-0c2d3e4f5a6b"

var _clients: Array[GcsClient] = []


func after_each() -> void:
	for client: GcsClient in _clients:
		client.queue_free()
	_clients.clear()


## A client that looks for a server at [param address] and notices things quickly.
func connected(address: String, token: String = "") -> GcsClient:
	var client: GcsClient = GcsClient.new()
	_clients.push_back(client)
	add_child(client)
	var options: GrpcChannelOptions = GrpcChannelOptions.new()
	options.token = token
	options.backoff_initial_ms = 50
	options.backoff_max_ms = 200
	client.connect_to_server(address, options)
	return client


## Starts a battle that everything is told of and waits until its set-up has been shown.
func started(client: GcsClient, encounter: String, deck: Array[String] = [], seed_value: int = 7) -> void:
	var options: GcsBattleOptions = GcsBattleOptions.new()
	options.set_seed(seed_value)
	options.deck = deck
	options.max_turns = 60
	var start: GcsBattleStart = client.start_battle("starter", encounter, options)
	await until(func() -> bool: return start.battle != null and not client.is_showing(), "the battle starts")


## Waits until [param condition] holds.
func until(condition: Callable, what: String) -> bool:
	return await await_condition_or_timeout(condition, LIMIT, what)


## Waits until the client's connection is in a state.
func until_connection(client: GcsClient, connection: GcsClient.Connection) -> void:
	await until(func() -> bool: return client.connection == connection,
			"the connection becomes %s" % GcsClient.Connection.find_key(connection))


## Sends the bot's next action and waits for its end.
func step(client: GcsClient) -> GcsAction:
	var action: GcsAction = SimpleBot.act(client)
	await until(func() -> bool: return action.state != GcsAction.State.PENDING, "the server answers")
	return action


## Numbers of all events that the client shows from now on.
func record_sequences(client: GcsClient) -> Array[int]:
	var sequences: Array[int] = []
	client.event_received.connect(func(event: GcsV1Events.Event) -> void: sequences.push_back(event.sequence))
	return sequences


## All of a state that a scene can see, as one value.
func described(state: GcsBattleState) -> Dictionary:
	var units: Array[Dictionary] = []
	for unit: GcsUnit in state.units:
		units.push_back({
			"id": unit.id, "enemy": unit.enemy, "hp": unit.hp, "max_hp": unit.max_hp, "armor": unit.armor,
			"alive": unit.alive,
			"statuses": unit.statuses, "order": unit.statuses.keys(), "variables": unit.variables,
			"intent": unit.intent.to_text() if unit.intent != null else "",
		})
	var cards: Dictionary[String, Dictionary] = {}
	for id: String in state.cards:
		var card: GcsCard = state.cards[id]
		cards[id] = {
			"card": card.card_id, "pile": card.pile, "cost": card.cost, "is_x": card.is_x, "playable": card.playable,
			"reason": card.unplayable_reason, "keywords": card.keywords, "text": card.text, "targets": card.targets,
		}
	var piles: Array[Array] = []
	for pile: GcsPile in [state.hand, state.draw, state.discard, state.exhaust] as Array[GcsPile]:
		piles.push_back([pile.size, pile.cards, pile.contents])
	return {
		"turn": state.turn, "phase": state.phase, "outcome": state.outcome, "energy": [state.energy, state.max_energy],
		"units": units, "cards": cards, "piles": piles, "variables": state.variables, "seed": state.seed,
		"choice": state.choice.to_text() if state.choice != null else "", "played": state.cards_played_this_turn,
		"result": state.result.to_text() if state.result != null else "",
	}


## A mirror made of a snapshot alone.
func mirror_of(snapshot: GcsV1Battle.BattleState) -> GcsBattleState:
	var mirror: GcsBattleState = GcsBattleState.new()
	mirror._take_snapshot(snapshot)
	return mirror
