extends Control
## The battle screen: shows what [code]Gcs[/code] mirrors and sends what the player does.
##
## User arguments: [code]--address=HOST:PORT[/code], [code]--pack=ID[/code], [code]--encounter=ID[/code] and
## [code]--seed=N[/code]. Without an address an exported game plays on the server that is shipped with it, if there is
## one.

const Aim = preload("ui/aim.gd")
const Arguments = preload("arguments.gd")
const Backdrop = preload("effects/backdrop.gd")
const Catalog = preload("ui/catalog.gd")
const CardView = preload("cards/card_view.gd")
const Controls = preload("ui/controls.gd")
const DetailsPanel = preload("panels/details_panel.gd")
const ChoicePanel = preload("panels/choice_panel.gd")
const Finale = preload("effects/finale.gd")
const Sounds = preload("effects/sounds.gd")
const Director = preload("effects/director.gd")
const EncounterMenu = preload("panels/encounter_menu.gd")
const EnergyOrb = preload("ui/energy_orb.gd")
const HandView = preload("cards/hand_view.gd")
const Preview = preload("ui/preview.gd")
const Layout = preload("ui/layout.gd")
const PackSource = preload("ui/pack_source.gd")
const PileButton = preload("cards/pile_button.gd")
const PileViewer = preload("panels/pile_viewer.gd")
const ResultPanel = preload("panels/result_panel.gd")
const Run = preload("ui/run.gd")
const Settings = preload("ui/settings.gd")
const SettingsPanel = preload("panels/settings_panel.gd")
const TargetArrow = preload("effects/target_arrow.gd")
const TracePanel = preload("panels/trace_panel.gd")
const TurnBanner = preload("effects/turn_banner.gd")
const UnitField = preload("units/unit_field.gd")
const UnitView = preload("units/unit_view.gd")
const WeatherPanel = preload("panels/weather_panel.gd")

const KNOWN: PackedStringArray = ["address", "pack", "encounter", "seed"]
const HINT_SECONDS: float = 2.2

@onready var backdrop: Backdrop = %Backdrop
@onready var field: UnitField = %Units
@onready var hand: HandView = %Hand
@onready var director: Director = %Director
@onready var sounds: Sounds = %Sounds
@onready var finale: Finale = %Finale
@onready var choice_panel: ChoicePanel = %ChoicePanel
@onready var result_panel: ResultPanel = %ResultPanel
@onready var encounter_menu: EncounterMenu = %EncounterMenu
@onready var pile_viewer: PileViewer = %PileViewer
@onready var weather_panel: WeatherPanel = %WeatherPanel
@onready var trace_panel: TracePanel = %TracePanel
@onready var settings_panel: SettingsPanel = %SettingsPanel
@onready var details: DetailsPanel = %Details
@onready var controls: Controls = %Controls

@onready var _aim: Aim = %Aim
@onready var _preview: Preview = %Preview
@onready var _top_bar: Control = %TopBar
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
@onready var _settings_button: Button = %Settings
@onready var _menu: Button = %Menu
@onready var _keys: Label = %Keys
@onready var _hint: Label = %Hint
@onready var _notice: Control = %Notice
@onready var _notice_text: Label = %NoticeText

## What the battle is started with; whoever makes the screen may set others.
var arguments: Arguments = null
## What the player has set; whoever makes the screen may bring others.
var settings: Settings = null
## The cards won so far.
var run: Run = Run.new()

var _layout: Layout = Layout.new()
var _catalog: Catalog = Catalog.new()
var _encounter: String = ""
## Whether the pack has events that the player can raise.
var _has_weather: bool = false
## The player's action on its way; null when none is.
var _acting: GcsAction = null
var _hint_until_ms: int = 0


func _ready() -> void:
	if arguments == null:
		arguments = Arguments.new(KNOWN)
	if settings == null:
		settings = Settings.new()
	_set_up_parts()
	_set_up_controls()
	details.follow(field, hand, _aim, _catalog)
	Gcs.connection_changed.connect(_on_connection_changed)
	Gcs.battle_started.connect(_on_battle_started)
	Gcs.battle_failed.connect(_on_battle_failed)
	Gcs.battle_ended.connect(_on_battle_ended)
	Gcs.action_rejected.connect(func(rejection: GcsV1Battle.Rejection) -> void: show_hint(rejection.message))
	Gcs.settled.connect(_refresh)
	Gcs.pace_with(_show_event)
	_clear()
	arguments.seed_text("seed")
	if not arguments.error.is_empty():
		_show_notice(arguments.error)
		return
	var source: PackSource = PackSource.new()
	add_child(source)
	source.pack_read.connect(_on_pack_read)
	source.told.connect(_show_notice)
	source.begin(arguments)


## Starts a battle; without a seed one is drawn.
func start(encounter: String, seed_text: String = "") -> void:
	_encounter = encounter
	_clear()
	_notice.visible = Gcs.connection != GcsClient.Connection.ONLINE
	var options: GcsBattleOptions = GcsBattleOptions.new()
	# The seed is drawn here and not by the server, so that it can be shown and played again.
	options.set_seed(GcsSeed.from_text(seed_text) if not seed_text.is_empty() else randi())
	options.deck = run.deck_for(encounter, _catalog)
	Gcs.start_battle(_catalog.pack, encounter, options)


## Says something in passing above the hand.
func show_hint(text: String) -> void:
	sounds.play("refused")
	_hint.text = text
	_hint.visible = true
	_hint_until_ms = Time.get_ticks_msec() + int(HINT_SECONDS * 1_000.0)


func _process(_delta: float) -> void:
	controls.show_aiming(_aim.is_aiming())
	_top_bar.visible = not encounter_menu.visible and not pile_viewer.visible
	if _aim.is_aiming():
		details.dismiss()
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


func _set_up_parts() -> void:
	director.backdrop = backdrop
	director.banner = _banner
	director.field = field
	director.layer = %Effects
	director.sounds = sounds
	finale.sounds = sounds
	hand.left_of_hand = _draw_pile
	hand.right_of_hand = _end_turn
	_aim.hand = hand
	_aim.field = field
	_aim.arrow = _arrow
	_aim.start()
	_aim.play_chosen.connect(func(card: String, target: String) -> void: _act(Gcs.play_card(card, target)))
	_aim.refused.connect(show_hint)
	_aim.target_changed.connect(_preview.show_for)
	backdrop.mouse_filter = Control.MOUSE_FILTER_PASS
	_end_turn.pressed.connect(_on_end_turn)
	for pile: PileButton in [_draw_pile, _discard_pile, _exhaust_pile] as Array[PileButton]:
		pile.pressed.connect(_open_pile.bind(pile))
	_weather.toggled.connect(func(on: bool) -> void: weather_panel.visible = on)
	_trace.toggled.connect(_on_trace_toggled)
	_menu.pressed.connect(_open_menu)
	encounter_menu.follow(run)
	encounter_menu.encounter_chosen.connect(start)
	result_panel.retry_pressed.connect(func() -> void: start(_encounter))
	result_panel.same_seed_pressed.connect(func() -> void: start(_encounter, GcsSeed.to_text(Gcs.state.seed)))
	result_panel.continue_pressed.connect(_go_on)
	result_panel.menu_pressed.connect(_open_menu)
	result_panel.reward_picked.connect(run.win)
	_settings_button.pressed.connect(settings_panel.open)
	settings_panel.offer(settings)
	settings.changed.connect(_apply_settings)
	get_window().size_changed.connect(settings.apply_to.bind(get_window()))
	resized.connect(_layout.arrange.bind(self, hand))
	_layout.arrange(self, hand)
	_apply_settings()
	_show_battle_parts(false)


func _apply_settings() -> void:
	settings.apply_to(get_window())
	director.pace = Settings.PACES[settings.pace]
	sounds.on = settings.sound
	_seed.visible = settings.workings
	_trace.visible = settings.workings
	_weather.visible = settings.workings and _has_weather
	for toggle: Button in [_trace, _weather] as Array[Button]:
		toggle.button_pressed = toggle.button_pressed and toggle.visible
	encounter_menu.offer_seed(settings.workings)


func _set_up_controls() -> void:
	controls.actions = {
		"battle_end_turn": func() -> void:
			if not _end_turn.disabled:
				_on_end_turn(),
		"battle_trace": func() -> void: _trace.button_pressed = not _trace.button_pressed and _trace.visible,
		"battle_weather": _toggle_weather,
		"battle_menu": _open_menu,
		"battle_settings": settings_panel.open,
		"battle_draw_pile": _open_pile.bind(_draw_pile),
		"battle_discard_pile": _open_pile.bind(_discard_pile),
		"battle_exhaust_pile": _open_pile.bind(_exhaust_pile),
		"ui_cancel": func() -> void: _weather.button_pressed = false,
	}
	controls.focus_card = hand.focus_card
	controls.home = _home
	controls.panels = [result_panel, choice_panel, encounter_menu, pile_viewer, settings_panel]
	controls.closers = {
		pile_viewer: pile_viewer.hide,
		settings_panel: settings_panel.hide,
		encounter_menu: func() -> void:
			if encounter_menu.can_go_back():
				encounter_menu.hide(),
	}
	controls.hints_changed.connect(func(text: String) -> void: _keys.text = text)
	_keys.text = controls.hint()


## Where the focus goes when nothing has it: the card that lies where the last one was, else the end of the turn.
func _home() -> Control:
	if Gcs.state == null or not hand.active:
		return null
	if hand.views.is_empty():
		return _end_turn
	return hand.card_to_focus()


## To the battle that follows; after the last one to the menu.
func _go_on() -> void:
	var next: String = Run.next_after(_encounter, _catalog)
	if next.is_empty():
		_open_menu()
	else:
		start(next)


func _open_menu() -> void:
	if not _catalog.pack.is_empty():
		encounter_menu.open(_catalog, Gcs.state != null and Gcs.state.is_running())


func _open_pile(pile: PileButton) -> void:
	if Gcs.state != null:
		pile_viewer.open(pile.title, pile.pile(), Gcs.state, _catalog)


func _toggle_weather() -> void:
	_weather.button_pressed = _weather.visible and not _weather.button_pressed
	if _weather.button_pressed:
		weather_panel.focus_first()


## Energy, piles and the end of the turn mean nothing before the first battle.
func _show_battle_parts(on: bool) -> void:
	for part: Control in [_energy, _draw_pile, _discard_pile, _exhaust_pile, _end_turn] as Array[Control]:
		part.visible = on
	# Not hidden: its room keeps the buttons beside it at the right.
	_keys.modulate.a = 1.0 if on else 0.0


## Names, texts and pictures of the pack; then the battle that was asked for, or the menu.
func _on_pack_read(response: GcsV1Content.GetPackResponse) -> void:
	_catalog.read(response)
	_has_weather = weather_panel.offer(_catalog)
	_apply_settings()
	if arguments.has("encounter"):
		start(arguments.text("encounter"), arguments.seed_text("seed"))
	else:
		_open_menu()


## Nothing of a battle is shown.
func _clear() -> void:
	_acting = null
	_aim.cancel()
	details.dismiss()
	for panel: Control in [choice_panel, result_panel, encounter_menu, pile_viewer] as Array[Control]:
		panel.hide()
	trace_panel.clear()
	finale.clear()
	hand.active = false
	_end_turn.disabled = true
	_hint.visible = false


func _show_event(event: GcsV1Events.Event) -> void:
	trace_panel.add(event)
	await director.show_event(event)


func _on_battle_started(state: GcsBattleState) -> void:
	backdrop.show_scene(_catalog.field_of("encounters", state.encounter, "scene", "beach"))
	_place.text = _catalog.name_of("encounters", state.encounter)
	_seed.text = "Seed %s" % GcsSeed.to_text(state.seed)
	state.turn_changed.connect(func(turn: int, _phase: GcsV1Battle.Phase) -> void: _turn.text = "Turn %d" % turn)
	_turn.text = "Turn %d" % state.turn
	_show_battle_parts(true)
	director.opening = _catalog.opening_of(state.encounter)
	field.show_units(state, _catalog)
	hand.above_hand = field.view_of("player")
	hand.show_hand(state, _catalog)
	_energy.show_energy(state)
	_draw_pile.show_pile(state.draw)
	_discard_pile.show_pile(state.discard)
	_exhaust_pile.show_pile(state.exhaust)


func _on_battle_ended(result: GcsV1Battle.Result) -> void:
	_refresh()
	var ended: GcsBattleState = Gcs.state
	await finale.show_end(result.outcome, field.view_of("player").lamp(), director.pace)
	if Gcs.state == ended:
		result_panel.open(result, ended, _catalog, settings.workings)


func _on_battle_failed(status: GrpcStatus) -> void:
	_show_notice("The battle cannot go on: %s" % status.message)
	_clear()
	encounter_menu.open(_catalog, false)


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
	var asked: bool = state != null and state.is_running() and state.choice != null
	if asked and not Gcs.is_showing() and not choice_panel.visible:
		choice_panel.open(state.choice, state, _catalog)
	elif state != null and not asked:
		choice_panel.hide()


func _center_of(control: Control) -> Vector2:
	return hand.get_global_transform().affine_inverse() * control.get_global_rect().get_center()
