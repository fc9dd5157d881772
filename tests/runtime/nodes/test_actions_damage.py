"""Actions on HP, armor, energy and statuses, node by node; see tests/runtime/battle for their rules."""

from __future__ import annotations

from typing import Any

import pytest

from tests.runtime.arena import Arena, witness
from tests.runtime.nodes.probe import note, notes, played, read, shows

# Who acts, by graph kind: a card played on enemy1, enemy0's leaf, a status on enemy1.
_WHO = ("player", "enemy0", "enemy1", "enemy2")


def acted(text: str, kind: str, **more: Any) -> Arena:
    """Runs `go`, a chain of nodes that begins at `first`, in a Card, Enemy or Status graph."""
    if kind == "card":
        arena = Arena(cards={"act": f"on: on_card_played; on > first; {text}"}, fight=("dummy",) * 3, **more)
        arena.play("act", 1)
        return arena
    statuses = dict(more.pop("statuses", {}))
    enemies = {"idle": {"hp": 100}}
    fight: tuple[str, ...] = ("idle", "idle", "idle")
    if kind == "enemy":
        enemies["actor"] = {
            "hp": 100,
            "graph": f"""
            s: on_enemy_behavior_start; l: leaf_intent kind=special; s > l > first; {text}
        """,
        }
        fight = ("actor", "idle", "idle")
    else:
        statuses["acts"] = f"on: on_turn_start; on > first; {text}"
        enemies["holder"] = {"hp": 100, "statuses": {"acts": 1}}
        fight = ("idle", "holder", "idle")
    arena = Arena(statuses=statuses, enemies=enemies, fight=fight, **more)
    arena.end_turn()
    return arena


def _hp(arena: Arena) -> list[int]:
    return [100 - unit.hp if unit.number else 50 - unit.hp for unit in arena.battle.units]


@shows("deal_damage: amount target")
@pytest.mark.parametrize(
    ("kind", "target", "hurt"),
    [
        ("card", "", ["enemy1"]),
        ("enemy", "", ["player"]),
        ("status", "", ["enemy1"]),
        ("card", "target=acting", ["player"]),
        ("enemy", "target=acting", ["enemy0"]),
        ("status", "target=player", ["player"]),
        ("card", "target=chosen", ["enemy1"]),
        ("enemy", "target=chosen", []),
        ("card", "target=none", []),
        ("card", "target=all_enemies", ["enemy0", "enemy1", "enemy2"]),
        ("enemy", "target=all_units", ["player", "enemy0", "enemy1", "enemy2"]),
    ],
)
def test_the_subject_and_the_words_for_units(kind: str, target: str, hurt: list[str]) -> None:
    arena = acted(f"first: deal_damage amount=7 {target}", kind)
    assert _hp(arena) == [7 if name in hurt else 0 for name in _WHO]


@shows("deal_damage: amount target attacker hits kind")
@pytest.mark.parametrize(
    ("kind", "params", "attacker"),
    [
        # R4.3, all of it: auto, attack and status, without and with an attacker.
        ("card", "", "player"),
        ("card", "kind=auto", "player"),
        ("card", "kind=attack", "player"),
        ("card", "kind=status", None),
        ("card", "attacker=chosen", "enemy1"),
        ("card", "attacker=none", None),
        ("card", "kind=attack attacker=none", None),
        ("card", "kind=status attacker=chosen", None),
        ("enemy", "", "enemy0"),
        ("enemy", "attacker=player", "player"),
        ("enemy", "kind=status", None),
        ("status", "", None),
        ("status", "kind=attack", "enemy1"),
        ("status", "attacker=player", "player"),
        ("status", "kind=attack attacker=player", "player"),
        ("status", "kind=status attacker=player", None),
        ("status", "attacker=none", None),
    ],
)
def test_r4_3_who_attacks(kind: str, params: str, attacker: str | None) -> None:
    arena = acted(f"first: deal_damage amount=3 target=player {params}", kind)
    (hit,) = arena.events("damage_resolved")
    number = -1 if attacker is None else _WHO.index(attacker)
    assert (hit.fields["source"], hit.fields["is_attack"]) == (number, attacker is not None)


@shows("deal_damage: attacker kind")
def test_r4_3_a_dead_attacker_makes_it_status_damage() -> None:
    arena = acted(
        """
        first: kill_unit target=chosen; hit: deal_damage amount=3 target=player attacker=chosen; first > hit
    """,
        "card",
    )
    (hit,) = arena.events("damage_resolved")
    assert (hit.fields["source"], hit.fields["is_attack"]) == (-1, False)


@shows("deal_damage: hits hp_loss killed on_kill victim")
def test_deal_damage_sums_its_losses_and_tells_its_kills() -> None:
    text = f"""
        on: on_card_played; hit: deal_damage amount=4 hits=3 target=all_enemies; on > hit > note
        {note("hit.hp_loss:int", "hit.killed:bool", "hit.victim:unit")}
        kill: raise_internal_event event=note args={{"victim":"unit"}}; hit.on_kill > kill; hit.victim kill.victim
    """
    arena = Arena(
        cards={"volley": {"graph": text, "target": "none"}},
        fight=[("dummy", {"hp": 5}), ("dummy", {"armor": 7}), ("dummy", {"hp": 12})],
    )
    arena.play("volley")
    # 4 + 4 unclamped on the first, 0 + 1 + 4 past armor on the second, 12 on the third.
    assert notes(arena) == [
        {"victim": "enemy0"},
        {"victim": "enemy2"},
        {"hit_hp_loss": 25, "hit_killed": True, "hit_victim": "enemy2"},
    ]


@shows("deal_damage: hits hp_loss killed on_kill victim")
@pytest.mark.parametrize("hits", ["", "hits=1", "hits=0", "hits=-2"])
def test_deal_damage_without_a_kill(hits: str) -> None:
    text = f"hit: deal_damage amount=4 {hits}; k: set_variable name=kills value=1; hit.on_kill > k; on > hit > note"
    expected = 4 if hits in ("", "hits=1") else 0
    assert read(text, "hit.hp_loss:int", "hit.killed:bool", "hit.victim:unit") == [expected, False, "none"]


@shows("deal_damage: amount hits target")
def test_r4_1_deal_damage_reads_its_inputs_once() -> None:
    # The player's armor grows with each hit; amount and hits were read before.
    up = "on: on_damage_dealt; up: gain_armor amount=1; on > up"
    text = """
        i: unit_info; hit: deal_damage target=chosen; k: int_math op=add b=2; i.armor k.a; k.result hit.amount
        k.result hit.hits
        on > hit > note
    """
    assert read(text, "hit.hp_loss:int", "i.armor:int", statuses={"up": up}, player={"statuses": {"up": 1}}) == [4, 2]


@shows("deal_damage: target")
def test_the_targets_are_frozen_at_the_start() -> None:
    come = "on: on_damage_taken; come: spawn_unit enemy=dummy; on > come"
    text = "hit: deal_damage amount=4 target=all_enemies; on > hit > note"
    arena = played(
        text, "hit.hp_loss:int", statuses={"come": come}, fight=[("dummy", {"statuses": {"come": 1}}), "dummy"]
    )
    assert notes(arena) == [{"hit_hp_loss": 8}]
    assert len(arena.battle.units) == 4


@shows("lose_hp: amount target lost", "gain_hp: amount target healed", "gain_armor: amount target gained")
@pytest.mark.parametrize(
    ("node", "output", "amount", "on_player", "on_enemies"),
    [
        ("lose_hp", "lost", 30, 30, 60),
        ("lose_hp", "lost", 95, None, 188),
        ("lose_hp", "lost", -1, 0, 0),
        ("gain_hp", "healed", 4, 4, 4),
        ("gain_hp", "healed", 20, 10, 7),
        ("gain_hp", "healed", 0, 0, 0),
        ("gain_armor", "gained", 5, 5, 10),
        ("gain_armor", "gained", -5, 0, 0),
    ],
)
def test_amounts_on_the_acting_unit_by_default_and_summed_over_targets(
    node: str, output: str, amount: int, on_player: int | None, on_enemies: int
) -> None:
    for target, result in (("", on_player), ("target=all_enemies", on_enemies), ("target=none", 0)):
        text = f"on: on_card_played; x: {node} amount={amount} {target}; on > x > note; {note(f'x.{output}:int')}"
        # The player has 50 of 60 HP, enemy0 93 of 100, enemy1 all of its 100.
        arena = Arena(cards={"act": text}, fight=("dummy", "dummy"), player={"hp": 50, "max_hp": 60})
        arena.set(enemies__0__hp=93)
        arena.play("act")
        # None: the player is dead, and its branch stops there.
        assert notes(arena) == ([] if result is None else [{f"x_{output}": result}])


@shows("lose_armor: amount target", "gain_armor: amount target gained")
def test_lose_armor_down_to_0() -> None:
    text = """
        up: gain_armor amount=5 target=all_units; down: lose_armor amount=3
        most: lose_armor amount=99 target=chosen; on > up > down > most > note
    """
    arena = played(text, "up.gained:int", fight=("dummy", "dummy"), target=1)
    assert [unit.armor for unit in arena.battle.units] == [2, 5, 0]


@shows("gain_armor: amount target gained")
def test_gain_armor_saturates() -> None:
    text = "a: gain_armor amount=2147483647; b: gain_armor amount=9; on > a > b > note"
    assert read(text, "a.gained:int", "b.gained:int") == [2**31 - 1, 0]


@shows("change_max_hp: amount target")
def test_change_max_hp_clamps_hp_and_never_raises_it() -> None:
    watch = {"watch": witness("on_hp_lost", "on_hp_gained", "on_unit_died")}
    text = "less: change_max_hp amount=-20 target=chosen; more: change_max_hp amount=15; on > less > more > note"
    arena = played(
        text,
        "on.card:card",
        statuses=watch,
        fight=[("dummy", {"statuses": {"watch": 1}})],
        player={"statuses": {"watch": 1}},
    )
    assert (arena.player.hp, arena.player.max_hp, arena.enemy().hp, arena.enemy().max_hp) == (50, 65, 80, 80)
    # At least 1, and no Entry.
    arena = played(
        "x: change_max_hp amount=-2147483648 target=chosen; on > x > note",
        "on.card:card",
        statuses=watch,
        fight=[("dummy", {"statuses": {"watch": 1}})],
    )
    assert (arena.enemy().hp, arena.enemy().max_hp, arena.enemy().alive) == (1, 1, True)
    assert [line for line in arena.lines() if not line.startswith("on_card_played")] == []


@shows("gain_energy: amount", "lose_energy: amount")
def test_gain_and_lose_energy() -> None:
    text = "i: battle_info; up: gain_energy amount=4; on > up > note > down; down: lose_energy amount=99"
    arena = played(text, "i.energy:int")
    # R3.6: above its maximum, too; down to 0.
    assert (notes(arena), arena.battle.energy) == ([{"i_energy": 7}], 0)


@shows("kill_unit: target", "remove_unit: target")
@pytest.mark.parametrize("node", ["kill_unit", "remove_unit"])
def test_kill_and_remove_unit_take_the_acting_unit_by_default(node: str) -> None:
    arena = acted(f"first: {node}", "enemy")
    assert [unit.alive for unit in arena.battle.units] == [True, False, True, True]
    arena = acted(f"first: {node} target=all_enemies", "enemy")
    assert [unit.alive for unit in arena.battle.units] == [True, False, False, False]
    assert arena.outcome == "won"
    assert len(arena.events("unit_died" if node == "kill_unit" else "unit_removed")) == 3
    arena = acted(f"first: {node}", "card")
    assert arena.outcome == "lost"


@shows("apply_status: stacks target source status")
@pytest.mark.parametrize(
    ("kind", "params", "marked", "source"),
    [
        ("card", "", "enemy1", "player"),
        ("enemy", "", "player", "enemy0"),
        ("status", "", "enemy1", "enemy1"),
        ("card", "target=player source=chosen", "player", "enemy1"),
        ("status", "target=player source=none", "player", "player"),
    ],
)
def test_apply_status_to_its_subject_from_its_source(kind: str, params: str, marked: str, source: str) -> None:
    mark = f"on: on_status_received; on > note; {note('on.stacks:int', 'on.source:unit', 'on.target:unit')}"
    arena = acted(f"first: apply_status status=mark {params}", kind, statuses={"mark": mark})
    # One stack by default; the source is the acting unit (R5.2).
    assert notes(arena) == [{"on_stacks": 1, "on_source": source, "on_target": marked}]


@shows("apply_status: stacks target status")
def test_apply_status_sums_the_resulting_stacks() -> None:
    text = "x: apply_status status=mark stacks=3 target=all_enemies; on > x > note"
    fight = [("dummy", {"statuses": {"mark": 2}}), "dummy"]
    assert read(text, "x.stacks:int", statuses={"mark": {}}, fight=fight) == [8]


@shows("remove_status: target status kind")
@pytest.mark.parametrize(
    ("params", "left"),
    [
        ("status=rust", ["shine", "mould"]),
        ("kind=debuff", ["shine"]),
        ("kind=buff", ["rust", "mould"]),
        ("kind=all", []),
        ("kind=all target=chosen", ["rust", "shine", "mould"]),
    ],
)
def test_remove_status_by_id_or_kind(params: str, left: list[str]) -> None:
    statuses = {"rust": {"kind": "debuff"}, "shine": {"kind": "buff"}, "mould": {"kind": "debuff"}}
    carried = dict.fromkeys(statuses, 2)
    arena = played(
        f"""
        x: remove_status {params}; on > x > note
    """,
        "on.card:card",
        statuses=statuses,
        player={"statuses": carried},
    )
    assert list(arena.player.statuses) == left


@shows("change_status_stacks: amount target status mode")
@pytest.mark.parametrize(
    ("params", "player", "enemy"),
    [
        ("amount=2", 5, 3),
        ("amount=2 mode=add", 5, 3),
        ("amount=2 mode=set", 2, 3),
        ("amount=-3", 0, 3),
        ("amount=0 mode=set target=all_units", 0, 0),
        ("amount=99 target=chosen", 3, 9),
        ("amount=-2147483648 target=all_units", 0, 0),
    ],
)
def test_change_status_stacks(params: str, player: int, enemy: int) -> None:
    arena = played(
        f"""
            x: change_status_stacks status=mark {params}; on > x > note
        """,
        "on.card:card",
        statuses={"mark": {"max_stacks": 9}},
        player={"statuses": {"mark": 3}},
        fight=[("dummy", {"statuses": {"mark": 3}})],
    )
    assert (arena.stacks("mark"), arena.stacks("mark", arena.enemy())) == (player, enemy)
