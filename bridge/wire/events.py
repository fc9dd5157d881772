"""The log of a battle as events on the wire.

**The hidden draw pile.** Unless the battle was started with it open, events tell nothing that depends
on the order of the draw pile. `EventWriter` follows where each card is while it reads the log, and for
a card that lies in the draw pile at that moment

- places in the pile are left out, and the instance of a card that moves inside it or is created in it;
- Entries that run over the pile in its order (E7, E32, E33) do not name whose graph runs, faults
  neither;
- what changes of it (cost, keyword, definition, its variables) is an event without a kind;
- references to it in arguments are empty.

What such a graph then does is seen, as it has to be: that two cards react, and that armor and then HP
changes. Cards that a graph draws, moves out or offers in a choice are named, and so is what it makes of
them. A battle started with ``shuffle: false`` has no secret at all: its order is the deck's.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from bridge.pb.gcs.v1 import events_pb2 as pb
from bridge.wire.arguments import ArgumentTypes, arguments_key, write_arguments
from bridge.wire.encoding import Lengths, Memory, Numbers, submessage
from bridge.wire.names import PILES, card_name, number_name
from bridge.wire.parts import write_choice, write_result
from bridge.wire.plain_events import PLAIN_KINDS, encode_plain
from runtime.battle import events as log
from runtime.battle.ges_raising import CHAIN, GRAPH, NOTICE, OUTSIDE, TRIGGER
from runtime.battle.state import DRAW, Battle, Unit
from runtime.graph.definitions import StatusDefinition

_OWNER_KINDS: Final = {
    "card": pb.OWNER_KIND_CARD,
    "status": pb.OWNER_KIND_STATUS,
    "enemy": pb.OWNER_KIND_ENEMY,
}
_ORIGINS: Final = {
    OUTSIDE: pb.RAISE_ORIGIN_OUTSIDE,
    GRAPH: pb.RAISE_ORIGIN_GRAPH,
    NOTICE: pb.RAISE_ORIGIN_NOTICE,
    TRIGGER: pb.RAISE_ORIGIN_TRIGGER,
    CHAIN: pb.RAISE_ORIGIN_CHAIN,
}
# Entries that run over the draw pile in its order: E7, E32, E33.
_IN_PILE_ORDER: Final = frozenset({"on_draw_pile_shuffled", "on_internal_event", "on_ges_event"})
_UNNAMED: Final = "card"
_MOST_BYTES: Final = 2 * 1024 * 1024

# What events say, encoded, by what it follows from: of the kinds that are plain values by their number, of moves whose
# place may be told, of all others.
_plain: Final = [Memory(_MOST_BYTES) if kind in PLAIN_KINDS else None for kind in range(len(log.FIELDS))]
_moves: Final = Memory(_MOST_BYTES)
_memory: Final = Memory()

# Fields of Update and Event that are encoded by hand: what stands before an event of a length, and numbers.
_EVENTS: Final = Lengths(pb.Update.EVENTS_FIELD_NUMBER)
_SEQUENCES: Final = Numbers(pb.Event.SEQUENCE_FIELD_NUMBER)
_CAUSES: Final = Numbers(pb.Event.CAUSE_FIELD_NUMBER)
_ACTION_STARTED: Final = pb.Event.ACTION_STARTED_FIELD_NUMBER
_GES_EVENT_RAISED: Final = pb.Event.GES_EVENT_RAISED_FIELD_NUMBER


class _ActionKinds(dict[str, bytes]):
    """An encoded ActionStarted without an id, by its kind."""

    def __missing__(self, kind: str) -> bytes:
        encoded = self[kind] = pb.ActionStarted(kind=kind).SerializeToString()
        return encoded


_ACTION_KINDS: Final = _ActionKinds()


@dataclass(frozen=True, slots=True)
class RaisedEvent:
    """A GES event that was raised.

    Attributes:
        sequence: Its number in the battle.
        guid: Its GUID.
        from_battle: Whether the battle raised it by itself.
        encoded: What is told of it, an encoded GesEventRaised.
        answers: The GUIDs of the raises that it answers, outermost first.
        asked: How many raises from outside had been carried out, it or the one it follows from included.
    """

    sequence: int
    guid: str
    from_battle: bool
    encoded: bytes
    answers: tuple[str, ...]
    asked: int


class EventWriter:
    """Writes the log of one battle, from its start and in order, as encoded events.

    Attributes:
        raised: The GES events among them; whoever reads them empties it.
        faults: The faults among them; whoever reads them empties it.
    """

    __slots__ = ("_action_id", "_asked", "_battle", "_hidden", "_in_draw", "_types", "faults", "raised")

    def __init__(self, battle: Battle, open_draw_pile: bool, types: ArgumentTypes) -> None:
        """Makes a writer that stands before set-up.

        Args:
            battle: The battle.
            open_draw_pile: Whether the order of the draw pile may be told.
            types: The types of arguments in the battle's pack.
        """
        self._battle = battle
        self._hidden = not open_draw_pile
        self._in_draw: set[int] = set(range(len(battle.encounter.cards))) if self._hidden else set()
        self._types = types
        self._action_id = ""
        # How many raises from outside have been carried out.
        self._asked = 0
        self.raised: list[RaisedEvent] = []
        self.faults: list[pb.Fault] = []

    def encode(self, first: int, entries: list[tuple[Any, ...]], action_id: str) -> bytes:
        """Events as the encoded field `events` of an update.

        Args:
            first: The sequence number of the first one.
            entries: The log's entries.
            action_id: The id of the action that they follow from.
        """
        self._action_id = action_id
        parts: list[bytes] = []
        memory = _memory
        plain = _plain
        hidden = self._hidden
        in_draw = self._in_draw
        sequences = _SEQUENCES
        causes = _CAUSES
        lengths = _EVENTS
        for sequence, entry in enumerate(entries, first):
            number = entry[0]
            key: Hashable
            known = plain[number]
            if known is not None:
                # All but the cause, which is another one each time.
                key = entry[2:]
                kind = known.get(key)
                if kind is None:
                    kind = known.keep(key, encode_plain(entry))
            elif number == log.CARD_MOVED:
                if hidden and entry[5] == DRAW:
                    kind = self._encode_hidden_move(entry)
                else:
                    in_draw.discard(entry[2])
                    key = entry[2:]
                    kind = _moves.get(key)
                    if kind is None:
                        kind = _moves.keep(key, _encode_move(entry))
            elif number == log.ENTRY_DISPATCHED:
                key = self._dispatch_key(entry)
                kind = memory.get(key)
                if kind is None:
                    kind = memory.keep(key, self._encode_kind(entry))
            elif number == log.GES_EVENT_RAISED:
                encoded = self._encode_raised(entry)
                self.raised.append(RaisedEvent(sequence, entry[2].guid, entry[4], encoded, entry[6], self._asked))
                kind = submessage(_GES_EVENT_RAISED, encoded)
            elif number == log.INTERNAL_EVENT_RAISED:
                cards = self._types.internal(entry[2])
                key = (number, entry[2], arguments_key(entry[3], cards, self._in_draw, self._battle))
                kind = memory.get(key)
                if kind is None:
                    kind = memory.keep(key, self._encode_kind(entry))
            elif number == log.ACTION_STARTED:
                kind = self._encode_action_started(entry[2])
            else:
                kind = self._encode_kind(entry)
            event = sequences[sequence] + causes[entry[1]] + kind
            parts.append(lengths[len(event)])
            parts.append(event)
        return b"".join(parts)

    def _encode_kind(self, entry: tuple[Any, ...]) -> bytes:
        """An encoded event without sequence and cause."""
        event = pb.Event()
        _WRITERS[entry[0]](self, event, entry)
        return event.SerializeToString()

    def _encode_hidden_move(self, entry: tuple[Any, ...]) -> bytes:
        """A move into a hidden draw pile: without the place there, without the card when it moves inside it."""
        card = entry[2]
        inside = card in self._in_draw
        self._in_draw.add(card)
        key = (inside, entry[2:])
        return _memory.get(key) or _memory.keep(key, _encode_move(entry, hidden=True, inside=inside))

    def _dispatch_key(self, entry: tuple[Any, ...]) -> tuple[Hashable, ...]:
        """All that a dispatched Entry tells, as plain values: the same Entries come again and again."""
        _, _, branch, unit, card, ports, card_id = entry
        in_draw = self._in_draw
        names = branch.port_names
        said = [names, branch.entry, branch.owner_kind, branch.owner, branch.node, unit, card, card in in_draw]
        for name in names:
            value = getattr(ports, name)
            if name == "card":
                said += (value, value in in_draw, card_id)
            elif isinstance(value, Unit):
                said.append(value.number)
            else:
                # A status by its id, for the memory outlives packs; else a number, whether it was a kill, or nobody.
                said.append(value.id if isinstance(value, StatusDefinition) else value)
        return tuple(said)

    def _known(self, card: int) -> str:
        """A card's name; empty while it lies in a hidden draw pile."""
        return "" if card in self._in_draw else card_name(card)

    def _encode_action_started(self, kind: str) -> bytes:
        encoded = _ACTION_KINDS[kind]
        # What waited behind a choice follows the action that answered it, under no id.
        if kind == "raise":
            self._asked += 1
        elif kind != "scheduled" and self._action_id:
            encoded += submessage(pb.ActionStarted.ACTION_ID_FIELD_NUMBER, self._action_id.encode())
        return submessage(_ACTION_STARTED, encoded)

    def _entry_dispatched(self, event: pb.Event, entry: tuple[Any, ...]) -> None:
        _, _, branch, unit, card, ports, card_id = entry
        dispatched = event.entry_dispatched
        dispatched.entry = branch.entry
        owner = dispatched.owner
        kind = branch.owner_kind
        owner.kind = _OWNER_KINDS[kind]
        if card in self._in_draw:
            if branch.entry not in _IN_PILE_ORDER:
                owner.id = branch.owner
                dispatched.node = branch.node
        else:
            owner.id = branch.owner
            dispatched.node = branch.node
            if kind == "card":
                owner.card = card_name(card)
            else:
                owner.unit = number_name(unit)
        for name in branch.port_names:
            self._write_port(dispatched.ports.add(), name, ports, card_id)

    def _write_port(self, port: pb.Port, name: str, ports: Any, card_id: str) -> None:
        port.name = name
        value = port.value
        if name == "card":
            reference = value.card_value
            reference.SetInParent()
            if ports.card >= 0:
                reference.card = self._known(ports.card)
                reference.card_id = card_id
        elif name == "status":
            value.status_value = ports.status.id if ports.status is not None else ""
        elif name == "was_kill":
            value.bool_value = ports.was_kill
        elif name in ("amount", "stacks"):
            value.int_value = getattr(ports, name)
        else:
            unit = getattr(ports, name)
            value.unit_value = unit.name if unit is not None else ""

    def _card_created(self, event: pb.Event, entry: tuple[Any, ...]) -> None:
        _, _, card, card_id, pile, index = entry
        created = event.card_created
        created.card_id = card_id
        created.pile = PILES[pile]
        if self._hidden and pile == DRAW:
            self._in_draw.add(card)
            return
        created.card = card_name(card)
        if index:
            created.index = index

    def _card_changed(self, event: pb.Event, entry: tuple[Any, ...]) -> None:
        _, _, card, card_id, what = entry
        if card in self._in_draw:
            return
        changed = event.card_changed
        changed.card = card_name(card)
        changed.card_id = card_id
        changed.what = what

    def _variable_changed(self, event: pb.Event, entry: tuple[Any, ...]) -> None:
        _, _, scope, owner, name, before, after = entry
        if scope == "card" and owner in self._in_draw:
            return
        changed = event.variable_changed
        changed.scope = scope
        if scope == "unit":
            changed.owner = number_name(owner)
        elif scope == "card":
            changed.owner = card_name(owner)
        changed.name = name
        changed.before = before
        changed.after = after

    def _internal_event_raised(self, event: pb.Event, entry: tuple[Any, ...]) -> None:
        raised = event.internal_event_raised
        raised.name = entry[2]
        cards = self._types.internal(entry[2])
        write_arguments(raised.arguments, entry[3], cards, self._card_reference)

    def _encode_raised(self, entry: tuple[Any, ...]) -> bytes:
        """A raised GES event as an encoded GesEventRaised."""
        _, _, definition, arguments, from_battle, origin, answers = entry
        cards = self._types.ges(definition, arguments)
        echoes = answers.count(definition.guid)
        said = arguments_key(arguments, cards, self._in_draw, self._battle)
        key = (definition.guid, definition.id, from_battle, origin, echoes, said)
        known = _memory.get(key)
        if known is not None:
            return known
        raised = pb.GesEventRaised(
            guid=definition.guid,
            event=definition.id,
            from_battle=from_battle,
            origin=_ORIGINS[origin],
            echoes=echoes,
        )
        write_arguments(raised.arguments, arguments, cards, self._card_reference)
        return _memory.keep(key, raised.SerializeToString())

    def _card_reference(self, number: int, reference: pb.CardRef) -> None:
        if number >= 0 and number not in self._in_draw:
            reference.card = card_name(number)
            reference.card_id = self._battle.cards[number].definition.id

    def _choice_requested(self, event: pb.Event, entry: tuple[Any, ...]) -> None:
        choice = entry[2]
        hidden = sorted([number for number in choice.cards if number in self._in_draw])
        shown = [number for number in choice.cards if number not in self._in_draw] + hidden
        write_choice(event.choice_requested.choice, choice, shown)

    def _choice_answered(self, event: pb.Event, entry: tuple[Any, ...]) -> None:
        answered = event.choice_answered
        answered.cards.extend([card_name(number) for number in entry[2]])
        answered.option = entry[3]

    def _fault(self, event: pb.Event, entry: tuple[Any, ...]) -> None:
        _, _, kind, message, chain = entry
        fault = event.fault
        fault.kind = kind
        fault.message = message
        fault.chain.extend([_without_hidden(step) for step in chain] if self._hidden else chain)
        self.faults.append(fault)

    def _warning(self, event: pb.Event, entry: tuple[Any, ...]) -> None:
        event.warning.kind = entry[2]
        event.warning.message = entry[3]

    def _battle_ended(self, event: pb.Event, entry: tuple[Any, ...]) -> None:
        write_result(event.battle_ended.result, self._battle)


def _encode_move(entry: tuple[Any, ...], hidden: bool = False, inside: bool = False) -> bytes:
    _, _, card, card_id, from_pile, to_pile, index, reason = entry
    event = pb.Event()
    moved = event.card_moved
    moved.from_pile = PILES[from_pile]
    moved.to_pile = PILES[to_pile]
    moved.reason = reason
    if not hidden:
        moved.index = index
    if not inside:
        moved.card = card_name(card)
        moved.card_id = card_id
    return event.SerializeToString()


def _without_hidden(step: str) -> str:
    """A step of a fault's chain, ``card:<id> <entry>/<node>``, without what runs in the order of the draw pile."""
    owner, _, place = step.partition(" ")
    entry = place.partition("/")[0]
    if owner.startswith("card:") and entry in _IN_PILE_ORDER:
        return f"{_UNNAMED} {entry}"
    return step


_WRITERS: Final[Mapping[int, Callable[[EventWriter, pb.Event, tuple[Any, ...]], None]]] = {
    log.ENTRY_DISPATCHED: EventWriter._entry_dispatched,
    log.CARD_CREATED: EventWriter._card_created,
    log.CARD_CHANGED: EventWriter._card_changed,
    log.VARIABLE_CHANGED: EventWriter._variable_changed,
    log.INTERNAL_EVENT_RAISED: EventWriter._internal_event_raised,
    log.CHOICE_REQUESTED: EventWriter._choice_requested,
    log.CHOICE_ANSWERED: EventWriter._choice_answered,
    log.FAULT: EventWriter._fault,
    log.WARNING: EventWriter._warning,
    log.BATTLE_ENDED: EventWriter._battle_ended,
}
