extends Control
## The battle screen: shows what [code]Gcs[/code] mirrors and sends what the player does.
##
## User arguments: [code]--address=HOST:PORT[/code], [code]--pack=ID[/code], [code]--encounter=ID[/code] and [code]--seed=N[/code].

const Aim = preload("ui/aim.gd")
const Arguments = preload("arguments.gd")
const Backdrop = preload("effects/backdrop.gd")
const Catalog = preload("ui/catalog.gd")
const ChoicePanel = preload("panels/choice_panel.gd")
const Director = preload("effects/director.gd")
const EncounterMenu = preload("panels/encounter_menu.gd")
const EnergyOrb = preload("ui/energy_orb.gd")
const HandView = preload("cards/hand_view.gd")
const PileButton = preload("cards/pile_button.gd")
const PileViewer = preload("panels/pile_viewer.gd")
const ResultPanel = preload("panels/result_panel.gd")
const TargetArrow = preload("effects/target_arrow.gd")
const TracePanel = preload("panels/trace_panel.gd")
const TurnBanner = preload("effects/turn_banner.gd")
const UnitField = preload("units/unit_field.gd")
const WeatherPanel = preload("panels/weather_panel.gd")

const KNOWN: PackedStringArray = ["address", "pack", "encounter", "seed"]
const HINT_SECONDS: float = 2.2
## Seconds between the last blow and the panel that tells the end.
const END_DELAY: float = 0.7

@onready var backdrop: Backdrop = %Backdrop
@onready var field: UnitField = %Units
@onready var hand: HandView = %Hand
@onready var director: Director = %Director
@onready var choice_panel: ChoicePanel = %ChoicePanel
@onready var result_panel: ResultPanel = %ResultPanel
@onready var encounter_menu: EncounterMenu = %EncounterMenu
@onready var pile_viewer: PileViewer = %PileViewer
@onready var weather_panel: WeatherPanel = %WeatherPanel
@onready var trace_panel: TracePanel = %TracePanel

@onready var _aim: Aim = %Aim
@onready var _arrow: TargetArrow = %TargetArrow
@onready var _banner: TurnBanner = %TurnBanner
@onready var _energy: EnergyOrb = %Energy
@onready var _draw_pile: PileButton = %DrawPile
@onready var _discard_pile: PileButton = %DiscardPile
@onready var _exhaust_pile: PileButton = %ExhaustPile
@onready var _end_turn: Button = %EndTurn
@onready var _place: Label = %Place
@onready var _turn: Label = %Turn
@onready var _seed: Label = %Seed
@onready var _weather: Button = %Weather
@onready var _trace: Button = %Trace
@onready var _menu: Button = %Menu
@onready var _hint: Label = %Hint
@onready var _notice: Control = %Notice
@onready var _notice_text: Label = %NoticeText

## What the battle is started with; whoever makes the screen may set others.
var arguments: Arguments = null

var _catalog: Catalog = Catalog.new()
var _encounter: String = ""
## The player's action on its way; null when none is.
var _acting: GcsAction = null
var _hint_until_ms: int = 0


func _ready() -> void:
	if arguments == null:
		arguments = Arguments.new(KNOWN)
	_set_up_parts()
	Gcs.connection_changed.connect(_on_connection_changed)
	Gcs.battle_started.connect(_on_battle_started)
	Gcs.battle_failed.connect(_on_battle_failed)
	Gcs.battle_ended.connect(_on_battle_ended)
	Gcs.action_rejected.connect(func(rejection: GcsV1Battle.Rejection) -> void: show_hint(rejection.message))
	Gcs.settled.connect(_refresh)
	Gcs.pace_with(_show_event)
	_clear()
	arguments.number("seed")
	if not arguments.error.is_empty():
		_show_notice(arguments.error)
		return
	Gcs.connect_to_server(arguments.text("address"))
	_read_pack()


## Starts a battle; a seed below 0 is drawn.
func start(encounter: String, seed_value: int = -1) -> void:
	_encounter = encounter
	_clear()
	var options: GcsBattleOptions = GcsBattleOptions.new()
	# The seed is drawn here and not by the server, so that it can be shown and played again.
	options.set_seed(seed_value if seed_value >= 0 else randi())
	Gcs.start_battle(_catalog.pack, encounter, options)


## Says something in passing above the hand.
func show_hint(text: String) -> void:
	_hint.text = text
	_hint.visible = true
	_hint_until_ms = Time.get_ticks_msec() + int(HINT_SECONDS * 1_000.0)


func _process(_delta: float) -> void:
	if _hint.visible and Time.get_ticks_msec() > _hint_until_ms:
		_hint.visible = false
	hand.pile_places = {
		GcsV1Battle.Pile.PILE_DRAW: _center_of(_draw_pile),
		GcsV1Battle.Pile.PILE_DISCARD: _center_of(_discard_pile),
		GcsV1Battle.Pile.PILE_EXHAUST: _center_of(_exhaust_pile),
	}


func _exit_tree() -> void:
	Gcs.leave_battle()
	director.finish()


func _unhandled_key_input(event: InputEvent) -> void:
	var key: InputEventKey = event as InputEventKey
	if key == null or not key.pressed or key.echo or Gcs.state == null:
		return
	if key.keycode == KEY_E and not _end_turn.disabled:
		_on_end_turn()
	elif key.keycode == KEY_T:
		_trace.button_pressed = not _trace.button_pressed
	elif key.keycode >= KEY_1 and key.keycode <= KEY_9 and key.keycode - KEY_1 < hand.views.size():
		hand.views[key.keycode - KEY_1].grab_focus()


func _set_up_parts() -> void:
	director.backdrop = backdrop
	director.banner = _banner
	director.field = field
	director.layer = %Effects
	_aim.hand = hand
	_aim.field = field
	_aim.arrow = _arrow
	_aim.start()
	_aim.play_chosen.connect(func(card: String, target: String) -> void: _act(Gcs.play_card(card, target)))
	_aim.refused.connect(show_hint)
	backdrop.mouse_filter = Control.MOUSE_FILTER_PASS
	_end_turn.pressed.connect(_on_end_turn)
	for pile: PileButton in [_draw_pile, _discard_pile, _exhaust_pile] as Array[PileButton]:
		pile.pressed.connect(func() -> void: pile_viewer.open(pile.title, pile.pile(), Gcs.state, _catalog))
	_weather.toggled.connect(func(on: bool) -> void: weather_panel.visible = on)
	_trace.toggled.connect(_on_trace_toggled)
	_menu.pressed.connect(func() -> void: encounter_menu.open(_catalog))
	encounter_menu.encounter_chosen.connect(_on_encounter_chosen)
	result_panel.again_pressed.connect(func() -> void: start(_encounter))
	result_panel.menu_pressed.connect(func() -> void: encounter_menu.open(_catalog))
	_weather.visible = false


## Names, texts and pictures of the pack; then the battle that was asked for, or the menu.
func _read_pack() -> void:
	var asking: GrpcCall = Gcs.get_pack(arguments.text("pack", "starter"))
	asking.message_received.connect(_on_pack_read)
	asking.finished.connect(func(status: GrpcStatus) -> void:
		# Cancelled: the server is refused, and why is told already.
		if not status.is_ok() and status.code != GrpcStatus.Code.CANCELLED:
			_show_notice("The pack cannot be had: %s" % status.message))


func _on_pack_read(message: ProtoMessage) -> void:
	var response: GcsV1Content.GetPackResponse = message
	_catalog.read(response)
	_weather.visible = weather_panel.offer(_catalog)
	if arguments.has("encounter"):
		start(arguments.text("encounter"), arguments.number("seed", -1))
	else:
		encounter_menu.open(_catalog)


## Nothing of a battle is shown.
func _clear() -> void:
	_acting = null
	_aim.cancel()
	for panel: Control in [choice_panel, result_panel, encounter_menu, pile_viewer] as Array[Control]:
		panel.hide()
	trace_panel.clear()
	hand.active = false
	_end_turn.disabled = true
	_hint.visible = false


func _show_event(event: GcsV1Events.Event) -> void:
	trace_panel.add(event)
	await director.show_event(event)


func _on_battle_started(state: GcsBattleState) -> void:
	backdrop.show_scene(_catalog.field_of("encounters", state.encounter, "scene", "beach"))
	_place.text = _catalog.name_of("encounters", state.encounter)
	_seed.text = "Seed %d" % state.seed
	state.turn_changed.connect(func(turn: int, _phase: GcsV1Battle.Phase) -> void: _turn.text = "Turn %d" % turn)
	_turn.text = "Turn %d" % state.turn
	field.show_units(state, _catalog)
	hand.show_hand(state, _catalog)
	_energy.show_energy(state)
	_draw_pile.show_pile(state.draw)
	_discard_pile.show_pile(state.discard)
	_exhaust_pile.show_pile(state.exhaust)


func _on_battle_ended(result: GcsV1Battle.Result) -> void:
	_refresh()
	var ended: GcsBattleState = Gcs.state
	await get_tree().create_timer(END_DELAY).timeout
	if Gcs.state == ended:
		result_panel.open(result, ended, _catalog)


func _on_battle_failed(status: GrpcStatus) -> void:
	show_hint("The battle cannot go on: %s" % status.message)
	encounter_menu.open(_catalog)


func _on_connection_changed(connection: GcsClient.Connection, reason: String) -> void:
	_notice.visible = connection != GcsClient.Connection.ONLINE
	_notice_text.text = reason
	if connection == GcsClient.Connection.LOST:
		_notice_text.text = "The connection is lost. If the server still has the battle, it goes on from here.\n%s" % reason
	_refresh()


func _show_notice(text: String) -> void:
	_notice.visible = true
	_notice_text.text = text


## The units make room for the trace.
func _on_trace_toggled(on: bool) -> void:
	trace_panel.visible = on
	field.offset_left = trace_panel.offset_right - 30.0 if on else 0.0


func _on_encounter_chosen(encounter: String, seed_value: int) -> void:
	start(encounter, seed_value)


func _on_end_turn() -> void:
	_aim.cancel()
	_act(Gcs.end_turn())


func _act(action: GcsAction) -> void:
	_acting = action if action.state == GcsAction.State.PENDING else null
	action.finished.connect(_on_action_finished.bind(action))
	_refresh()


func _on_action_finished(action: GcsAction) -> void:
	if _acting == action:
		_acting = null
		_refresh()


## What the player can do now.
func _refresh() -> void:
	var state: GcsBattleState = Gcs.state
	var free: bool = state != null and state.can_act() and _acting == null and not Gcs.is_showing()
	hand.active = free
	_end_turn.disabled = not free
	if free and get_viewport().gui_get_focus_owner() == null and not hand.views.is_empty() and Input.get_connected_joypads().size() > 0:
		hand.views[0].grab_focus()
	if state != null and state.choice != null and not Gcs.is_showing() and not choice_panel.visible:
		choice_panel.open(state.choice, state, _catalog)
	elif state != null and state.choice == null:
		choice_panel.hide()


func _center_of(control: Control) -> Vector2:
	return hand.get_global_transform().affine_inverse() * control.get_global_rect().get_center()
