"""R6.6: the events of an inactive database are not dispatched, whoever raises them."""

from __future__ import annotations

from runtime.battle import (
    Answer,
    PlayCard,
    Raise,
    SwitchDatabase,
    advance,
    copy_battle,
    play_replay,
    replay_of,
    state_hash,
)
from tests.runtime.arena import Arena
from tests.runtime.ges_packs import arena, events, guid_of, hears, raised, trigger


def stormy(**fields: object) -> Arena:
    return arena(
        events(storm="none", rain="none"),
        trigger("storm", "rain", delay_ms=100),
        cards={
            "call": f"on: on_card_played; say: raise_ges_event event={guid_of('storm')}; "
            "keep: set_variable name=told; on > say > keep; say.receivers keep.value",
            "ask": {"target": "none", "graph": 'on: on_card_played; ask: choose_option options=["a","b"]; on > ask'},
        },
        statuses={"ears": hears("storm", "rain")},
        player={"statuses": {"ears": 1}},
        encounter={"id": "fight"},
        **fields,  # type: ignore[arg-type]
    )


def test_r6_6_nobody_hears_a_raise_from_outside_or_from_a_graph() -> None:
    battle = stormy(deck=["call", "call"])
    battle.do(SwitchDatabase(False))
    battle.raise_event("storm")
    battle.play("call")
    assert (raised(battle.battle), battle.variable("storm"), battle.variable("told")) == ([], 0, 0)
    battle.do(SwitchDatabase(True))
    battle.play("call")
    assert (raised(battle.battle), battle.variable("storm"), battle.variable("told")) == (["storm"], 1, 1)


def test_r6_6_what_becomes_due_meanwhile_is_lost() -> None:
    battle = stormy()
    battle.raise_event("storm")
    battle.do(SwitchDatabase(False))
    advance(battle.battle, 100)
    battle.do(SwitchDatabase(True))
    advance(battle.battle, 100)
    assert raised(battle.battle) == ["storm"]


def test_r6_5_a_switch_waits_behind_an_open_choice_in_order() -> None:
    battle = stormy()
    battle.do(PlayCard(battle.card("ask")))
    storm = battle.battle.content.events["storm"]
    for action in (Raise(storm, {}), SwitchDatabase(False), Raise(storm, {}), SwitchDatabase(True), Raise(storm, {})):
        battle.do(action)
    battle.do(Answer([0], "option"))
    assert raised(battle.battle) == ["storm", "storm"]


def test_r8_2_a_replay_holds_the_switches_and_how_it_began() -> None:
    battle = stormy(database_active=False, deck=["call"])
    storm = battle.battle.content.events["storm"]
    for action in (Raise(storm, {}), SwitchDatabase(False), SwitchDatabase(True), Raise(storm, {})):
        battle.do(action)
    replay = replay_of(battle.battle, {"encounter": "fight"})
    assert replay["database_active"] is False
    # One that changed nothing is not there.
    assert [next(iter(entry)) for entry in replay["actions"]] == ["raise", "database_active", "raise"]
    again = play_replay(battle.battle.content, battle.battle.encounter, replay)
    assert raised(again) == ["storm"]
    assert state_hash(again) == state_hash(battle.battle)


def test_r8_2_a_copy_is_as_inactive_as_its_original() -> None:
    battle = stormy()
    before = state_hash(battle.battle)
    battle.do(SwitchDatabase(False))
    twin = copy_battle(battle.battle)
    assert not twin.database_active
    assert state_hash(twin) == state_hash(battle.battle) != before
