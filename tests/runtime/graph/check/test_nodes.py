"""The graph checker on single nodes: kinds, params, literals, what is missing (R1.1, R1.2, R6.3)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.runtime.content.sample import RAIN, THUNDER, asset, only, sample
from tests.runtime.graph.check.graphs import node, one, told

PLAYED = node("played", "on_card_played")


def on_play(acting: dict[str, Any], *more: dict[str, Any], links: tuple[str, ...] = ()) -> tuple[Any, Any]:
    """A card graph that runs one node."""
    return [PLAYED, acting, *more], [f"played.out {acting['id']}.in", *links]


def test_an_unknown_type_names_the_nearest_and_ends_there() -> None:
    problem = one("card", *on_play(node("hit", "deal_damge", amount=1)))
    assert problem.path.endswith("nodes[1].type")
    assert problem.message == 'unknown node type "deal_damge"'
    assert problem.hint == 'did you mean "deal_damage"?'


def test_r1_1_an_entry_in_the_wrong_graph_names_asset_node_entry_and_kind() -> None:
    problem = one("status", *on_play(node("hit", "deal_damage", amount=1)))
    assert problem.path == "$.statuses[0].graph.nodes[0].type"
    for part in ("On Card Played", "status graph", '"played"', '"subject"'):
        assert part in problem.message
    assert (problem.expected, problem.found) == ('a graph of "card"', "status")


@pytest.mark.parametrize(
    ("kind", "type_"), [("card", "own_status"), ("status", "leaf_intent"), ("card", "damage_taken_hook")]
)
def test_other_nodes_in_the_wrong_graph(kind: str, type_: str) -> None:
    params = {"kind": "attack"} if type_ == "leaf_intent" else {}
    assert ("error", "nodes[0].type") in told(kind, [node("odd", type_, **params)], [])


def test_r1_2_several_entries_of_one_kind_are_allowed_but_of_e31() -> None:
    shield = node("shield", "gain_armor", amount=1)
    again = node("again", "on_card_played")
    assert told("card", [PLAYED, again, shield], ["played.out shield.in", "again.out shield.in"]) == []
    nodes = [
        node("start", "on_enemy_behavior_start"),
        node("second", "on_enemy_behavior_start"),
        node("leaf", "leaf_intent", kind="attack"),
    ]
    problem = one("enemy", nodes, ["start.out leaf.in", "second.out leaf.in"])
    assert problem.path == "$.enemies[0].graph.nodes[1]"
    assert problem.hint == "also at $.enemies[0].graph.nodes[0]"


def test_node_ids() -> None:
    for bad in ("", "a.b"):
        assert ("error", "nodes[1].id") in told("card", [PLAYED, node(bad, "gain_armor", amount=1)], [])
    doubled = [PLAYED, node("played", "gain_armor", amount=1)]
    assert ("error", "nodes[1].id") in told("card", doubled, ["played.out played.in"])


# fmt: off
WRONG_PARAMS = [
    (node("n", "gain_armor", amount=1, amuont=2), "amuont", '"amount" or "target"', '"amount"'),
    (node("n", "gain_armor"), "amount", "a link or a literal", ""),
    (node("n", "gain_armor", amount=True), "amount", "an integer", ""),
    (node("n", "gain_armor", amount=1.5), "amount", "an integer", ""),
    (node("n", "gain_armor", amount=2**31), "amount", "an integer from -2147483648 to 2147483647", ""),
    (node("n", "gain_armor", amount=None), "amount", "an integer", ""),
    (node("n", "gain_armor", amount="6"), "amount", "an integer", ""),
    (node("n", "gain_armor", amount=1, target="subject"), "target", '"all_units"', ""),
    (node("n", "gain_armor", amount=1, target="all_enemis"), "target", '"all_enemies"', '"all_enemies"'),
    (node("n", "gain_armor", amount=1, **{"in": 1}), "in", '"amount" or "target"', ""),
    (node("n", "deal_damage", amount=1, attacker="all_units"), "attacker", '"chosen" or "none"', ""),
    (node("n", "deal_damage", amount=1, kind="atack"), "kind", '"auto", "attack" or "status"', '"attack"'),
    (node("n", "deal_damage", amount=1, kind=None), "kind", '"auto"', ""),
    (node("n", "apply_status"), "status", "a param", ""),
    (node("n", "apply_status", status="posion"), "status", "", '"poison"'),
    (node("n", "apply_status", status=5), "status", "a status id", ""),
    (node("n", "spawn_unit", enemy="slime"), "enemy", "", ""),
    (node("n", "add_card_to_hand"), "", "", ""),
    (node("n", "add_card_to_hand", card="strike", pool={}), "", "", ""),
    (node("n", "add_card_to_hand", card="strik"), "card", "", '"strike"'),
    (node("n", "add_card_to_hand", pool={"typ": "attack"}), "pool.typ", "", '"type"'),
    (node("n", "add_card_to_hand", pool={"tag": 1}), "pool.tag", "a text", ""),
    (node("n", "add_card_to_hand", pool=[]), "pool", "an object", ""),
    (node("n", "add_card_to_hand", like="strike"), "like", "a link: CardRef has no literals", ""),
    (node("n", "choose_option", options=[]), "options", "a list of at least one text", ""),
    (node("n", "choose_option", options=["a", 1]), "options[1]", "a text", ""),
    (node("n", "random_branch", weights=[]), "weights", "a list of 1 to 256 positive integers", ""),
    (node("n", "random_branch", weights=[1] * 257), "weights", "a list of 1 to 256 positive integers", ""),
    (node("n", "random_branch", weights=[1, 0]), "weights[1]", "an integer from 1", ""),
    (node("n", "random_branch", weights=[True]), "weights[0]", "an integer from 1", ""),
    (node("n", "sequence", count=0), "count", "an integer from 1 to 256", ""),
    (node("n", "sequence", count=257), "count", "an integer from 1 to 256", ""),
    (node("n", "raise_internal_event", event="gcs.card_played"), "event", "a name of the pack's own", ""),
    (node("n", "raise_internal_event", event=1), "event", "a text", ""),
    (node("n", "raise_internal_event", event="e", args={"a": "integer"}), "args.a", '"int", "bool"', '"int"'),
    (node("n", "raise_internal_event", event="e", args={"event": "int"}), "args.event", "no other input", ""),
    (node("n", "raise_internal_event", event="e", args={"in": "int"}), "args.in", "no other input", ""),
    (node("n", "raise_internal_event", event="e", args={"a.b": "int"}), 'args["a.b"]', "a text without dots", ""),
    (node("n", "raise_internal_event", event="e", args={"": "int"}), 'args[""]', "a text without dots", ""),
    (node("n", "raise_internal_event", event="e", args=[]), "args", "an object of names and types", ""),
    (node("n", "raise_internal_event", event="e", args={"a": "int"}, a="1"), "a", "an integer", ""),
    (node("n", "raise_internal_event", event="e", args={"a": "card"}, a="strike"), "a", "a link", ""),
    (node("n", "raise_internal_event", event="e", args={"a": "status"}, a="posion"), "a", "", '"poison"'),
    (node("n", "raise_internal_event", event="e", args={"a": "unit"}, a="all_units"), "a", '"acting"', ""),
    (node("n", "raise_ges_event"), "event", "a param", ""),
    (node("n", "raise_ges_event", event="thunder"), "event", "32 hexadecimal digits", ""),
    (node("n", "raise_ges_event", event=7, arg=1), "event", "32 hexadecimal digits", ""),
    (node("n", "raise_ges_event", event=THUNDER[:-1] + "0", arg=True), "event", "an event of the pack", THUNDER),
    (node("n", "raise_ges_event", event=THUNDER, arg=True), "arg", "an integer", ""),
    (node("n", "raise_ges_event", event=THUNDER, sender="player"), "sender", "", "no such sender"),
    (node("n", "raise_ges_event", event=RAIN, arg=1), "arg", "", "no such argument"),
    (node("n", "raise_ges_event", event=RAIN, sender="nobody"), "sender", '"none"', ""),
]
# fmt: on


@pytest.mark.parametrize(("acting", "where", "expected", "hint"), WRONG_PARAMS)
def test_params_and_literals(acting: dict[str, Any], where: str, expected: str, hint: str) -> None:
    problem = one("card", *on_play(acting))
    dot = "" if not where else "."
    assert problem.path == f"$.cards[0].graph.nodes[1].params{dot}{where}"
    assert expected in problem.expected
    assert hint in problem.hint


@pytest.mark.parametrize(
    "acting",
    [
        node("n", "gain_armor", amount=-(2**31), target="none"),
        node("n", "deal_damage", amount=2**31 - 1, attacker="none", target="all_units", kind="status"),
        node("n", "deal_damage", amount=1, attacker=None),
        node("n", "add_card_to_hand", card="strike", pool=None),
        node("n", "add_card_to_hand", pool={"type": "attack", "rarity": "common"}),
        node("n", "raise_internal_event", event="", args=None),
        node("n", "raise_internal_event", event="e", args={"a": "status", "b": "text"}, a="poison", b=""),
        node("n", "raise_ges_event", event=THUNDER.upper().replace("-", "")),
        node("n", "raise_ges_event", event=RAIN, sender="acting"),
    ],
)
def test_params_and_literals_that_are_right(acting: dict[str, Any]) -> None:
    assert told("card", *on_play(acting)) == []


def test_a_wire_may_be_the_one_of_several() -> None:
    add = node("n", "add_card_to_hand")
    assert told("card", *on_play(add, links=("played.card n.like",))) == []
    add["params"]["card"] = "strike"
    problem = one("card", *on_play(add, links=("played.card n.like",)))
    assert problem.found == '"card" or "like"'


def test_an_input_is_wired_or_given_never_both() -> None:
    var = node("v", "card_var", name="power")
    nodes, links = on_play(node("n", "gain_armor", amount=1), var, links=("v.result n.amount",))
    problem = one("card", nodes, links)
    assert problem.path == "$.cards[0].graph.nodes[1].params.amount"
    assert "both wired and given" in problem.message
    assert problem.hint == "wired at $.cards[0].graph.links[1]"


def test_status_ids_are_literals_of_status_inputs() -> None:
    def graph(status: Any) -> tuple[Any, Any]:
        return (
            [
                node("end", "on_turn_end"),
                node("same", "same_status", a=status),
                node("own", "own_status"),
                node("branch", "branch"),
                node("shield", "gain_armor", amount=1),
            ],
            ["end.out branch.in", "same.result branch.condition", "own.status same.b", "branch.true shield.in"],
        )

    assert told("status", *graph("poison")) == []
    assert one("status", *graph("posion")).hint == 'did you mean "poison"?'
    assert one("status", *graph(1)).expected == "a status id"


def test_vars_are_those_of_the_card() -> None:
    def graph(name: Any, *links: str) -> tuple[Any, Any]:
        var = node("v", "card_var", name=name)
        return on_play(node("n", "gain_armor"), var, links=("v.result n.amount", *links))

    assert told("card", *graph("power")) == []
    problem = one("card", *graph("powr"))
    assert (problem.path, problem.hint) == ("$.cards[0].graph.nodes[2].params.name", 'did you mean "power"?')
    assert one("card", *graph(1)).expected == "the name of a var"
    # Another card than this one may be meant where one is wired, and in other graphs.
    assert told("card", *graph("damage", "played.card v.card")) == []
    assert one("card", *graph("damag", "played.card v.card")).hint == 'did you mean "damage"?'


def test_cards_that_share_a_graph_need_its_vars() -> None:
    pack = sample()
    asset(pack, "cards", "strike_plus")["vars"] = {"damge": 9}
    problem = only(pack)
    assert problem.path == "$.cards[1].vars.damage"
    assert problem.hint == 'did you mean "damge"?'


@pytest.mark.parametrize(("name", "hint"), [("gcs.card_exausted", '"gcs.card_exhausted"'), ("gcs.battle_ended", "")])
def test_r6_3_a_notice_that_no_graph_hears_is_a_warning(name: str, hint: str) -> None:
    nodes = [node("heard", "on_internal_event", event=name), node("shield", "gain_armor", amount=1)]
    problem = one("status", nodes, ["heard.out shield.in"])
    assert (problem.severity, problem.path) == ("warning", "$.statuses[0].graph.nodes[0].params.event")
    assert hint in problem.hint
    nodes[0]["params"]["event"] = "gcs.card_exhausted"
    assert told("status", nodes, ["heard.out shield.in"]) == []
