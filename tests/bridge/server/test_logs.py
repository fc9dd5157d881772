"""Structured logs with battle and action ids (issue 4, point 7)."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from bridge.pb.gcs.v1 import battle_pb2, service_pb2
from bridge.server.logs import LogFormat, LogLevel, configure_logging
from bridge.testing.client import Client
from tests.bridge.packs import wire_pack
from tests.bridge.processes import gcs_server


@contextmanager
def logging_to_stderr(log_format: LogFormat, level: LogLevel) -> Iterator[io.StringIO]:
    """Sets up the log of this process and yields what it writes to stderr; it is put back afterwards."""
    root = logging.getLogger()
    before, before_level = root.handlers, root.level
    # Not pytest's own handlers: they would be closed.
    root.handlers = []
    try:
        with redirect_stderr(io.StringIO()) as written:
            configure_logging(log_format, level)
            yield written
    finally:
        root.handlers = before
        root.setLevel(before_level)


def test_a_line_for_people_holds_its_ids() -> None:
    with logging_to_stderr(LogFormat.TEXT, LogLevel.INFO) as written:
        log = logging.getLogger("test")
        log.info("fault: %s", "too deep", extra={"battle_id": "b:1", "action_id": "a b"})
        log.debug("not told")
    (line,) = written.getvalue().splitlines()
    assert line.endswith('INFO test: fault: too deep battle_id=b:1 action_id="a b"')


def test_what_a_client_makes_up_never_ends_a_line() -> None:
    hostile = "x\n2026-01-01 INFO bridge: battle over battle_id=other\x1b[31m\u2028"
    with logging_to_stderr(LogFormat.TEXT, LogLevel.INFO) as written:
        logging.getLogger("test").info("fault: %s", hostile, extra={"action_id": hostile})
    (line,) = written.getvalue().splitlines()
    assert "\x1b" not in line
    assert r"x\n2026" in line
    assert line.endswith(json.dumps(hostile))


def test_a_traceback_stands_below_its_line() -> None:
    with logging_to_stderr(LogFormat.TEXT, LogLevel.INFO) as written:
        try:
            raise ZeroDivisionError("one")
        except ZeroDivisionError:
            logging.getLogger("test").exception("failed", extra={"battle_id": "b"})
    lines = written.getvalue().splitlines()
    assert lines[0].endswith("ERROR test: failed battle_id=b")
    assert lines[-1] == "ZeroDivisionError: one"


def test_json_lines_are_one_object_each() -> None:
    with logging_to_stderr(LogFormat.JSON, LogLevel.WARNING) as written:
        log = logging.getLogger("test")
        log.info("not told")
        try:
            raise ZeroDivisionError("one\ntwo")
        except ZeroDivisionError:
            log.exception("failed: %s", "x\ny", extra={"battle_id": "b"})
    (line,) = written.getvalue().splitlines()
    told = json.loads(line)
    assert (told["level"], told["logger"], told["message"]) == ("ERROR", "test", "failed: x\ny")
    assert told["battle_id"] == "b"
    assert "ZeroDivisionError: one\ntwo" in told["exc_info"]
    assert datetime.fromisoformat(told["time"]).tzinfo is not None


def _lines(log: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.splitlines()]


def test_every_line_about_a_battle_tells_which(tmp_path: Path) -> None:
    """Start, refusal, fault with its chain, end and drop of a battle; start and stop of the server."""
    path = tmp_path / "log"
    options = ("--log-format", "json", "--log-level", "debug")
    with path.open("w") as log, gcs_server(*options, log=log) as (address, _), Client(address) as client:
        battle = client.start(wire_pack(), "fight", battle_id="told", deck=["loop", "shield"], shuffle=False)
        loop = battle.hand[0].id
        play = battle_pb2.PlayCard(card="c99")
        with pytest.raises(Exception, match="UNKNOWN_CARD"):
            battle.act(battle_pb2.Action(action_id="refused", play_card=play))
        battle.act(battle_pb2.Action(action_id="looping", play_card=battle_pb2.PlayCard(card=loop)))
        battle.act(battle_pb2.Action(action_id="last", concede=battle_pb2.Concede()))
        client.battles.EndBattle(service_pb2.EndBattleRequest(battle_id="told"))
        with pytest.raises(Exception, match="no battle"):
            client.battles.EndBattle(service_pb2.EndBattleRequest(battle_id="told"))
    lines = _lines(path.read_text())
    assert {line["logger"].partition(".")[0] for line in lines} == {"bridge"}
    about = [line for line in lines if "battle_id" in line]
    assert {line["battle_id"] for line in about} == {"told"}
    told = [(line["level"], line["message"], line.get("action_id")) for line in about]
    assert told == [
        ("INFO", "battle started", None),
        ("DEBUG", "play_card rejected: UNKNOWN_CARD", "refused"),
        ("WARNING", about[2]["message"], "looping"),
        ("INFO", "battle over: lost in turn 1", "last"),
        ("INFO", "battle dropped: ended", None),
    ]
    assert (about[0]["pack"], about[0]["encounter"]) == ("wire", "fight")
    assert about[2]["message"].startswith("fault: ")
    assert about[2]["kind"] == "depth"
    assert about[2]["chain"].startswith("card:loop on_card_played/n1 > status:echo")
    assert " > (117 more) > " in about[2]["chain"]
    others = [line["message"] for line in lines if "battle_id" not in line]
    assert others == ["listening", "EndBattle failed: UNKNOWN_BATTLE", "stopping: 0 battles", "stopped"]


def test_many_faults_of_one_action_are_a_few_lines(tmp_path: Path) -> None:
    pack = wire_pack()
    graph = {
        "nodes": [
            {"id": "on", "type": "on_turn_end"},
            {"id": "again", "type": "raise_internal_event", "params": {"event": "again"}},
        ],
        "links": [["on.out", "again.in"]],
    }
    pack["statuses"] += [{"id": f"loop{number}", "graph": graph} for number in range(25)]
    statuses = {"echo": 1} | {f"loop{number}": 1 for number in range(25)}
    path = tmp_path / "log"
    with path.open("w") as log, gcs_server(log=log) as (address, _), Client(address) as client:
        battle = client.start(pack, "fight", player={"statuses": statuses})
        battle.end_turn()
        assert len([event for event in battle.mirror.events if event.HasField("fault")]) == 25
    lines = [line for line in path.read_text().splitlines() if "fault" in line]
    assert len(lines) == 11
    assert lines[-1].endswith(f"15 more faults battle_id={battle.battle_id}")
