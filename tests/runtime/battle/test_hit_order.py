"""R4.1: HIT_ORDER is what really happens, checked against a model that walks that constant step by step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime.battle import PlayCard, act, entry_lines, read_events, start_battle
from runtime.battle.damage import HIT_ORDER
from runtime.loading import encounter_of, load_content
from tests.runtime.arena import Arena, graph, witness

INT_MIN, INT_MAX = -(2**31), 2**31 - 1
MAX_HP = 100

# Every hook computes amount * factor + more + the armor that it sees; every Entry heals the target by its own
# number. All numbers are variables of the player, so that one pack serves all examples.
HOOKS = ("damage_dealt_hook", "damage_taken_hook", "hp_loss_hook")
REACTIONS = ("on_damage_dealt", "on_damage_taken", "on_attack_taken", "on_hp_lost", "on_unit_died")
NAMES = ("amount", *(f"{hook}_{part}" for hook in HOOKS for part in ("factor", "more", "armor")), *REACTIONS)


def _read(node: str, name: str) -> str:
    return f"{node}: get_variable name={name} scope=unit unit=player;"


def _hook(hook: str) -> str:
    return f"""
        {hook}: {hook}; {hook}_set: set_hook_amount; {hook} > {hook}_set
        {_read(f"{hook}_f", f"{hook}_factor")} {_read(f"{hook}_m", f"{hook}_more")}
        {_read(f"{hook}_a", f"{hook}_armor")}
        {hook}_unit: unit_info; {hook}.target {hook}_unit.unit
        {hook}_product: int_math op=multiply; {hook}.amount {hook}_product.a; {hook}_f.result {hook}_product.b
        {hook}_sum: int_math op=add; {hook}_product.result {hook}_sum.a; {hook}_m.result {hook}_sum.b
        {hook}_seen: int_math op=multiply; {hook}_unit.armor {hook}_seen.a; {hook}_a.result {hook}_seen.b
        {hook}_all: int_math op=add; {hook}_sum.result {hook}_all.a; {hook}_seen.result {hook}_all.b
        {hook}_all.result {hook}_set.amount
    """


def _reaction(entry: str) -> str:
    return f"""
        {entry}: {entry}; {entry}_heal: gain_hp; {entry} > {entry}_heal; {entry}.target {entry}_heal.target
        {_read(f"{entry}_n", entry)} {entry}_n.result {entry}_heal.amount
    """


ATTACKER = _hook("damage_dealt_hook") + _reaction("on_damage_dealt")
DEFENDER = "".join(map(_hook, HOOKS[1:])) + "".join(map(_reaction, REACTIONS[1:]))
CARD = f"""
    on: on_card_played; hit: deal_damage; killed: change_variable name=kills value=1
    on > hit; hit.on_kill > killed; {_read("n", "amount")} n.result hit.amount
"""
CONTENT = load_content(
    {
        "cards": [{"id": "hit", "cost": 0, "target": "enemy", "graph": graph(CARD)}],
        "statuses": [
            {"id": "attacker", "graph": graph(ATTACKER)},
            {"id": "defender", "graph": graph(DEFENDER)},
        ],
        "enemies": [{"id": "victim", "hp": MAX_HP, "statuses": {"defender": 1}}, {"id": "other", "hp": 1}],
        "decks": [{"id": "deck", "cards": ["hit"]}],
    }
)
ENCOUNTER = {"enemies": ["victim", "other"], "deck": "deck", "player": {"hp": 10, "statuses": {"attacker": 1}}}

# The first battle raises the interpreter's recursion limit, which must not happen in the middle of an example.
start_battle(CONTENT, encounter_of(CONTENT, ENCOUNTER))


def saturate(value: int) -> int:
    return min(INT_MAX, max(INT_MIN, value))


class Hit:
    """The model: one method for each step that HIT_ORDER may name."""

    def __init__(self, numbers: dict[str, int], hp: int, armor: int) -> None:
        self.numbers = numbers
        self.amount = numbers["amount"]
        self.hp = hp
        self.armor = armor
        self.lines: list[tuple[str, int]] = []
        self.dead = False
        self.kills = 0

    def hook(self, name: str) -> None:
        numbers = self.numbers
        product = saturate(self.amount * numbers[f"{name}_factor"])
        seen = saturate(self.armor * numbers[f"{name}_armor"])
        self.amount = saturate(saturate(product + numbers[f"{name}_more"]) + seen)

    def clamp(self) -> None:
        self.amount = max(0, self.amount)

    def absorb(self) -> None:
        absorbed = min(self.armor, self.amount)
        self.armor -= absorbed
        self.amount -= absorbed

    def lose(self) -> None:
        self.clamp()  # R4.9: what hooks leave is at least 0
        self.hp = max(0, self.hp - self.amount)

    def react(self, entry: str) -> None:
        if entry == "on_hp_lost" and self.amount == 0:
            return
        if entry == "on_unit_died" and not self.dead:
            return
        self.lines.append((entry, self.amount))
        if self.numbers[entry] > 0:
            self.hp = min(MAX_HP, self.hp + self.numbers[entry])

    def check_death(self) -> None:
        self.dead = self.hp == 0

    def count_kill(self) -> None:
        if self.dead:
            self.kills += 1
            self.hp = 0  # R4.8: healed while dying is too late


STEPS: dict[str, Callable[[Hit], None]] = {
    **{name: (lambda hit, name=name: hit.hook(name)) for name in HOOKS},
    "clamp": Hit.clamp,
    "armor": Hit.absorb,
    "hp": Hit.lose,
    **{name: (lambda hit, name=name: hit.react(name)) for name in REACTIONS},
    "death_check": Hit.check_death,
    "on_kill": Hit.count_kill,
}

SMALL = st.integers(-40, 60)
WIDE = st.one_of(SMALL, st.integers(INT_MIN, INT_MAX), st.sampled_from([INT_MIN, INT_MAX, INT_MAX - 1]))
NUMBERS = st.fixed_dictionaries(
    {
        "amount": WIDE,
        **{f"{hook}_factor": st.one_of(st.just(1), st.integers(-3, 4)) for hook in HOOKS},
        **{f"{hook}_more": st.one_of(st.just(0), WIDE) for hook in HOOKS},
        **{f"{hook}_armor": st.integers(-1, 2) for hook in HOOKS},
        **{entry: st.one_of(st.just(0), st.integers(-3, 30)) for entry in REACTIONS},
    }
)


def _play(numbers: dict[str, int], hp: int, armor: int) -> Any:
    encounter = encounter_of(CONTENT, ENCOUNTER, player={"variables": numbers})
    battle = start_battle(CONTENT, encounter, seed=3, shuffle=False)
    battle.units[1].hp = hp
    battle.units[1].armor = armor
    before = len(battle.log)
    assert act(battle, PlayCard(0, 1)) is None
    lines = entry_lines(read_events(battle, before), [unit.name for unit in battle.units])
    return battle, lines


@settings(max_examples=300, deadline=None)
@given(numbers=NUMBERS, hp=st.integers(1, MAX_HP), armor=st.one_of(st.integers(0, 30), st.just(INT_MAX)))
def test_r4_1_a_hit_follows_hit_order(numbers: dict[str, int], hp: int, armor: int) -> None:
    model = Hit(numbers, hp, armor)
    for step in HIT_ORDER:
        STEPS[step](model)
    battle, lines = _play(numbers, hp, armor)
    victim = battle.units[1]
    assert (victim.hp, victim.armor) == (model.hp, model.armor)
    assert battle.variables.get("kills", 0) == model.kills
    assert victim.alive is not model.dead
    told = [(line.split()[0], line) for line in lines if not line.startswith("on_card_played")]
    assert [entry for entry, _ in told] == [entry for entry, _ in model.lines]
    # R4.2: the loss after hooks and armor, not clamped to the HP that was left.
    for (entry, line), (_, amount) in zip(told, model.lines, strict=True):
        if entry != "on_unit_died":
            assert f" amount={amount} source=player target=enemy0" in line


def test_r4_1_the_model_knows_every_step_of_hit_order() -> None:
    assert sorted(HIT_ORDER) == sorted(STEPS)
    assert len(set(HIT_ORDER)) == len(HIT_ORDER)


@pytest.mark.parametrize("place", range(len(HIT_ORDER) - 1))
def test_r4_1_another_order_would_be_noticed(place: int) -> None:
    """For any two neighbours there are numbers with which the model tells them apart, so the test above is sharp."""
    swapped = list(HIT_ORDER)
    swapped[place], swapped[place + 1] = swapped[place + 1], swapped[place]
    assert any(_outcome(HIT_ORDER, *case) != _outcome(swapped, *case) for case in _cases())


def _outcome(order: Any, numbers: dict[str, int], hp: int, armor: int) -> Any:
    hit = Hit(numbers, hp, armor)
    for step in order:
        STEPS[step](hit)
    return (hit.hp, hit.armor, hit.lines, hit.dead, hit.kills)


def _cases() -> list[tuple[dict[str, int], int, int]]:
    plain = dict.fromkeys(NAMES, 0) | {f"{hook}_factor": 1 for hook in HOOKS}
    return [
        (plain | {"amount": 10, "damage_dealt_hook_factor": 2, "damage_taken_hook_more": 3}, 50, 4),
        (plain | {"amount": -10, "damage_taken_hook_more": -5, "damage_taken_hook_factor": -1}, 50, 4),
        (plain | {"amount": -10, "hp_loss_hook_more": 3}, 50, 4),
        (plain | {"amount": 10, "hp_loss_hook_armor": 1}, 50, 4),
        (plain | {"amount": 10, "hp_loss_hook_factor": 2}, 50, 4),
        (plain | {"amount": 30, "on_damage_dealt": 5}, 98, 0),
        (plain | {"amount": 30, "on_damage_dealt": 5, "on_hp_lost": 7}, 20, 0),
        (plain | {"amount": 30, "on_hp_lost": 7}, 20, 0),
        (plain | {"amount": 30, "on_unit_died": 7}, 20, 0),
        (plain | {"amount": 30}, 20, 0),
    ]


@pytest.mark.parametrize("amount", [-1, -5])
@pytest.mark.parametrize("listens", [False, True])
@pytest.mark.parametrize("armor", [0, 4])
@pytest.mark.parametrize("target", ["chosen", "all_enemies"])
def test_r4_1_a_negative_amount_that_no_hook_sees_is_clamped(
    target: str, armor: int, listens: bool, amount: int
) -> None:
    """It neither heals nor adds armor, and its Entries tell 0, heard or not."""
    arena = Arena(
        cards={"pat": f"on: on_card_played; hit: deal_damage amount={amount} target={target}; on > hit"},
        statuses={"ear": witness("on_damage_taken", "on_attack_taken", "on_hp_lost")},
        fight=(("dummy", {"hp": 20, "armor": armor, "statuses": {"ear": 1} if listens else {}}),),
    )
    arena.set(enemies__0__hp=10)
    lines = arena.play("pat")
    assert (arena.enemy().hp, arena.enemy().armor) == (10, armor)
    heard = [line for line in lines if line.startswith(("on_damage_taken", "on_attack_taken", "on_hp_lost"))]
    assert [line.split()[0] for line in heard] == (["on_damage_taken", "on_attack_taken"] if listens else [])
    assert all("amount=0" in line for line in heard)
    assert [(event.fields["amount"], event.fields["hp_loss"]) for event in arena.events("damage_resolved")] == [(0, 0)]
