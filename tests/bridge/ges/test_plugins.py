"""Plugins in the server's process: listeners of all kinds, raises, and that they disturb nobody."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from bridge.ges import Ges, ManualClock, Raised
from bridge.ges.plugins import installed_plugins
from bridge.pb.gcs.v1 import battle_pb2, events_pb2, ges_pb2, service_pb2
from tests.bridge.local_server import LocalClient, local_server, payload, weather
from tests.runtime.ges_packs import guid_of

PACK = json.dumps(weather())


async def act(client: LocalClient, battle_id: str, **kind: object) -> events_pb2.Update:
    action = battle_pb2.Action(**kind)  # type: ignore[arg-type]
    response = await client.battles.Act(service_pb2.ActRequest(battle_id=battle_id, action=action))
    assert not response.HasField("rejection"), response.rejection
    update: events_pb2.Update = response.update
    return update


async def thunder(client: LocalClient, battle_id: str, strength: int) -> ges_pb2.RaiseResponse:
    request = ges_pb2.RaiseRequest(
        battle_id=battle_id,
        guid=guid_of("thunder"),
        arg=payload(strength),
        sender=ges_pb2.Payload(unit_value="enemy0"),
    )
    response: ges_pb2.RaiseResponse = await client.ges.Raise(request)
    return response


async def test_all_kinds_of_listeners_in_order() -> None:
    heard: list[str] = []
    async with local_server() as (server, client):
        ges = server.ges
        ges.listen(lambda raised: heard.append("low persistent"), persistent=True, priority=-5)
        ges.listen(lambda raised: heard.append("high persistent"), persistent=True, priority=5)
        ges.listen(lambda raised: heard.append("conditional"), condition=lambda raised: raised.event == "ping")
        ges.listen(lambda raised: heard.append("never"), condition=lambda raised: raised.event == "pong")
        ges.listen(lambda raised: heard.append("priority"), priority=1)
        ges.listen(lambda raised: heard.append("high priority"), priority=2)
        basic = ges.listen(lambda raised: heard.append("basic"), guid=guid_of("ping").upper())
        battle = await client.start(PACK)
        await client.ges.Raise(ges_pb2.RaiseRequest(battle_id=battle, guid=guid_of("ping")))
        order = ["basic", "high priority", "priority", "conditional", "high persistent", "low persistent"]
        assert heard == order
        assert basic.stop()
        assert not basic.stop()
        heard.clear()
        await client.ges.Raise(ges_pb2.RaiseRequest(battle_id=battle, guid=guid_of("ping")))
        assert heard == order[1:]


async def test_what_a_plugin_hears() -> None:
    heard: list[Raised] = []
    async with local_server() as (server, client):
        server.ges.listen(heard.append)
        battle = await client.start(PACK)
        await thunder(client, battle, 4)
        first, second = heard
        assert (first.battle_id, first.event, first.guid) == (battle, "thunder", guid_of("thunder"))
        assert (first.arguments, first.origin, first.answers) == ({"arg": 4, "sender": "enemy0"}, "outside", ())
        assert (second.event, second.origin, second.answers) == ("rain", "trigger", (guid_of("thunder"),))
        assert first.sequence < second.sequence


async def test_r6_5_what_a_plugin_raises_in_a_listener_waits_until_the_action_has_ended() -> None:
    async with local_server() as (server, client):
        ges = server.ges

        def answer(raised: Raised) -> None:
            if raised.origin == "graph":
                ges.raise_event(raised.battle_id, guid_of("rain"), 9)

        ges.listen(answer, guid=guid_of("thunder"))
        battle = await client.start(PACK)
        hand = await client.battles.GetBattle(service_pb2.GetBattleRequest(battle_id=battle))
        call = next(card.id for card in hand.update.snapshot.cards if card.card_id == "call")
        update = await act(client, battle, play_card=battle_pb2.PlayCard(card=call))
        # Its own update follows that of the action, in which it was asked for.
        assert [event.ges_event_raised.event for event in update.events if event.HasField("ges_event_raised")] == [
            "thunder"
        ]
        assert await client.raised(battle) == ["thunder", "rain"]
        assert (await client.variables(battle))["rain"] == 1


async def test_a_plugin_that_answers_an_event_with_itself_is_cut() -> None:
    async with local_server() as (server, client):
        server.ges.listen(
            lambda raised: server.ges.raise_event(raised.battle_id, guid_of("ping")), guid=guid_of("ping")
        )
        battle = await client.start(PACK, limits=service_pb2.Limits(echo=5))
        await client.ges.Raise(ges_pb2.RaiseRequest(battle_id=battle, guid=guid_of("ping")))
        assert await client.raised(battle) == ["ping"] * 5


async def test_two_battles_that_a_plugin_makes_echo_each_other_are_cut() -> None:
    async with local_server() as (server, client):
        battles = [await client.start(PACK, limits=service_pb2.Limits(echo=3)) for _ in range(2)]

        def across(raised: Raised) -> None:
            other = battles[1 - battles.index(raised.battle_id)]
            server.ges.raise_event(other, raised.guid)

        server.ges.listen(across, guid=guid_of("ping"))
        await client.ges.Raise(ges_pb2.RaiseRequest(battle_id=battles[0], guid=guid_of("ping")))
        counts = [len(await client.raised(battle)) for battle in battles]
        assert counts == [2, 1]


async def test_a_plugin_raises_at_any_time() -> None:
    async with local_server() as (server, client):
        battle = await client.start(PACK)
        server.ges.raise_event(battle, guid_of("thunder"), 2, sender="player")
        server.ges.raise_event(battle, guid_of("strike").replace("-", ""), "enemy0")
        assert await client.raised(battle) == ["thunder", "strike"]
        for name, arg in (("thunder", "loud"), ("thunder", None), ("ping", 1), ("nowhere", None), ("strike", "enemy9")):
            with pytest.raises(ValueError, match=r"expected|no event"):
                server.ges.raise_event(battle, guid_of(name), arg)
        with pytest.raises(ValueError, match="no battle"):
            server.ges.raise_event("nowhere", guid_of("ping"))


async def test_a_plugin_raises_during_set_up() -> None:
    pack = weather(notify={"battle_started": guid_of("ping")})
    async with local_server() as (server, client):
        server.ges.listen(
            lambda raised: server.ges.raise_event(raised.battle_id, guid_of("pong")), guid=guid_of("ping")
        )
        battle = await client.start(json.dumps(pack))
        assert await client.raised(battle) == ["ping", "pong"]


async def test_a_listener_that_throws_disturbs_nobody(caplog: pytest.LogCaptureFixture) -> None:
    heard: list[str] = []

    def fail(raised: Raised) -> None:
        raise RuntimeError("out of order")

    async with local_server() as (server, client):
        server.ges.listen(fail)
        server.ges.listen(lambda raised: heard.append(raised.event), persistent=True)
        battle = await client.start(PACK)
        response = await client.ges.Raise(ges_pb2.RaiseRequest(battle_id=battle, guid=guid_of("ping")))
        assert (response.result, response.receivers) == (ges_pb2.RAISE_RESULT_DISPATCHED, 1)
        assert heard == ["ping"]
    assert "out of order" in caplog.text


async def test_listeners_of_a_battle_go_with_it() -> None:
    async with local_server() as (server, client):
        battle = await client.start(PACK)
        mine = server.ges.listen(lambda raised: None, battle_id=battle)
        await client.battles.EndBattle(service_pb2.EndBattleRequest(battle_id=battle))
        assert not mine.stop()


async def test_one_clock_drives_all_battles_of_a_server() -> None:
    clock = ManualClock()
    async with local_server(clock) as (_, client):
        battles = [await client.start(PACK) for _ in range(2)]
        for number, battle in enumerate(battles):
            request = ges_pb2.RaiseRequest(battle_id=battle, guid=guid_of("ping"), raise_id="r")
            await client.ges.RaiseRepeating(
                ges_pb2.RaiseRepeatingRequest(request=request, interval_ms=100 * (number + 1), count=-1)
            )
            await thunder(client, battle, 1)
        clock.advance(1_000)
        counts = [await client.variables(battle) for battle in battles]
        assert [(found["ping"], found["flash"]) for found in counts] == [(10, 2), (5, 2)]
        await client.battles.EndBattle(service_pb2.EndBattleRequest(battle_id=battles[0]))
        clock.advance(1_000)
        assert (await client.variables(battles[1]))["ping"] == 10


@pytest.mark.parametrize(
    "wrong",
    [
        {"guid": "thunder"},
        {"condition": lambda raised: True, "priority": 1},
        {"condition": lambda raised: True, "persistent": True},
        {"persistent": True, "battle_id": "b"},
    ],
)
def test_a_listener_whose_kind_is_not_clear_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"GUID|listener"):
        Ges().listen(lambda raised: None, **wrong)  # type: ignore[arg-type]


def test_installed_packages_name_their_plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = tmp_path / "storms-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: storms\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[gcs.ges]\nstorms = storms_plugin:install\n", encoding="utf-8")
    (tmp_path / "storms_plugin.py").write_text(
        "def install(ges):\n    ges.listen(print, persistent=True)\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "storms_plugin", raising=False)
    plugins = [plugin for plugin in installed_plugins() if plugin.__module__ == "storms_plugin"]
    assert len(plugins) == 1
    plugins[0](Ges())
