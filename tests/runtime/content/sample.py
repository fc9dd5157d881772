"""A small pack that is right in every way, and ways to make it wrong."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

from runtime.content.problems import Problem
from runtime.packs import Checked, check_pack

THUNDER = "2f0c1a52-6d7e-4f8b-9a1b-0c2d3e4f5a6b"
RAIN = "9d3b8a51-0f3c-4a49-8b0e-5c1f0a4b7e2d"

KINDS = ("cards", "statuses", "enemies", "encounters", "decks", "events", "flows")


def _node(node_id: str, type_: str, **params: Any) -> dict[str, Any]:
    return {"id": node_id, "type": type_, "params": params} if params else {"id": node_id, "type": type_}


_PACK: dict[str, Any] = {
    "id": "sample",
    "name": "Sample",
    "version": "1.2.0",
    "notify": {"card_played": THUNDER.upper()},
    "extra": {"theme": "dark"},
    "cards": [
        {
            "id": "strike",
            "name": "Strike",
            "text": "Deal {hit.amount} damage, {damage} before hooks.",
            "type": "attack",
            "rarity": "starter",
            "cost": 1,
            "target": "enemy",
            "vars": {"damage": 6},
            "upgrade": "strike_plus",
            "graph": {
                "nodes": [
                    {"id": "played", "type": "on_card_played", "pos": [0, 12.5], "note": "the root"},
                    _node("damage", "card_var", name="damage"),
                    _node("hit", "deal_damage"),
                    _node("venom", "apply_status", status="poison"),
                    _node("info", "card_info"),
                ],
                "links": [
                    ["played.out", "hit.in"],
                    ["damage.result", "hit.amount"],
                    ["hit.on_kill", "venom.in"],
                    ["played.card", "info.card"],
                    ["info.cost", "venom.stacks"],
                ],
                "groups": [{"title": "effect"}],
            },
            "extra": {"art": "strike.png", "sizes": [1, 2.5, None]},
        },
        {"id": "strike_plus", "cost": 1, "target": "enemy", "vars": {"damage": 9}, "graph_of": "strike"},
        {
            "id": "whirl",
            "cost": "x",
            "target": "none",
            "keywords": ["exhaust"],
            "graph": {
                "nodes": [
                    _node("played", "on_card_played"),
                    _node("loop", "repeat", count=2),
                    _node("hit", "deal_damage", amount=3, target="all_enemies"),
                    _node("again", "on_card_drawn"),
                    _node("shield", "gain_armor", amount=1),
                    _node("tell", "raise_internal_event", event="spun", args={"rounds": "int"}, rounds=2),
                    _node("thunder", "raise_ges_event", event=THUNDER.replace("-", ""), arg=3),
                ],
                "links": [
                    ["played.out", "loop.in"],
                    ["loop.body", "hit.in"],
                    ["loop.out", "shield.in"],
                    ["again.out", "shield.in"],
                    ["shield.out", "tell.in"],
                    ["tell.out", "thunder.in"],
                ],
            },
        },
        {"id": "curse", "cost": 0, "target": "none", "keywords": ["unplayable"]},
    ],
    "statuses": [
        {
            "id": "poison",
            "text": "Loses {stacks} HP; {soften.amount} of a hit gets through.",
            "kind": "debuff",
            "decay": 1,
            "graph": {
                "nodes": [
                    _node("end", "on_turn_end"),
                    _node("hurt", "deal_damage", amount=2, kind="status"),
                    _node("hook", "damage_taken_hook", phase=1),
                    _node("half", "int_math", op="subtract", b=1),
                    _node("soften", "set_hook_amount"),
                    _node("struck", "on_damage_taken"),
                    _node("answer", "deal_damage"),
                    _node("heard", "on_internal_event", event="spun"),
                    _node("dizzy", "gain_armor", amount=1),
                ],
                "links": [
                    ["end.out", "hurt.in"],
                    ["hook.out", "soften.in"],
                    ["hook.amount", "half.a"],
                    ["half.result", "soften.amount"],
                    ["struck.out", "answer.in"],
                    ["struck.amount", "answer.amount"],
                    ["struck.source", "answer.target"],
                    ["heard.out", "dizzy.in"],
                ],
            },
        },
    ],
    "enemies": [
        {
            "id": "slime",
            "hp": [40, 44],
            "statuses": {"poison": 1},
            "graph": {
                "nodes": [
                    _node("start", "on_enemy_behavior_start"),
                    _node("moves", "pattern_sequence", count=2),
                    _node("bite", "leaf_intent", kind="attack", amount=7),
                    _node("bite_now", "deal_damage"),
                    _node("guard", "leaf_intent", kind="defend", amount=5),
                    _node("guard_now", "gain_armor"),
                    _node("storm", "on_ges_event", ges_event=THUNDER),
                    _node("enrage", "gain_armor", amount=1),
                ],
                "links": [
                    ["start.out", "moves.in"],
                    ["moves.step_0", "bite.in"],
                    ["moves.step_1", "guard.in"],
                    ["bite.out", "bite_now.in"],
                    ["bite.amount", "bite_now.amount"],
                    ["bite.hits", "bite_now.hits"],
                    ["guard.out", "guard_now.in"],
                    ["guard.amount", "guard_now.amount"],
                    ["storm.out", "enrage.in"],
                ],
            },
        }
    ],
    "encounters": [
        {
            "id": "first_fight",
            "enemies": ["slime", "slime"],
            "deck": "starter",
            "player": {"hp": 70, "max_hp": 80, "statuses": {"poison": 2}, "variables": {"gold": -1}},
            "rewards": [{"cards": ["whirl"], "choose": 1, "weight": 3}],
        }
    ],
    "decks": [{"id": "starter", "cards": ["strike", "strike", "whirl"]}],
    "events": [
        {"id": "thunder", "guid": THUNDER, "argument": "int", "sender": False, "category": "weather"},
        {"id": "rain", "guid": RAIN.replace("-", "").upper(), "argument": "float", "sender": True},
    ],
    "flows": [
        {
            "id": "storm",
            "triggers": [
                {
                    "from": "thunder",
                    "to": "rain",
                    "delay_ms": 10,
                    "priority": -1,
                    "when": {"all": [{"arg": "ge", "value": 3}, {"any": [{"arg": "ne", "value": 5}]}]},
                }
            ],
            "chains": [{"from": "rain", "steps": [{"to": "thunder", "duration_ms": 400, "when": None}]}],
        }
    ],
}


def sample() -> dict[str, Any]:
    """A copy of the pack, free to be changed."""
    return copy.deepcopy(_PACK)


def asset(pack: dict[str, Any], kind: str, asset_id: str) -> dict[str, Any]:
    """An asset of a pack object."""
    found: dict[str, Any] = next(item for item in pack[kind] if item["id"] == asset_id)
    return found


def write(pack: dict[str, Any], folder: Path) -> Path:
    """Writes a pack object as a folder of files."""
    folder.mkdir(exist_ok=True)
    head = {name: value for name, value in pack.items() if name not in KINDS}
    (folder / "pack.json").write_text(json.dumps(head), encoding="utf-8")
    for kind in KINDS:
        (folder / kind).mkdir(exist_ok=True)
        for item in pack.get(kind, []):
            (folder / kind / f"{item['id']}.json").write_text(json.dumps(item), encoding="utf-8")
    return folder


def check(source: Any) -> Checked:
    """Checks a pack with the built-in nodes."""
    return check_pack(source)


def problems(source: Any, severity: str = "error") -> list[Problem]:
    """The problems of one severity."""
    return [problem for problem in check(source).problems if problem.severity == severity]


def only(source: Any, severity: str = "error") -> Problem:
    """The one problem of that severity; there may be no other."""
    found = problems(source, severity)
    assert len(found) == 1, "\n".join(map(str, found))
    return found[0]
