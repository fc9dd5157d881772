extends Node
## While a card is aimed: asks the battle what it would do to the target, and shows it on the card and on the target's
## bar.

const CardView = preload("../cards/card_view.gd")
const Forecast = preload("forecast.gd")
const UnitView = preload("../units/unit_view.gd")

## The card and the target that are shown or asked about; null for none.
var _card: CardView = null
var _target: UnitView = null


## Shows what [param card] would do to [param target]; nothing any more when one of them is null.
func show_for(card: CardView, target: UnitView) -> void:
	if card == _card and target == _target:
		return
	clear()
	if card == null or target == null:
		return
	_card = card
	_target = target
	var told: GcsV1Service.PreviewResponse = await Gcs.preview(card.card.id, target.unit.id).response()
	# The player has gone on, or the battle has.
	if told == null or card != _card or target != _target or not is_instance_valid(card) or not is_instance_valid(
			target):
		return
	card.show_words(told.text)
	var forecast: Forecast = Forecast.of(told.text, target.unit.hp, target.unit.armor)
	target.show_forecast(forecast.hp if forecast != null else 0, forecast.armor if forecast != null else 0)


## Takes back what is shown.
func clear() -> void:
	if is_instance_valid(_card):
		_card.show_words("")
	if is_instance_valid(_target):
		_target.show_forecast(0, 0)
	_card = null
	_target = null
