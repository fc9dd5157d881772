"""Notices: internal events that the engine raises under the prefix ``gcs.`` (R6.3).

A caller first looks in `Content.noticed` whether anybody listens, so that a notice nobody hears costs
a look-up.
"""

from __future__ import annotations

from runtime.battle.event_arguments import NOTICE_CARDS
from runtime.battle.ges_raising import NOTICE, raise_from_battle
from runtime.battle.internal_events import raise_internal_event
from runtime.battle.state import OUTCOMES, RUNNING, Battle
from runtime.content.notices import PREFIX


def notice(battle: Battle, name: str, arguments: dict[str, object]) -> None:
    """Raises a notice: graph receivers first, then the GES event bound to it.

    Once the battle is decided, within E2 as well, only ``battle_ended`` is raised (R2.7).

    Args:
        battle: The battle.
        name: Its name without the prefix, such as ``card_played``.
        arguments: Its arguments.
    """
    if battle.outcome != RUNNING and name != "battle_ended":
        return
    if name != "battle_ended" and PREFIX + name in battle.content.internal_heard:
        raise_internal_event(battle, PREFIX + name, arguments, NOTICE_CARDS)
    event = battle.content.notify.get(name)
    if event is None:
        return
    if name == "battle_ended":
        arguments = {"outcome": OUTCOMES[battle.outcome]}
    raise_from_battle(battle, event, arguments_for(event.argument, arguments), NOTICE)


# Which argument of a notice a bound GES event of this argument type carries: the first that fits.
_TYPES: dict[str, tuple[str, ...]] = {
    "unit": ("unit", "target", "source"),
    "card": ("card",),
    "text": ("cause", "outcome"),
}


def arguments_for(argument: str, arguments: dict[str, object]) -> dict[str, object]:
    """A notice's arguments as those of a GES event with this argument type."""
    if argument == "struct":
        return arguments
    for name in _TYPES.get(argument, ()):
        if name in arguments:
            return {"arg": arguments[name]}
    return {}
