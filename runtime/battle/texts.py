"""Card texts with live numbers: what a node would do now, after a dry run of its hooks (R4.9)."""

from __future__ import annotations

from runtime.battle.legality import needs_target
from runtime.battle.state import Battle, Unit
from runtime.graph.frame import new_frame, new_ports
from runtime.graph.program import Branch, ExecNode, IntValue
from runtime.graph.timings import ON_CARD_PLAYED


def card_text(battle: Battle, number: int, target: Unit | None = None) -> str:
    """A card's text: vars as they are, ``{node.input}`` after the hooks that would apply now.

    Args:
        battle: The battle.
        number: The card.
        target: The target under the pointer, if there is one; its hooks then count as well.
    """
    card = battle.cards[number]
    pieces: list[str] = []
    logging = battle.logging
    # Reading changes nothing (R4.9), not even the log by a warning.
    battle.logging = False
    try:
        for part in card.definition.text_parts:
            if part.var:
                value = card.definition.vars.get(part.var)
                pieces.append(part.literal if value is None else str(value))
            elif part.node:
                shown = _live_value(battle, number, target, part.node, part.port)
                pieces.append(part.literal if shown is None else str(shown))
            else:
                pieces.append(part.literal)
    finally:
        battle.logging = logging
    return "".join(pieces)


def _live_value(battle: Battle, number: int, target: Unit | None, node_id: str, port: str) -> int | None:
    for branch in battle.cards[number].definition.behavior.branches[ON_CARD_PLAYED]:
        node = branch.nodes.get(node_id)
        if node is not None:
            try:
                return _shown(battle, branch, number, target, node, port)
            except Exception:  # noqa: BLE001 - R2.6: reading changes nothing; the fault comes when the card is played
                return None
    return None


def _shown(battle: Battle, branch: Branch, number: int, target: Unit | None, node: ExecNode, port: str) -> int | None:
    value = getattr(node, port, None)
    if not isinstance(value, IntValue):
        return None
    chosen = target if target is not None and needs_target(battle.cards[number]) else None
    frame = new_frame(battle, branch, battle.player, None, number, chosen, new_ports(1, None, None, number))
    return node.shown(frame, port, value.get(frame))
