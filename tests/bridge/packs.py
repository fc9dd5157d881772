"""An inline pack that makes everything happen that can be on the wire."""

from __future__ import annotations

import copy
from itertools import pairwise
from typing import Any

from bridge.pb.gcs.v1 import ges_pb2

GUIDS = {
    kind: f"00000000-0000-4000-8000-{number:012x}"
    for number, kind in enumerate(
        ("none", "int", "float", "bool", "text", "vector2", "vector3", "color", "unit", "card", "status", "struct"), 1
    )
}

# A payload of each argument type, as a battle of this pack can take it.
PAYLOADS: dict[str, ges_pb2.Payload | None] = {
    "none": None,
    "int": ges_pb2.Payload(int_value=7),
    "float": ges_pb2.Payload(float_value=2.5),
    "bool": ges_pb2.Payload(bool_value=True),
    "text": ges_pb2.Payload(text_value="seven"),
    "vector2": ges_pb2.Payload(vector2_value=ges_pb2.Vector2Value(x=7, y=1)),
    "vector3": ges_pb2.Payload(vector3_value=ges_pb2.Vector3Value(x=7, y=1, z=2)),
    "color": ges_pb2.Payload(color_value=ges_pb2.ColorValue(r=1, g=0.5, b=0, a=1)),
    "unit": ges_pb2.Payload(unit_value="enemy0"),
    "card": ges_pb2.Payload(card_value="c0"),
    "status": ges_pb2.Payload(status_value="listener"),
    "struct": ges_pb2.Payload(
        struct_value=ges_pb2.StructValue(
            fields={"x": ges_pb2.Payload(int_value=7), "who": ges_pb2.Payload(card_value="c0")}
        )
    ),
}


# Nodes of the cards below that no flow goes through.
_PURE = ("cards_in_pile", "current_card")


def _card(card_id: str, *nodes: tuple[str, dict[str, Any]], links: Any = (), **fields: Any) -> dict[str, Any]:
    """A card with nodes n0 (the Entry), n1, n2 and so on; flow goes from each to the next but to pure ones."""
    named = [{"id": f"n{index}", "type": kind, "params": params} for index, (kind, params) in enumerate(nodes)]
    flow = [node["id"] for node in named if node["type"] not in _PURE]
    wires = [[f"{before}.out", f"{after}.in"] for before, after in pairwise(flow)]
    graph = {"nodes": named, "links": [*wires, *links]}
    return {"id": card_id, "cost": 0, "target": "none", "graph": graph, **fields}


PLAYED: tuple[str, dict[str, Any]] = ("on_card_played", {})


def _listener() -> dict[str, Any]:
    """A status that counts in a variable each event that it hears."""
    nodes: list[dict[str, Any]] = []
    links: list[list[str]] = []
    for kind, guid in GUIDS.items():
        nodes.append({"id": kind, "type": "on_ges_event", "params": {"ges_event": guid}})
        nodes.append({"id": f"{kind}_count", "type": "change_variable", "params": {"name": kind, "value": 1}})
        links.append([f"{kind}.out", f"{kind}_count.in"])
    for kind in ("int", "float"):
        nodes.append({"id": f"{kind}_arg", "type": "event_arg", "params": {"name": "arg", "type": "int"}})
        nodes.append({"id": f"{kind}_keep", "type": "set_variable", "params": {"name": f"{kind}_arg"}})
        links += [[f"{kind}_count.out", f"{kind}_keep.in"], [f"{kind}_arg.value", f"{kind}_keep.value"]]
    return {"id": "listener", "name": "Listener", "graph": {"nodes": nodes, "links": links}}


_PACK: dict[str, Any] = {
    "id": "wire",
    "cards": [
        _card(
            "hit",
            PLAYED,
            ("deal_damage", {"amount": 6}),
            target="enemy",
            cost=1,
            text="Deal {n1.amount} damage.",
            upgrade="hit_plus",
        ),
        _card("hit_plus", PLAYED, ("deal_damage", {"amount": 9}), target="enemy", cost=1, text="Deal {n1.amount}."),
        _card("shield", PLAYED, ("gain_armor", {"amount": 5}), cost=1, text="Gain {n1.amount} armor."),
        _card(
            "seek",
            PLAYED,
            ("choose_card", {"prompt": "Take one"}),
            ("move_card", {"to": "hand"}),
            ("cards_in_pile", {"pile": "draw"}),
            links=[["n3.cards", "n1.cards"], ["n1.card", "n2.card"]],
        ),
        _card(
            "vote",
            PLAYED,
            ("choose_option", {"prompt": "Which?", "options": ["armor", "nothing"]}),
            ("gain_armor", {}),
            links=[["n1.index", "n2.amount"]],
        ),
        _card("loop", PLAYED, ("raise_internal_event", {"event": "again"}), keywords=["retain"]),
        _card("shout", PLAYED, ("raise_ges_event", {"event": GUIDS["int"], "arg": 3})),
        _card(
            "stir",
            ("on_draw_pile_shuffled", {}),
            ("change_variable", {"name": "stirred", "scope": "card", "value": 1}),
            keywords=["unplayable"],
        ),
        _card(
            "hush",
            ("on_draw_pile_shuffled", {}),
            ("set_card_cost", {"cost": 2, "until": "battle"}),
            ("current_card", {}),
            links=[["n2.card", "n1.card"]],
            keywords=["unplayable"],
        ),
        _card("brew", PLAYED, ("add_card_to_draw_pile", {"card": "hit", "count": 2, "position": "random"})),
        _card("riffle", PLAYED, ("shuffle_draw_pile", {})),
        _card("bury", PLAYED, ("move_card", {"to": "draw"}), links=[["n0.card", "n1.card"]]),
        _card("power", PLAYED, ("gain_energy", {"amount": 1}), keywords=["power"]),
        _card("burn", PLAYED, ("draw_cards", {"count": 1}), keywords=["exhaust"]),
    ],
    "statuses": [
        _listener(),
        {
            "id": "echo",
            "graph": {
                "nodes": [
                    {"id": "heard", "type": "on_internal_event", "params": {"event": "again"}},
                    {"id": "again", "type": "raise_internal_event", "params": {"event": "again"}},
                ],
                "links": [["heard.out", "again.in"]],
            },
        },
    ],
    "enemies": [
        {
            "id": "dummy",
            "hp": 60,
            "graph": {
                "nodes": [
                    {"id": "think", "type": "on_enemy_behavior_start"},
                    {"id": "leaf", "type": "leaf_intent", "params": {"kind": "attack", "amount": 5}},
                    {"id": "hit", "type": "deal_damage", "params": {"amount": 5}},
                ],
                "links": [["think.out", "leaf.in"], ["leaf.out", "hit.in"]],
            },
        }
    ],
    "encounters": [
        {
            "id": "fight",
            "enemies": ["dummy", "dummy"],
            "deck": "deck",
            "player": {"hp": 50, "statuses": {"listener": 1, "echo": 1}, "energy": 9},
            "rewards": [{"cards": ["hit", "burn"], "choose": 1}],
        }
    ],
    "decks": [
        {
            "id": "deck",
            "cards": [
                "hit", "hit", "shield", "seek", "vote", "loop", "shout", "stir", "hush", "stir",
                "brew", "riffle", "bury", "power", "burn", "hit", "shield",
            ],
        }
    ],
    "events": [
        {"id": f"{kind}_event", "guid": guid, "argument": kind, "sender": kind == "int"} for kind, guid in GUIDS.items()
    ],
}  # fmt: skip


def wire_pack() -> dict[str, Any]:
    """A copy of the pack."""
    return copy.deepcopy(_PACK)
