"""Issue 10.11: what clients do is one line of level INFO, and repeated failures are counted, not repeated."""

from __future__ import annotations

import io
import logging

import pytest
from grpc import aio

from bridge.server.repeats import RepeatsFilter


class Log:
    """A handler with the filter, at a time that tests set; its logger has the level that a test gives it."""

    def __init__(self, name: str, level: int = logging.INFO) -> None:
        self.now = 0.0
        self.written = io.StringIO()
        handler = logging.StreamHandler(self.written)
        handler.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
        self.repeats = RepeatsFilter(handler, lambda: self.now)
        handler.addFilter(self.repeats)
        self.logger = logging.getLogger(name)
        self.logger.handlers = [handler]
        self.logger.propagate = False
        self.logger.setLevel(level)

    def lines(self) -> list[str]:
        return self.written.getvalue().splitlines()


@pytest.fixture
def grpc_log() -> Log:
    return Log("grpc._cython.cygrpc")


def fail(log: Log, error: Exception) -> None:
    try:
        raise error
    except type(error):
        log.logger.exception("ExecuteBatchError raised in core by servicer method [/gcs.v1.BattleService/Watch]")


def test_a_client_that_is_gone_is_one_line_of_level_info(grpc_log: Log) -> None:
    fail(grpc_log, aio.InternalError("Failed"))
    assert grpc_log.lines() == ["INFO a client is gone before its call was over (InternalError)"]


def test_a_client_that_is_gone_is_not_told_at_level_warning() -> None:
    log = Log("grpc._cython.cygrpc", logging.WARNING)
    fail(log, aio.InternalError("Failed"))
    assert log.lines() == []


def test_an_error_of_ours_keeps_its_traceback(grpc_log: Log) -> None:
    fail(grpc_log, ValueError("ours"))
    assert grpc_log.lines()[:2] == [
        "ERROR ExecuteBatchError raised in core by servicer method [/gcs.v1.BattleService/Watch]",
        "Traceback (most recent call last):",
    ]
    assert grpc_log.lines()[-1] == "ValueError: ours"


def test_lines_of_one_kind_are_counted_for_ten_seconds() -> None:
    log = Log("bridge.relay.relay")
    for port in range(100):
        log.logger.info("%s was not let in: %s", f"127.0.0.1:{port}", "it took too long")
    log.logger.warning("a connection was sent away")
    assert log.lines() == ["INFO 127.0.0.1:0 was not let in: it took too long", "WARNING a connection was sent away"]
    log.now = 10.0
    log.logger.info("%s was not let in: %s", "127.0.0.1:100", "it took too long")
    assert log.lines()[2:] == [
        "INFO 99 more of: %s was not let in: %s",
        "INFO 127.0.0.1:100 was not let in: it took too long",
    ]


def test_what_was_counted_is_told_at_the_end() -> None:
    log = Log("bridge.relay.relay")
    for _ in range(3):
        log.logger.info("again")
    log.repeats.tell()
    log.repeats.tell()
    assert log.lines() == ["INFO again", "INFO 2 more of: again"]


def test_lines_about_battles_are_all_told() -> None:
    log = Log("bridge.battles.battles")
    for number in range(3):
        log.logger.info("battle started %d", number)
    assert log.lines() == ["INFO battle started 0", "INFO battle started 1", "INFO battle started 2"]


def test_tasks_that_fail_alike_are_one_kind() -> None:
    log = Log("asyncio")
    for number in range(3):
        log.logger.error("Task exception was never retrieved\nfuture: <Task %d>" % number)  # noqa: G002, UP031
    log.repeats.tell()
    assert [line for line in log.lines() if line.startswith("ERROR")] == [
        "ERROR Task exception was never retrieved",
        "ERROR 2 more of: Task exception was never retrieved",
    ]
