extends Node
## Turns the events of a battle into motion, one after the other: the handler that [method GcsClient.pace_with] awaits.

const Backdrop = preload("backdrop.gd")
const FloatingNumber = preload("floating_number.gd")
const Sounds = preload("sounds.gd")
const Palette = preload("../ui/palette.gd")
const TurnBanner = preload("turn_banner.gd")
const UnitField = preload("../units/unit_field.gd")
const UnitView = preload("../units/unit_view.gd")

## Another frame has passed.
signal _ticked()

const DRAW_SECONDS: float = 0.09
const PLAY_SECONDS: float = 0.3
const HIT_SECONDS: float = 0.26
const CHANGE_SECONDS: float = 0.12
const ACT_SECONDS: float = 0.3
const DEATH_SECONDS: float = 0.5
const BOSS_SECONDS: float = 2.4
## Where numbers start, one after the other, from the middle of a unit.
const LANES: Array[Vector2] = [Vector2(-40, 6), Vector2(40, -6), Vector2(0, -30)]
## Arguments of weather events go up to this.
const FULL_STRENGTH: float = 9.0

## Set by the screen.
var backdrop: Backdrop
var banner: TurnBanner
var field: UnitField
## Where numbers appear.
var layer: Control
var sounds: Sounds
## Told once, before the first turn: who waits here, and a line about it; empty for none.
var opening: PackedStringArray = []
## Factor on all waits; 0 shows everything at once.
var pace: float = 1.0

## Numbers shown so far.
var _numbers: int = 0
## Seconds that this node has lived.
var _clock: float = 0.0


func _process(delta: float) -> void:
	_clock += delta
	_ticked.emit()


## Ends the event that is being shown: an engine that quits in the middle of a coroutine reports it as leaked.
func finish() -> void:
	_clock = INF
	_ticked.emit()


## Shows one event; returns when the next one may follow.
func show_event(event: GcsV1Events.Event) -> void:
	match event.kind_case:
		GcsV1Events.Event.KindCase.PHASE_CHANGED:
			await _show_phase(event.phase_changed)
		GcsV1Events.Event.KindCase.ENTRY_DISPATCHED:
			_show_entry(event.entry_dispatched)
		GcsV1Events.Event.KindCase.CARD_MOVED:
			if event.card_moved.from_pile == GcsV1Battle.Pile.PILE_DRAW:
				_sound("draw")
				await _wait(DRAW_SECONDS)
		GcsV1Events.Event.KindCase.CARD_PLAYED:
			_sound("play")
			_show_play(event.card_played)
			await _wait(PLAY_SECONDS)
		GcsV1Events.Event.KindCase.DAMAGE_RESOLVED:
			await _show_damage(event.damage_resolved)
		GcsV1Events.Event.KindCase.HP_CHANGED:
			_show_hp(event.hp_changed)
		GcsV1Events.Event.KindCase.ARMOR_CHANGED:
			if event.armor_changed.reason == "gain":
				_sound("armor")
				_float(event.armor_changed.unit, "+%d" % (event.armor_changed.after - event.armor_changed.before),
						Palette.ARMOR, 26)
				await _wait(CHANGE_SECONDS)
		GcsV1Events.Event.KindCase.STACKS_CHANGED:
			_sound("status")
			await _wait(CHANGE_SECONDS)
		GcsV1Events.Event.KindCase.ENEMY_ACTED:
			await _show_enemy(event.enemy_acted)
		GcsV1Events.Event.KindCase.UNIT_DIED:
			_sound("death")
			await _wait(DEATH_SECONDS)
		GcsV1Events.Event.KindCase.UNIT_SPAWNED:
			await _wait(ACT_SECONDS)
		GcsV1Events.Event.KindCase.GES_EVENT_RAISED:
			await _show_weather(event.ges_event_raised)
		GcsV1Events.Event.KindCase.WARNING, GcsV1Events.Event.KindCase.FAULT:
			push_warning(str(event))


func _show_phase(change: GcsV1Events.PhaseChanged) -> void:
	if pace == 0.0:
		return
	if not opening.is_empty():
		_sound("boss")
		banner.announce(opening[0], opening[1], Palette.HARM, BOSS_SECONDS)
		opening.clear()
		await _wait(BOSS_SECONDS)
	match change.phase:
		GcsV1Battle.Phase.PHASE_PLAYER:
			_sound("turn")
			banner.announce("Your turn", "Turn %d" % change.turn, Palette.LAMP)
			await _wait(TurnBanner.SECONDS)
		GcsV1Battle.Phase.PHASE_ENEMY:
			_sound("enemy")
			banner.announce("Enemy turn", "", Palette.HARM)
			await _wait(TurnBanner.SECONDS)


func _show_entry(entry: GcsV1Events.EntryDispatched) -> void:
	var view: UnitView = field.view_of(entry.owner.unit)
	if view != null and entry.owner.kind == GcsV1Events.OwnerKind.OWNER_KIND_STATUS:
		view.pulse_status(entry.owner.id)


func _show_play(played: GcsV1Events.CardPlayed) -> void:
	var player: UnitView = field.view_of("player")
	if player != null and not played.target.is_empty() and played.target != "player":
		player.lunge()


func _show_damage(damage: GcsV1Events.DamageResolved) -> void:
	var view: UnitView = field.view_of(damage.target)
	if view == null:
		return
	view.shake()
	_sound("hit" if damage.hp_loss > 0 else "block")
	if damage.hp_loss > 0:
		_float(damage.target, str(damage.hp_loss), Palette.HARM, 26 + mini(damage.hp_loss, 24))
	elif damage.absorbed > 0:
		_float(damage.target, "blocked", Palette.ARMOR, 24)
	await _wait(HIT_SECONDS)


func _show_hp(change: GcsV1Events.HpChanged) -> void:
	if change.after > change.before:
		_sound("heal")
	if change.reason == "loss":
		_sound("hurt")
		_float(change.unit, str(change.before - change.after), Palette.DEBUFF, 28)
	elif change.after > change.before:
		_float(change.unit, "+%d" % (change.after - change.before), Palette.HEAL, 28)


func _show_enemy(acted: GcsV1Events.EnemyActed) -> void:
	var view: UnitView = field.view_of(acted.unit)
	if view == null:
		return
	view.lunge()
	if acted.intent != null and not acted.intent.text.is_empty():
		_float(acted.unit, acted.intent.text, Palette.TEXT, 20)
	await _wait(ACT_SECONDS)


func _show_weather(raised: GcsV1Events.GesEventRaised) -> void:
	var strength: float = 0.5
	for argument: GcsV1Events.Port in raised.arguments:
		if argument.name == "arg" and argument.value.kind_case == GcsV1Events.Value.KindCase.INT_VALUE:
			strength = clampf(argument.value.int_value / FULL_STRENGTH, 0.0, 1.0)
	match raised.event:
		"thunder", "flash":
			_sound("thunder")
			backdrop.flash(strength)
			await _wait(ACT_SECONDS)
		"rain":
			backdrop.rain = strength


## Shown at once means that nothing is heard: it would all sound together.
func _sound(sound: String) -> void:
	if pace > 0.0:
		sounds.play(sound)


func _float(unit: String, text: String, color: Color, font_size: int) -> void:
	var view: UnitView = field.view_of(unit)
	if view == null:
		return
	# Several numbers of one unit rise side by side.
	var spread: Vector2 = LANES[_numbers % LANES.size()]
	_numbers += 1
	var number: FloatingNumber = FloatingNumber.new()
	number.start(layer, layer.get_global_transform().affine_inverse() * view.chest() + spread, text, color, font_size)


func _wait(seconds: float) -> void:
	var until: float = _clock + seconds * pace
	while _clock < until:
		await _ticked
