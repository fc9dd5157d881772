"""Values on units and statuses (nodes.md, "Values")."""

from __future__ import annotations

from tests.runtime.arena import Arena, attacker
from tests.runtime.nodes.probe import note, notes, played, read, shows, units_of

_INFO = ("hp", "max_hp", "missing_hp", "armor", "slot", "intent_amount", "intent_hits")


def _info(unit: str = "") -> tuple[str, list[str]]:
    text = f"i: unit_info {unit}"
    wires = [*(f"i.{port}:int" for port in _INFO), "i.alive:bool", "i.is_player:bool", "i.intent:text"]
    return text, wires


@shows("unit_info: unit hp max_hp missing_hp armor alive is_player slot intent intent_amount intent_hits")
def test_unit_info_of_an_enemy() -> None:
    text, wires = _info("unit=chosen")
    unsteady = """
            hook: damage_taken_hook; s: int_math op=add b=2; set: set_hook_amount; hook > set; hook.amount s.a
            s.result set.amount
        """
    foe = {**attacker(6), "armor": 3, "hp": 40}
    values = read(
        f"hurt: deal_damage amount=8; on > hurt > note; {text}",
        *wires,
        target=1,
        enemies={"foe": foe},
        statuses={"unsteady": unsteady},
        fight=("dummy", "foe"),
        player={"statuses": {"unsteady": 1}},
    )
    # The intent's amount is the shown one: after a dry run of the hooks (R4.9).
    assert values == [35, 40, 5, 0, 1, 8, 1, True, False, "attack"]


@shows("unit_info: unit hp max_hp missing_hp armor alive is_player slot intent intent_amount intent_hits")
def test_unit_info_of_the_acting_unit_by_default() -> None:
    text, wires = _info()
    assert read(text, *wires, player={"hp": 20, "max_hp": 30, "armor": 4}) == [
        20,
        30,
        10,
        4,
        -1,
        0,
        0,
        True,
        True,
        "none",
    ]


@shows("unit_info: unit hp max_hp missing_hp armor alive is_player slot intent intent_amount intent_hits")
def test_unit_info_of_no_unit_and_of_the_dead() -> None:
    text, wires = _info("unit=none")
    assert read(text, *wires) == [0, 0, 0, 0, -1, 0, 0, False, False, "none"]
    text, wires = _info("unit=chosen")
    dead = read(f"kill: kill_unit target=chosen; on > kill > note; {text}", *wires, fight=("dummy", "dummy"))
    assert dead == [0, 100, 100, 0, 0, 0, 0, False, False, "none"]


@shows("unit_is: unit result id tag status")
def test_unit_is_asks_for_all_that_is_given() -> None:
    text = """
        id: unit_is unit=chosen id=worm; tag: unit_is unit=chosen tag=beast; mark: unit_is unit=chosen status=mark
        all: unit_is unit=chosen id=worm tag=beast status=mark; not: unit_is unit=chosen id=worm tag=beast status=other
        else: unit_is unit=chosen id=dummy; p_id: unit_is unit=player id=worm; p_mark: unit_is unit=player status=other
        none: unit_is unit=none; any: unit_is unit=chosen
    """
    names = ("id", "tag", "mark", "all", "not", "else", "p_id", "p_mark", "none", "any")
    values = read(
        text,
        *(f"{name}.result:bool" for name in names),
        statuses={"mark": {}, "other": {}},
        fight=("worm",),
        enemies={"worm": {"hp": 5, "tags": ["beast"], "statuses": {"mark": 1}}},
        player={"statuses": {"other": 1}},
    )
    assert values == [True, True, True, True, False, False, False, True, False, True]


@shows("status_info: unit status stacks present id kind")
def test_status_info_by_id_and_by_wire() -> None:
    ports = ("stacks:int", "present:bool", "id:text", "kind:text")
    wires = [f"{node}.{port}" for node in ("i", "gone") for port in ports]
    statuses = {
        "mark": {
            "kind": "debuff",
            "graph": f"""
            on: on_turn_end; own: own_status; i: status_info; own.status i.status; on > note
            gone: status_info status=other unit=player
            {note(*wires)}
        """,
        },
        "other": {},
    }
    arena = Arena(statuses=statuses, player={"statuses": {"mark": 3}})
    arena.end_turn()
    assert [list(told.values()) for told in notes(arena)] == [[3, True, "mark", "debuff", 0, False, "other", "buff"]]


@shows("status_info: unit status stacks present id kind")
def test_status_info_of_no_unit() -> None:
    wires = ("i.stacks:int", "i.present:bool", "i.id:text")
    assert read("i: status_info unit=none status=mark", *wires, statuses={"mark": {}}) == [0, False, "mark"]


@shows("own_status: status", "own_stacks: result")
def test_own_status_and_own_stacks_are_live() -> None:
    text = f"""
        on: on_turn_end; own: own_status; n: own_stacks; by: change_status_stacks status=mark amount=4
        off: remove_status status=mark; on > note > by > note2 > off > note3
        {note("own.status:status", "n.result:int")}; note2: raise_internal_event event=note args={{"n":"int"}}
        note3: raise_internal_event event=note args={{"n":"int"}}; n.result note2.n; n.result note3.n
    """
    arena = Arena(statuses={"mark": text}, player={"statuses": {"mark": 3}})
    arena.end_turn()
    assert notes(arena) == [{"own_status": "mark", "n_result": 3}, {"n": 7}, {"n": 0}]


@shows("acting_unit: unit", "player: unit", "chosen_target: unit")
def test_acting_unit_player_and_chosen_target() -> None:
    text = "a: acting_unit; p: player; c: chosen_target"
    wires = ("a.unit:unit", "p.unit:unit", "c.unit:unit")
    assert read(text, *wires, target=1, fight=("dummy", "dummy")) == ["player", "player", "enemy1"]
    # A card without a target has nobody chosen; one that aims at its owner has chosen the player.
    assert read(text, *wires, card={"target": "none"}) == ["player", "player", "none"]
    assert read(text, *wires, card={"target": "self"}) == ["player", "player", "player"]
    assert read(text, *wires, card={"target": "any"}, target="player") == ["player", "player", "player"]


@shows("acting_unit: unit", "player: unit", "chosen_target: unit", "other_enemies: units")
def test_acting_unit_by_the_kind_of_graph() -> None:
    text = f"a: acting_unit; p: player; c: chosen_target; {note('a.unit:unit', 'p.unit:unit', 'c.unit:unit')}"
    enemy = f"start: on_enemy_behavior_start; leaf: leaf_intent kind=special; start > leaf > note; {text}"
    arena = Arena(
        statuses={"mark": f"on: on_turn_end; on > note; {text}"},
        enemies={"foe": enemy},
        fight=("dummy", "foe"),
        player={"statuses": {"mark": 1}},
    )
    arena.end_turn()
    assert [list(told.values()) for told in notes(arena)] == [
        ["player", "player", "none"],
        ["enemy1", "player", "none"],
    ]


@shows("all_enemies: units", "all_units: units", "other_enemies: units")
def test_selectors_hold_the_living() -> None:
    fight = ("dummy", "dummy", "dummy")
    text = "kill: kill_unit target=chosen; on > kill > all"
    for type_, found in (
        ("all_enemies", ["enemy0", "enemy2"]),
        ("all_units", ["player", "enemy0", "enemy2"]),
        # In a Card graph the acting unit is the player: all enemies are others.
        ("other_enemies", ["enemy0", "enemy2"]),
    ):
        loop = f"{text}; x: {type_}; all: for_each_unit; x.units all.units; all.body > note"
        arena = played(loop, "all.unit:unit", target=1, fight=fight)
        assert [told["all_unit"] for told in notes(arena)] == found


@shows("other_enemies: units")
def test_other_enemies_leaves_out_the_acting_one() -> None:
    enemy = f"""
        start: on_enemy_behavior_start; leaf: leaf_intent kind=special; x: other_enemies; all: for_each_unit
        x.units all.units; start > leaf > all; all.body > note; {note("all.unit:unit")}
    """
    arena = Arena(enemies={"foe": enemy}, fight=("dummy", "foe", "dummy"))
    arena.end_turn()
    assert [told["all_unit"] for told in notes(arena)] == ["enemy0", "enemy2"]


@shows("first_unit: units unit", "count_units: units result")
def test_first_unit_and_count_units() -> None:
    text = """
        e: all_enemies; f: first_unit; n: count_units; e.units f.units; e.units n.units
        one: first_unit units=player; c: count_units units=all_units; no: first_unit units=none
        z: count_units units=none
    """
    wires = ("f.unit:unit", "n.result:int", "one.unit:unit", "c.result:int", "no.unit:unit", "z.result:int")
    assert read(text, *wires, fight=("dummy", "dummy")) == ["enemy0", 2, "player", 3, "none", 0]
    assert units_of("e: all_enemies", "e.units", fight=("dummy", "dummy")) == ["enemy0", "enemy1"]
