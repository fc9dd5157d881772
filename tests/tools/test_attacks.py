"""Issue 10: attacks in their short form. The bystander is always served, and what the attacker gets is bounded."""

from __future__ import annotations

import pytest

from bridge.settings import RelaySettings, ServerLimits
from tools.attacks.bystander import Measured, measure
from tools.attacks.catalogue import ATTACKS

CALLS = 30
LIMITS = ServerLimits()


def short(name: str) -> Measured:
    """One round of an attack, after which the bystander was served all the time and no error was logged."""
    found = measure(name, ATTACKS[name].short, rounds=1, calls=CALLS)
    assert not found.failed
    assert [len(found.quiet[0]), len(found.attacked[0])] == [CALLS, CALLS]
    assert "Traceback" not in found.log
    assert "ERROR" not in found.log
    return found


def test_one_connection_has_no_more_calls_than_allowed() -> None:
    counts = short("open-streams").counts
    assert counts["allowed"] == LIMITS.calls_per_connection
    # All are refused: no token, or the stream reset because there are too many.
    assert counts["answered"] == 0


def test_calls_that_are_cancelled_at_once_harm_nobody() -> None:
    assert short("rapid-reset").counts["sent"] >= 100


def test_few_watches_of_the_health_for_each_connection() -> None:
    # RESOURCE_EXHAUSTED; exactly how many may watch: test_connections.py in tests/bridge/server.
    assert short("health-watches").counts["status 8"] > 0


def test_answers_that_are_not_taken_are_few() -> None:
    assert short("untaken-answers").counts["answered"] <= LIMITS.calls_per_connection


def test_battles_with_too_many_enemies_are_not_started() -> None:
    found = short("many-enemies")
    # RESOURCE_EXHAUSTED, all but perhaps the last one, which the end of the attack leaves without an answer.
    assert 1 <= found.counts["status 8"] <= found.counts["sent"]
    assert found.log.count("battle started") == 1


def test_silent_connections_are_few_for_each_address() -> None:
    counts = short("silent-connections").counts
    most = RelaySettings("").connections_per_address
    assert most < ATTACKS["silent-connections"].short
    # The bystander has one of them.
    assert 1 <= counts["held"] < most


def test_readers_that_read_nothing_are_no_errors() -> None:
    found = short("slow-readers")
    assert found.counts["sent"] == found.counts["answered"] == ATTACKS["slow-readers"].short
    assert found.log.count("a client is gone") <= 2


def test_large_metadata_is_refused() -> None:
    counts = short("large-metadata").counts
    assert counts["answered"] == 0


@pytest.mark.parametrize("name", ATTACKS)
def test_attacks_are_bounded_and_say_what_they_do(name: str) -> None:
    attack = ATTACKS[name]
    assert 0 < attack.short < attack.long
    assert attack.summary


def test_the_measured_memory_is_that_of_the_server() -> None:
    found = short("open-streams")
    before, most, after = found.memory
    assert 0 < before <= most
    assert 0 < after <= most
