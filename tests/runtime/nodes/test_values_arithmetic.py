"""Values on Ints, Bools and Texts (nodes.md, "Values")."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime.battle import PlayCard, act, read_events, start_battle
from runtime.loading import encounter_of, load_content
from tests.runtime.arena import Arena, graph
from tests.runtime.nodes.probe import note, played, read, shows

INT_MIN, INT_MAX = -(2**31), 2**31 - 1
OPERATIONS = ("add", "subtract", "multiply", "divide", "modulo", "min", "max")


def saturate(value: int) -> int:
    return min(INT_MAX, max(INT_MIN, value))


@shows("int_math: a b op result")
@pytest.mark.parametrize(
    ("op", "a", "b", "result"),
    [
        ("add", 3, 4, 7),
        ("add", INT_MAX, 1, INT_MAX),
        ("subtract", 3, 4, -1),
        ("subtract", INT_MIN, 1, INT_MIN),
        ("multiply", -3, 4, -12),
        ("multiply", INT_MAX, INT_MIN, INT_MIN),
        ("divide", 7, 2, 3),
        ("divide", -7, 2, -3),
        ("divide", 7, -2, -3),
        ("divide", INT_MIN, -1, INT_MAX),
        ("divide", 7, 0, 0),
        ("modulo", 7, 3, 1),
        ("modulo", -7, 3, -1),
        ("modulo", 7, -3, 1),
        ("modulo", 7, 0, 0),
        ("min", 3, -4, -4),
        ("max", 3, -4, 3),
    ],
)
def test_int_math(op: str, a: int, b: int, result: int) -> None:
    arena = played(f"math: int_math op={op} a={a} b={b}", "math.result:int")
    assert [event.fields["arguments"]["math_result"] for event in arena.events("internal_event_raised")] == [result]
    # By zero: 0 and a warning event, and only then.
    warned = [event.fields["kind"] for event in arena.events("warning")]
    assert warned == (["division_by_zero"] if b == 0 else [])


WIDE = st.one_of(st.integers(-9, 9), st.integers(INT_MIN, INT_MAX), st.sampled_from([INT_MIN, INT_MAX]))
_ALL = "a: get_variable name=a scope=unit unit=player; b: get_variable name=b scope=unit unit=player;" + "".join(
    f"{op}: int_math op={op}; a.result {op}.a; b.result {op}.b;" for op in OPERATIONS
)
_PERCENT = "percent: scale_percent; a.result percent.value; b.result percent.percent;"
_CONTENT = load_content(
    {
        "cards": [
            {
                "id": "all",
                "cost": 0,
                "target": "none",
                "graph": graph(
                    f"on: on_card_played; {_ALL} {_PERCENT} on > note; "
                    + note(*(f"{op}.result:int" for op in OPERATIONS), "percent.result:int")
                ),
            }
        ],
        "enemies": [{"id": "dummy", "hp": 1}],
        "decks": [{"id": "deck", "cards": ["all"]}],
    }
)
_ENCOUNTER = {"enemies": ["dummy"], "deck": "deck", "player": {"hp": 1}}
# The first battle raises the interpreter's recursion limit, which must not happen in the middle of an example.
start_battle(_CONTENT, encounter_of(_CONTENT, _ENCOUNTER))


def truncated(a: int, b: int) -> int:
    """The quotient truncated toward zero, by another way than the runtime's."""
    return (a - (abs(a) % abs(b)) * (1 if a > 0 else -1)) // b


@shows("int_math: a b op result", "scale_percent: value percent result")
@settings(max_examples=200, deadline=None)
@given(a=WIDE, b=WIDE)
def test_arithmetic_saturates_at_32_bits(a: int, b: int) -> None:
    battle = start_battle(_CONTENT, encounter_of(_CONTENT, _ENCOUNTER, player={"variables": {"a": a, "b": b}}))
    assert act(battle, PlayCard(0)) is None
    (told,) = [event.fields["arguments"] for event in read_events(battle) if event.kind == "internal_event_raised"]
    exact = {
        "add": a + b,
        "subtract": a - b,
        "multiply": a * b,
        "divide": truncated(a, b) if b else 0,
        "modulo": a - b * truncated(a, b) if b else 0,
        "min": min(a, b),
        "max": max(a, b),
        "percent": truncated(a * b, 100),
    }
    assert told == {f"{name}_result": saturate(value) for name, value in exact.items()}


@shows("scale_percent: value percent result")
@pytest.mark.parametrize(
    ("value", "percent", "result"), [(7, 50, 3), (-7, 50, -3), (7, 150, 10), (7, -50, -3), (5, 0, 0)]
)
def test_scale_percent_truncates_toward_zero(value: int, percent: int, result: int) -> None:
    assert read(f"p: scale_percent value={value} percent={percent}", "p.result:int") == [result]


@shows("clamp: value min max result")
@pytest.mark.parametrize(("value", "least", "most", "result"), [(5, 1, 3, 3), (0, 1, 3, 1), (2, 1, 3, 2), (2, 5, 3, 5)])
def test_clamp(value: int, least: int, most: int, result: int) -> None:
    assert read(f"c: clamp value={value} min={least} max={most}", "c.result:int") == [result]


@shows("compare: a b op result")
@pytest.mark.parametrize(
    ("op", "results"),
    [
        ("eq", [False, True, False]),
        ("ne", [True, False, True]),
        ("lt", [True, False, False]),
        ("le", [True, True, False]),
        ("gt", [False, False, True]),
        ("ge", [False, True, True]),
    ],
)
def test_compare(op: str, results: list[bool]) -> None:
    text = "; ".join(f"c{place}: compare op={op} a={a} b=4" for place, a in enumerate((3, 4, 5)))
    assert read(text, "c0.result:bool", "c1.result:bool", "c2.result:bool") == results


@shows("logic: a b op result")
@pytest.mark.parametrize(
    ("op", "results"),
    [
        ("and", [False, False, False, True]),
        ("or", [False, True, True, True]),
        ("xor", [False, True, True, False]),
        ("not", [True, True, False, False]),
    ],
)
def test_logic(op: str, results: list[bool]) -> None:
    cases = [(a, b) for a in ("false", "true") for b in ("false", "true")]
    text = "; ".join(f"l{place}: logic op={op} a={a} b={b}" for place, (a, b) in enumerate(cases))
    assert read(text, *(f"l{place}.result:bool" for place in range(4))) == results


@shows("logic: a b op result")
def test_logic_takes_an_absent_b_for_false() -> None:
    text = "n: logic op=not a=true; o: logic op=or a=true; a: logic op=and a=true"
    assert read(text, "n.result:bool", "o.result:bool", "a.result:bool") == [False, True, False]


@shows("select_int: condition if_true if_false result")
def test_select_int() -> None:
    text = "t: select_int condition=true if_true=4 if_false=9; f: select_int condition=false if_true=4 if_false=9"
    assert read(text, "t.result:int", "f.result:int") == [4, 9]


@shows("text_equals: a b result")
def test_text_equals_is_exact() -> None:
    text = "s: text_equals a=Ab b=Ab; c: text_equals a=Ab b=ab; e: text_equals a= b=Ab"
    assert read(text, "s.result:bool", "c.result:bool", "e.result:bool") == [True, False, False]


@shows("same_unit: a b result", "has_unit: unit result")
def test_same_unit_and_has_unit() -> None:
    text = """
        s: same_unit a=chosen b=chosen; d: same_unit a=chosen b=player; n: same_unit a=none b=none
        h: has_unit unit=chosen; no: has_unit unit=none
    """
    wires = ["s.result:bool", "d.result:bool", "n.result:bool", "h.result:bool", "no.result:bool"]
    assert read(text, *wires) == [True, False, True, True, False]


@shows("has_unit: unit result")
def test_has_unit_holds_for_the_dead() -> None:
    text = "kill: kill_unit target=chosen; h: has_unit unit=chosen; on > kill > note"
    assert read(text, "h.result:bool", fight=("dummy", "dummy")) == [True]


@shows("same_card: a b result", "has_card: card result", "current_card: card")
def test_same_card_has_card_and_current_card() -> None:
    text = """
        own: current_card; hand: cards_in_pile pile=hand; none: pick_card how=first
        none_pile: cards_in_pile pile=exhaust
        other: pick_card how=first; hand.cards other.cards; none_pile.cards none.cards; on > other > none > note
        s: same_card; on.card s.a; own.card s.b; d: same_card; own.card d.a; other.card d.b
        h: has_card; own.card h.card; no: has_card; none.card no.card
    """
    wires = ["s.result:bool", "d.result:bool", "h.result:bool", "no.result:bool"]
    # Two instances of one card are not the same card.
    assert read(text, *wires, deck=["probe", "probe"]) == [True, False, True, False]


@shows("same_status: a b result", "own_status: status")
def test_same_status() -> None:
    arena = Arena(
        statuses={
            "a": f"""
                on: on_turn_end; own: own_status; s: same_status b=a; d: same_status b=b; on > note
                {note("s.result:bool", "d.result:bool", "own.status:status")}; own.status s.a; own.status d.a
            """,
            "b": {},
        },
        player={"statuses": {"a": 1}},
    )
    arena.end_turn()
    (told,) = [event.fields["arguments"] for event in arena.events("internal_event_raised")]
    assert (told["s_result"], told["d_result"], told["own_status"].id) == (True, False, "a")
