"""The trace of a battle as indented text: one event one line, indented by what caused it, turn by turn.

The same text is printed in process, over gRPC and by the Godot demo. It is plain ASCII. Units go by name,
cards by asset id; ``== ... ==`` lines stand at the left edge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from bridge.scenario.views import Happening, IntentView

Fields = Mapping[str, Any]

INDENT: Final = "  "
# What stands deeper is not indented further: its line begins with how much deeper it is, as ``(+3)``.
MOST_DEPTH: Final = 24
HEADINGS: Final = ("phase_changed", "battle_ended")


class TraceView:
    """Writes the events of one battle as lines, in order; it remembers how deep each event stands."""

    def __init__(self) -> None:
        """A view that has seen no event."""
        self._depths: dict[int, int] = {}

    def lines(self, happenings: Iterable[Happening]) -> Iterator[str]:
        """The lines of the next events.

        Args:
            happenings: Events in order, each one once.
        """
        for happening in happenings:
            depth = self._depths[happening.cause] + 1 if happening.cause in self._depths else 0
            self._depths[happening.sequence] = depth
            deeper = f"(+{depth - MOST_DEPTH}) " if depth > MOST_DEPTH else ""
            for index, line in enumerate(event_lines(happening)):
                if happening.kind in HEADINGS:
                    yield line
                elif index == 0:
                    yield INDENT * min(depth, MOST_DEPTH) + deeper + line
                else:
                    yield INDENT * (min(depth, MOST_DEPTH) + 1) + line


def trace_lines(happenings: Iterable[Happening]) -> list[str]:
    """The whole trace of a battle's events from its start."""
    return list(TraceView().lines(happenings))


def event_lines(happening: Happening) -> list[str]:
    """One event as text, not indented; what follows the first line belongs one level deeper."""
    write = _WRITERS.get(happening.kind)
    return write(happening.fields) if write is not None else [happening.kind]


def intent_text(intent: IntentView) -> str:
    """An intent: ``attack 11``, ``attack 5 x2``, ``buff``."""
    text = intent.kind
    if intent.amount:
        text += f" {intent.amount}"
        if intent.hits > 1:
            text += f" x{intent.hits}"
    return text


def _phase(fields: Fields) -> list[str]:
    return [] if fields["phase"] == "ended" else [f"== turn {fields['turn']}: {fields['phase']} =="]


def _card(fields: Fields) -> str:
    return fields["card_id"] or "a card"


def _played(fields: Fields) -> list[str]:
    target = "" if fields["target"] == "none" else f" on {fields['target']}"
    what = f"player plays {_card(fields)}" if fields["by_player"] else f"{_card(fields)} is played"
    return [f"{what}{target} for {fields['paid']}"]


def _damage(fields: Fields) -> list[str]:
    who = f"{fields['source']} hits {fields['target']}:" if fields["is_attack"] else f"{fields['target']} takes"
    numbers = f"{fields['amount']} damage, {fields['absorbed']} absorbed, {fields['hp_loss']} lost"
    return [f"{who} {numbers}"]


def _change(fields: Fields) -> str:
    return f"{fields['before']} -> {fields['after']}" + (f" ({fields['reason']})" if "reason" in fields else "")


def _died(fields: Fields) -> list[str]:
    killer = "" if fields["killer"] == "none" else f" (killer {fields['killer']})"
    return [f"{fields['unit']}: dies{killer}"]


def _raised(fields: Fields) -> str:
    return "".join(f" {name}={value}" for name, value in fields["arguments"].items())


def _ges_raised(fields: Fields) -> list[str]:
    origin = "battle" if fields["from_battle"] else "outside"
    return [f"GES event {fields['event']}{_raised(fields)} (from {origin})"]


def _choice(fields: Fields) -> list[str]:
    if fields["kind"] == "option":
        return [f"choice, option: {', '.join(fields['options'])}"]
    least, most = fields["min"], fields["max"]
    count = f"{least} card{'s' if least != 1 else ''}" if least == most else f"{least} to {most} cards"
    return [f"choice, {count}: {', '.join(fields['cards'])}"]


def _chosen(fields: Fields) -> list[str]:
    if fields["option"] >= 0:
        return [f"chosen: option {fields['option']}"]
    return [f"chosen: {', '.join(fields['cards']) or 'none'}"]


def _node(fields: Fields) -> list[str]:
    inputs, outputs = (
        "".join(f" {name}={value}" for name, value in fields[side].items()) for side in ("inputs", "outputs")
    )
    return [f"[{fields['node']}] {fields['type']}{inputs}" + (f" ->{outputs}" if outputs else "")]


# Links of a round that comes again; longer ones are written out.
_LONGEST_ROUND: Final = 16


def chain_lines(chain: Sequence[str]) -> list[str]:
    """The chain of a fault (R2.5), outermost first; links that come again and again stand there once, with a count."""
    lines: list[str] = []
    place = 0
    while place < len(chain):
        size, rounds = _round_at(chain, place)
        lines += [f"at {link}" for link in chain[place : place + size]]
        if rounds > 1:
            what = "the same" if size == 1 else f"these {size}"
            lines.append(f"... {what} again, {rounds - 1} time{'s' if rounds > 2 else ''}")
        place += size * rounds
    return lines


def _round_at(chain: Sequence[str], place: int) -> tuple[int, int]:
    """How many links from a place on come again at once, and how often they stand there; (1, 1): they do not."""
    for size in range(1, _LONGEST_ROUND + 1):
        links = chain[place : place + size]
        rounds = 1
        while chain[place + size * rounds : place + size * (rounds + 1)] == links:
            rounds += 1
        if rounds > 1 and len(links) == size:
            return size, rounds
    return 1, 1


_WRITERS: Final[dict[str, Callable[[Fields], list[str]]]] = {
    "action_started": lambda f: [f"> {f['kind']}"],
    "entry_dispatched": lambda f: [f["line"]],
    "card_moved": lambda f: [f"{_card(f)}: {f['from_pile']} -> {f['to_pile']} ({f['reason']})"],
    "card_created": lambda f: [f"{_card(f)}: created in {f['pile']}"],
    "card_changed": lambda f: [f"{_card(f)}: {f['what']}"],
    "card_played": _played,
    "draw_pile_shuffled": lambda f: [f"draw pile shuffled, {f['size']} cards"],
    "damage_resolved": _damage,
    "hp_changed": lambda f: [f"{f['unit']}: HP {_change(f)}"],
    "max_hp_changed": lambda f: [f"{f['unit']}: max HP {_change(f)}"],
    "armor_changed": lambda f: [f"{f['unit']}: armor {_change(f)}"],
    "energy_changed": lambda f: [f"energy {_change(f)}"],
    "stacks_changed": lambda f: [f"{f['unit']}: {f['status']} {_change(f)}"],
    "intent_changed": lambda f: [f"{f['unit']}: intends {intent_text(f['intent'])}"],
    "unit_spawned": lambda f: [f"{f['unit']}: {f['enemy']} comes, {f['hp']}/{f['max_hp']} HP"],
    "unit_died": _died,
    "unit_removed": lambda f: [f"{f['unit']}: leaves"],
    "phase_changed": _phase,
    "enemy_acted": lambda f: [f"{f['unit']}: acts, {f['intent'].kind}"],
    "variable_changed": lambda f: [f"{f['owner']}: {f['name']} = {f['after']}"],
    "internal_event_raised": lambda f: [f"internal event {f['name']}{_raised(f)}"],
    "ges_event_raised": _ges_raised,
    "choice_requested": _choice,
    "choice_answered": _chosen,
    "fault": lambda f: [f"! fault {f['kind']}: {f['message']}", *chain_lines(f["chain"])],
    "warning": lambda f: [f"! warning {f['kind']}: {f['message']}"],
    "battle_ended": lambda f: [f"== {f['outcome']}, {f['hp']} HP =="],
    "node_run": _node,
}
