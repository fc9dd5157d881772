"""Issue "The process", 5 and 11: `kill -9` at any moment loses nothing that was answered or told."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import grpc

from bridge.pb.gcs.v1 import battle_pb2, events_pb2, ges_pb2, service_pb2
from bridge.testing.client import Client
from bridge.testing.mirror import Mirror
from tests.bridge.packs import GUIDS, wire_pack
from tests.bridge.players import choose
from tests.bridge.store.servers import KeptServer

KILLS = 100
BATTLES = 3
# Then others take their place: what is small is loaded fast.
KILLS_A_BATTLE = 20
DECK = ["hit", "shield", "seek", "vote", "shout", "hit", "burn", "shield", "seek", "bury"]


def pack() -> dict[str, Any]:
    """A battle that nobody wins."""
    pack = wire_pack()
    pack["enemies"][0]["hp"] = 1_000_000
    return pack


class Watcher:
    """A stream that watches a battle from its last event on, in a thread of its own until it breaks."""

    def __init__(self, client: Client, battle_id: str, mirror: Mirror) -> None:
        request = service_pb2.WatchRequest(battle_id=battle_id, last_sequence=mirror.last_sequence)
        self._call = client.battles.Watch(request, timeout=client.seconds)
        self._mirror = mirror
        mirror.take(next(self._call).update)
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _read(self) -> None:
        try:
            for response in self._call:
                self._mirror.take(response.update)
        except grpc.RpcError:
            pass

    def join(self) -> None:
        self._thread.join()


class Ledger:
    """One battle as its player and a watcher have it, over all lives of the server."""

    def __init__(self, number: int) -> None:
        self.battle_id = f"b{number}"
        self.random = Random(number)
        self.mirror = Mirror()
        self.told = Mirror()
        # Answered, with the events of the answer; and what was sent last without an answer.
        self.answered: list[tuple[battle_pb2.Action, list[events_pb2.Event]]] = []
        self.raised: dict[str, int] = {}
        self.open: battle_pb2.Action | None = None
        self.sent = 0

    def start(self, client: Client) -> None:
        client.start(pack(), "fight", battle_id=self.battle_id, deck=DECK, player={"hp": 1_000_000})

    def look(self, client: Client) -> Any:
        request = service_pb2.GetBattleRequest(battle_id=self.battle_id, last_sequence=0)
        return client.battles.GetBattle(request, timeout=client.seconds).update

    def check(self, client: Client) -> None:
        """All that this side knows is so, and an action without an answer counts once."""
        found = self.look(client)
        by_number = {event.sequence: event for event in found.events}
        for mirror in (self.mirror, self.told):
            assert [by_number[event.sequence] for event in mirror.events] == mirror.events
        if self.answered:
            action, events = self.answered[-1]
            again = self.act(client, action)
            assert again.update.events == events
            assert again.update.state_version == found.state_version
        if self.open is not None:
            done = self.act(client, self.open)
            assert done.HasField("update")
            self.answered.append((self.open, list(done.update.events)))
            self.open = None
        for raise_id, result in self.raised.items():
            assert self.shout(client, raise_id) == result
        self.mirror = Mirror()
        self.mirror.take(self.look(client))
        started = [event.action_started.action_id for event in self.mirror.events]
        for action, _ in self.answered:
            # An answer to a choice goes on with what was started.
            assert started.count(action.action_id) == (0 if action.HasField("answer_choice") else 1)

    def act(self, client: Client, action: battle_pb2.Action) -> Any:
        request = service_pb2.ActRequest(battle_id=self.battle_id, action=action)
        return client.battles.Act(request, timeout=client.seconds)

    def shout(self, client: Client, raise_id: str) -> int:
        request = ges_pb2.RaiseRequest(battle_id=self.battle_id, guid=GUIDS["none"], raise_id=raise_id)
        result: int = client.ges.Raise(request, timeout=client.seconds).result
        return result

    def play(self, client: Client) -> None:
        """One more action, or now and then a raise."""
        self.sent += 1
        name = f"{self.battle_id}-{self.sent}"
        if self.random.random() < 0.2:
            self.raised = {name: self.shout(client, name)}
            self.mirror.take(self.look_after(client))
            return
        action = choose(self.random, self.mirror.state)
        if not self.mirror.state.HasField("choice") and self.random.random() < 0.3:
            action = battle_pb2.Action(end_turn=battle_pb2.EndTurn())
        action.action_id = name
        self.open = action
        done = self.act(client, action)
        assert done.HasField("update"), done
        self.answered.append((action, list(done.update.events)))
        self.open = None
        self.mirror.take(done.update)

    def look_after(self, client: Client) -> Any:
        request = service_pb2.GetBattleRequest(battle_id=self.battle_id, last_sequence=self.mirror.last_sequence)
        return client.battles.GetBattle(request, timeout=client.seconds).update


def play_until_killed(ledger: Ledger, client: Client, under_way: threading.Event) -> None:
    try:
        while True:
            ledger.play(client)
            under_way.set()
    except grpc.RpcError as error:
        assert error.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED), error  # noqa: PT017


def moments() -> Iterator[float]:
    """After how many seconds of play each kill comes."""
    random = Random(11)
    for _ in range(KILLS):
        yield random.uniform(0, 0.06)


def test_killed_in_mid_action_at_a_hundred_moments(tmp_path: Path) -> None:
    path = tmp_path / "battles.db"
    ledgers: list[Ledger] = []
    answered = 0
    failures: list[BaseException] = []

    def guarded(ledger: Ledger, client: Client, under_way: threading.Event) -> None:
        try:
            play_until_killed(ledger, client, under_way)
        except BaseException as error:  # noqa: BLE001 - told by the test's own thread
            failures.append(error)
            under_way.set()

    for number, moment in enumerate(moments()):
        with KeptServer(path) as server:
            for ledger in ledgers:
                ledger.check(server.client)
            if number % KILLS_A_BATTLE == 0:
                answered += sum(len(ledger.answered) for ledger in ledgers)
                ledgers = [Ledger(number + battle) for battle in range(BATTLES)]
                for ledger in ledgers:
                    ledger.start(server.client)
                    ledger.check(server.client)
            watchers = [Watcher(server.client, ledger.battle_id, ledger.told) for ledger in ledgers]
            under_way = threading.Event()
            players = [threading.Thread(target=guarded, args=(ledger, server.client, under_way)) for ledger in ledgers]
            for player in players:
                player.start()
            under_way.wait()
            threading.Event().wait(moment)
            server.kill()
            for thread in (*players, *watchers):
                thread.join()
            assert not failures, failures
    with KeptServer(path) as server:
        for ledger in ledgers:
            ledger.check(server.client)
    # It was in mid-play each time.
    assert answered > 3 * KILLS
