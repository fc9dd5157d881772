"""Events whose log entries are plain values that say all there is, whatever the battle: they can be encoded once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from bridge.pb.gcs.v1 import events_pb2 as pb
from bridge.wire.names import PHASES, card_name, number_name
from bridge.wire.parts import write_intent
from runtime.battle import events as log


def encode_plain(entry: tuple[Any, ...]) -> bytes:
    """An entry of one of `PLAIN_KINDS` as an encoded event without sequence and cause."""
    event = pb.Event()
    PLAIN_KINDS[entry[0]](event, entry)
    return event.SerializeToString()


def _card_played(event: pb.Event, entry: tuple[Any, ...]) -> None:
    _, _, card, card_id, target, paid, by_player = entry
    played = event.card_played
    played.card = card_name(card)
    played.card_id = card_id
    if target >= 0:
        played.target = number_name(target)
    played.paid = paid
    played.by_player = by_player


def _draw_pile_shuffled(event: pb.Event, entry: tuple[Any, ...]) -> None:
    event.draw_pile_shuffled.size = entry[2]


def _damage_resolved(event: pb.Event, entry: tuple[Any, ...]) -> None:
    _, _, source, target, amount, absorbed, hp_loss, is_attack = entry
    damage = event.damage_resolved
    if source >= 0:
        damage.source = number_name(source)
    damage.target = number_name(target)
    damage.amount = amount
    damage.absorbed = absorbed
    damage.hp_loss = hp_loss
    damage.is_attack = is_attack


def _hp_changed(event: pb.Event, entry: tuple[Any, ...]) -> None:
    changed = event.hp_changed
    _, _, unit, changed.before, changed.after, changed.reason = entry
    changed.unit = number_name(unit)


def _max_hp_changed(event: pb.Event, entry: tuple[Any, ...]) -> None:
    changed = event.max_hp_changed
    _, _, unit, changed.before, changed.after = entry
    changed.unit = number_name(unit)


def _armor_changed(event: pb.Event, entry: tuple[Any, ...]) -> None:
    changed = event.armor_changed
    _, _, unit, changed.before, changed.after, changed.reason = entry
    changed.unit = number_name(unit)


def _energy_changed(event: pb.Event, entry: tuple[Any, ...]) -> None:
    changed = event.energy_changed
    _, _, changed.before, changed.after, changed.reason = entry


def _stacks_changed(event: pb.Event, entry: tuple[Any, ...]) -> None:
    changed = event.stacks_changed
    _, _, unit, changed.status, changed.before, changed.after, changed.reason = entry
    changed.unit = number_name(unit)


def _intent_changed(event: pb.Event, entry: tuple[Any, ...]) -> None:
    changed = event.intent_changed
    changed.unit = number_name(entry[2])
    write_intent(changed.intent, entry[3].values())


def _unit_spawned(event: pb.Event, entry: tuple[Any, ...]) -> None:
    spawned = event.unit_spawned
    _, _, unit, spawned.enemy, spawned.hp, spawned.max_hp = entry
    spawned.unit = number_name(unit)


def _unit_died(event: pb.Event, entry: tuple[Any, ...]) -> None:
    died = event.unit_died
    died.unit = number_name(entry[2])
    died.killer = number_name(entry[3])


def _unit_removed(event: pb.Event, entry: tuple[Any, ...]) -> None:
    event.unit_removed.unit = number_name(entry[2])


def _phase_changed(event: pb.Event, entry: tuple[Any, ...]) -> None:
    changed = event.phase_changed
    changed.turn = entry[2]
    changed.phase = PHASES[entry[3]]


def _enemy_acted(event: pb.Event, entry: tuple[Any, ...]) -> None:
    acted = event.enemy_acted
    acted.unit = number_name(entry[2])
    write_intent(acted.intent, entry[3].values())


# Each writes an entry into an empty event.
PLAIN_KINDS: Final[Mapping[int, Callable[[pb.Event, tuple[Any, ...]], None]]] = {
    log.CARD_PLAYED: _card_played,
    log.DRAW_PILE_SHUFFLED: _draw_pile_shuffled,
    log.DAMAGE_RESOLVED: _damage_resolved,
    log.HP_CHANGED: _hp_changed,
    log.MAX_HP_CHANGED: _max_hp_changed,
    log.ARMOR_CHANGED: _armor_changed,
    log.ENERGY_CHANGED: _energy_changed,
    log.STACKS_CHANGED: _stacks_changed,
    log.INTENT_CHANGED: _intent_changed,
    log.UNIT_SPAWNED: _unit_spawned,
    log.UNIT_DIED: _unit_died,
    log.UNIT_REMOVED: _unit_removed,
    log.PHASE_CHANGED: _phase_changed,
    log.ENEMY_ACTED: _enemy_acted,
}
