"""Packs, their assets and their problems on the wire."""

from __future__ import annotations

from typing import Any

import msgspec

from bridge.pb.gcs.v1 import content_pb2 as pb
from bridge.pb.gcs.v1 import ges_pb2
from bridge.wire.names import KEYWORD_NAMES
from bridge.wire.texts import printed_text
from runtime.content.problems import Problem
from runtime.graph.definitions import COST_X, Content, EventDefinition

_SEVERITIES = {"error": pb.SEVERITY_ERROR, "warning": pb.SEVERITY_WARNING}


def _json(extra: dict[str, Any]) -> str:
    return msgspec.json.encode(extra).decode() if extra else ""


def pack_of(content: Content) -> pb.GetPackResponse:
    """What a scene needs to draw a pack."""
    pack = content.pack
    info = pack.info
    response = pb.GetPackResponse(
        id=info.id, name=info.name, version=info.version, content_hash=content.hash, extra_json=_json(info.extra)
    )
    for card in content.cards.values():
        response.cards.add(
            id=card.id,
            name=card.name,
            text=printed_text(card),
            type=card.type,
            rarity=card.rarity,
            cost=max(0, card.base_cost),
            is_x=card.base_cost == COST_X,
            target=card.asset.target,
            keywords=KEYWORD_NAMES[card.keywords],
            tags=card.asset.tags,
            vars=card.vars,
            upgrade=card.upgrade.id if card.upgrade is not None else "",
            extra_json=_json(card.asset.extra),
        )
    for status in pack.statuses.values():
        response.statuses.add(
            id=status.id,
            name=status.name,
            text=status.text,
            kind=status.kind,
            max_stacks=status.max_stacks,
            decay=status.decay,
            visible=status.visible,
            tags=status.tags,
            extra_json=_json(status.extra),
        )
    for enemy in content.enemies.values():
        response.enemies.add(
            id=enemy.id,
            name=enemy.name,
            text=enemy.asset.text,
            hp_low=enemy.hp_low,
            hp_high=enemy.hp_high,
            tags=enemy.asset.tags,
            extra_json=_json(enemy.asset.extra),
        )
    for encounter in pack.encounters.values():
        response.encounters.add(
            id=encounter.id,
            name=encounter.name,
            enemies=encounter.enemies,
            deck=encounter.deck,
            extra_json=_json(encounter.extra),
        )
    for deck in pack.decks.values():
        response.decks.add(id=deck.id, name=deck.name, cards=deck.cards, extra_json=_json(deck.extra))
    for event in content.events.values():
        write_event(response.events.add(), event)
    return response


def write_event(message: ges_pb2.GesEvent, event: EventDefinition) -> None:
    """Writes a GES event's asset into an empty message."""
    message.id = event.id
    message.guid = event.guid
    message.name = event.asset.name
    message.category = event.asset.category
    message.argument = event.argument
    message.sender = event.sender
    message.fields.update(event.fields or {})
    message.extra_json = _json(event.asset.extra)


def problem_of(problem: Problem) -> pb.Problem:
    """A problem of a pack."""
    return pb.Problem(
        severity=_SEVERITIES[problem.severity],
        file=problem.file,
        path=problem.path,
        message=problem.message,
        expected=problem.expected,
        found=problem.found,
        hint=problem.hint,
        line=problem.line,
        column=problem.column,
    )
