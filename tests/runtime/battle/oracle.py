"""What a log must never show: the "never fires" side of every Entry, read from the events that caused each line.

The log is a tree by `cause`. An Entry line has to hang below an event of the right kind, about the right
unit or card, with the same amounts; and the events that must fire an Entry are counted against its lines.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from runtime.battle import Battle, Event, read_events
from runtime.battle.state import DISCARD, DRAW, ENEMY_PHASE, EXHAUST_PILE, HAND, PLAYER_PHASE, SETUP
from runtime.graph.frame import DeathPorts, SpawnPorts, StatusPorts

ONCE = ("on_battle_start", "on_battle_end")
# A dead player keeps its statuses until E2 (R4.8): what a hook of the fatal hit spent is still told (R4.9).
SPENT = ("on_status_stacks_changed", "on_status_removed")
PLAYER_ONLY = ("on_draw_phase", "on_discard_phase", "on_energy_gained", "on_energy_spent", "on_card_drawn")


class Oracle:
    """Reads a battle's log from its start; `check` raises at the first line that should not be there."""

    def __init__(self, battle: Battle) -> None:
        self.battle = battle
        self.events: list[Event] = []
        self.phase = SETUP
        self.turn = 0
        self.ended = 0
        self.faults = 0
        self.dead: set[int] = set()
        self.once: Counter[tuple[str, int]] = Counter()
        self.due: Counter[tuple[str, int]] = Counter()
        self.lines: Counter[tuple[str, int]] = Counter()
        self.last_move: dict[int, tuple[int, str]] = {}

    def check(self) -> None:
        """Checks what was logged since the last call."""
        for event in read_events(self.battle, len(self.events)):
            self.events.append(event)
            assert 0 <= event.cause < event.sequence
            handler = getattr(self, f"_{event.kind}", None)
            if handler is not None:
                handler(event.fields)
            if event.kind == "entry_dispatched":
                self._entry(event)
        if not self.faults and self.battle.outcome == 0 and self.battle.choice is None:
            assert self.lines == self.due, {key: (self.lines[key], self.due[key]) for key in self.lines | self.due}

    def cause(self, event: Event) -> Event:
        assert event.cause > 0, event
        return self.events[event.cause - 1]

    # What the events say.

    def _phase_changed(self, fields: dict[str, Any]) -> None:
        self.phase, self.turn = fields["phase"], fields["turn"]

    def _fault(self, fields: dict[str, Any]) -> None:
        self.faults += 1

    def _battle_ended(self, fields: dict[str, Any]) -> None:
        self.ended += 1
        assert self.ended == 1

    def _unit_died(self, fields: dict[str, Any]) -> None:
        assert fields["unit"] not in self.dead
        self.dead.add(fields["unit"])

    def _card_moved(self, fields: dict[str, Any]) -> None:
        card, pile, reason = fields["card"], fields["to_pile"], fields["reason"]
        self.last_move[card] = (pile, reason)
        if reason == "draw":
            assert (fields["from_pile"], pile) == (DRAW, HAND)
            self.due["on_card_drawn", card] += 1
        elif reason == "overflow" or (reason == "turn_end" and pile == DISCARD):
            self.due["on_card_discarded", card] += 1
        elif reason in ("turn_end", "resolve") and pile == EXHAUST_PILE:
            self.due["on_card_exhausted", card] += 1

    def _card_created(self, fields: dict[str, Any]) -> None:
        self.last_move.pop(fields["card"], None)

    # What the Entries must agree with.

    def _entry(self, event: Event) -> None:
        branch, ports = event.fields["branch"], event.fields["ports"]
        if not branch.node.startswith("ear_"):
            return
        entry, unit, card = branch.entry, event.fields["unit"], event.fields["card"]
        assert entry != "on_enemy_behavior_start"
        assert not self.ended
        assert self.battle.units[unit].number == unit
        if branch.owner_kind == "status":
            assert (
                unit not in self.dead
                or entry in ("on_unit_died", "on_battle_end", *SPENT)
                or self._is_dying(event, unit)
            )
            assert unit == 0 or entry not in PLAYER_ONLY
        if branch.owner_kind == "card" and entry in ("on_card_drawn", "on_card_discarded", "on_card_exhausted"):
            self.lines[entry, card] += 1
        if branch.owner_kind == "card" and entry not in ("on_turn_start", "on_turn_end", "on_draw_pile_shuffled"):
            assert ports.card == card
        check = getattr(self, f"_{entry}", None)
        if check is not None:
            check(event, ports, unit, card)

    def _is_dying(self, event: Event, unit: int) -> bool:
        """Whether the line hangs below the unit's own E30: until that is done it is not dead."""
        while event.cause:
            event = self.cause(event)
            if event.kind == "unit_died" and event.fields["unit"] == unit:
                return True
        return False

    def _on_battle_start(self, event: Event, ports: Any, unit: int, card: int) -> None:
        assert self.phase == SETUP
        self._only_once(event, unit)

    def _on_battle_end(self, event: Event, ports: Any, unit: int, card: int) -> None:
        assert unit == 0 or unit not in self.dead
        self._only_once(event, unit)

    def _only_once(self, event: Event, unit: int) -> None:
        key = (event.fields["branch"].entry, unit)
        self.once[key] += 1
        assert self.once[key] == 1

    def _on_turn_start(self, event: Event, ports: Any, unit: int, card: int) -> None:
        assert self.phase == (PLAYER_PHASE if unit == 0 else ENEMY_PHASE)

    _on_turn_end = _on_turn_start

    def _on_draw_phase(self, event: Event, ports: Any, unit: int, card: int) -> None:
        assert self.phase == PLAYER_PHASE
        assert self.turn > 1

    def _on_draw_pile_shuffled(self, event: Event, ports: Any, unit: int, card: int) -> None:
        assert self.cause(event).kind == "draw_pile_shuffled"

    def _on_card_drawn(self, event: Event, ports: Any, unit: int, card: int) -> None:
        moved = self.cause(event)
        assert (moved.kind, moved.fields["reason"], moved.fields["card"]) == ("card_moved", "draw", ports.card)

    def _on_card_played(self, event: Event, ports: Any, unit: int, card: int) -> None:
        played = self.cause(event)
        assert (played.kind, played.fields["card"]) == ("card_played", card)

    def _on_card_discarded(self, event: Event, ports: Any, unit: int, card: int) -> None:
        assert self.last_move[card] in ((DISCARD, "turn_end"), (DISCARD, "overflow"))

    def _on_card_exhausted(self, event: Event, ports: Any, unit: int, card: int) -> None:
        assert self.last_move[card] in ((EXHAUST_PILE, "turn_end"), (EXHAUST_PILE, "resolve"))

    def _on_card_retained(self, event: Event, ports: Any, unit: int, card: int) -> None:
        assert self.phase == PLAYER_PHASE
        assert card in self.battle.piles[HAND] or card in self.last_move

    def _on_card_added_to_hand(self, event: Event, ports: Any, unit: int, card: int) -> None:
        made = self.cause(event)
        assert (made.kind, made.fields["card"]) == ("card_created", card)
        assert made.fields["pile"] in (HAND, DISCARD)

    def _on_card_added_to_deck(self, event: Event, ports: Any, unit: int, card: int) -> None:
        made = self.cause(event)
        assert (made.kind, made.fields["card"], made.fields["pile"]) == ("card_created", card, DRAW)

    def _on_damage_dealt(self, event: Event, ports: Any, unit: int, card: int) -> None:
        hit = self._hit(event, ports)
        assert hit.fields["is_attack"]
        assert hit.fields["source"] == unit

    def _on_damage_taken(self, event: Event, ports: Any, unit: int, card: int) -> None:
        hit = self._hit(event, ports)
        assert hit.fields["target"] == unit
        assert (ports.source is None) == (not hit.fields["is_attack"])

    def _on_attack_taken(self, event: Event, ports: Any, unit: int, card: int) -> None:
        hit = self._hit(event, ports)
        assert hit.fields["is_attack"]
        assert hit.fields["target"] == unit

    def _hit(self, event: Event, ports: Any) -> Event:
        hit = self.cause(event)
        assert hit.kind == "damage_resolved"
        assert ports.amount == hit.fields["hp_loss"] >= 0
        assert ports.target.number == hit.fields["target"]
        return hit

    def _on_hp_lost(self, event: Event, ports: Any, unit: int, card: int) -> None:
        cause = self.cause(event)
        assert ports.target.number == unit
        if cause.kind == "damage_resolved":
            assert ports.amount == cause.fields["hp_loss"] > 0
        elif cause.kind == "hp_changed" and cause.fields["reason"] == "loss":
            assert ports.amount == cause.fields["before"] - cause.fields["after"]
            assert ports.source is None
        else:
            assert ports.amount == 0, "a loss that hooks took away"

    def _on_hp_gained(self, event: Event, ports: Any, unit: int, card: int) -> None:
        cause = self.cause(event)
        if ports.amount:
            assert (cause.kind, cause.fields["reason"], cause.fields["unit"]) == ("hp_changed", "gain", unit)
            assert ports.amount == cause.fields["after"] - cause.fields["before"]

    def _on_armor_gained(self, event: Event, ports: Any, unit: int, card: int) -> None:
        cause = self.cause(event)
        assert (cause.kind, cause.fields["reason"], cause.fields["unit"]) == ("armor_changed", "gain", unit)
        assert ports.amount == cause.fields["after"] - cause.fields["before"] > 0

    def _on_armor_lost(self, event: Event, ports: Any, unit: int, card: int) -> None:
        assert ports.amount > 0
        cause = self.cause(event)
        assert cause.kind != "damage_resolved", "absorbed damage is no loss of armor"
        if cause.kind == "armor_changed":
            assert (cause.fields["reason"], cause.fields["unit"]) == ("loss", unit)

    def _on_energy_gained(self, event: Event, ports: Any, unit: int, card: int) -> None:
        self._after_energy("gain", event)

    def _on_energy_spent(self, event: Event, ports: Any, unit: int, card: int) -> None:
        self._after_energy("loss", event)

    def _after_energy(self, reason: str, event: Event) -> None:
        before = self.events[event.sequence - 2]
        if before.kind == "energy_changed":
            assert before.fields["reason"] == reason

    def _on_status_received(self, event: Event, ports: StatusPorts, unit: int, card: int) -> None:
        assert ports.target.number == unit
        assert ports.source is not None
        assert ports.status.id == event.fields["branch"].owner

    def _on_status_inflicted(self, event: Event, ports: StatusPorts, unit: int, card: int) -> None:
        assert ports.source is not None
        assert ports.source.number == unit
        assert ports.stacks > 0

    def _on_status_stacks_changed(self, event: Event, ports: StatusPorts, unit: int, card: int) -> None:
        assert ports.target.number == unit
        assert ports.stacks > 0

    def _on_unit_spawned(self, event: Event, ports: SpawnPorts, unit: int, card: int) -> None:
        spawned = self.cause(event)
        assert spawned.kind == "unit_spawned"
        assert ports.unit.number == (spawned.fields["unit"] if self.battle.extended else unit)

    def _on_unit_died(self, event: Event, ports: DeathPorts, unit: int, card: int) -> None:
        died = self.cause(event)
        assert died.kind == "unit_died"
        assert ports.target.number == died.fields["unit"]
        assert ports.was_kill == (unit != died.fields["unit"])
        if ports.was_kill:
            assert unit == died.fields["killer"]
