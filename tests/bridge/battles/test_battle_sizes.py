"""Issue 10.2: a start is bounded in size, and its work grows no faster than what the client sends."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import pytest

from bridge.battles.battle_setup import setup_with
from bridge.battles.packs import PackLibrary
from bridge.errors import CallError
from bridge.pb.gcs.v1 import service_pb2
from bridge.settings import ServerLimits
from bridge.wire.state import StateView

LOADED = PackLibrary().require("starter")
ENEMY = next(iter(LOADED.content.pack.enemies))
CARD = next(iter(LOADED.content.pack.cards))
STATUS = next(iter(LOADED.content.pack.statuses))
BUDGET = 100_000


def request_of(deck: list[str] | None = None, **changes: Any) -> service_pb2.StartBattleRequest:
    pack_deck = next(iter(LOADED.content.pack.decks))
    encounter = {"enemies": [ENEMY], "deck": pack_deck, "player": {"hp": 50}, **changes}
    request = service_pb2.StartBattleRequest(pack="starter", encounter_json=json.dumps(encounter))
    if deck is not None:
        request.deck.cards.extend(deck)
    return request


def reason(request: service_pb2.StartBattleRequest, **limits: int) -> tuple[str, str]:
    with pytest.raises(CallError) as refused:
        setup_with(LOADED, request, BUDGET, ServerLimits(**limits))
    return refused.value.reason.name, refused.value.message


def test_each_size_has_its_limit_and_its_reason() -> None:
    assert reason(request_of(enemies=[ENEMY] * 4), enemies=3) == (
        "TOO_MANY_ENEMIES",
        "the encounter has 4 enemies, more than 3",
    )
    assert reason(request_of(max_enemies=9), enemies=8)[0] == "TOO_MANY_ENEMIES"
    assert reason(request_of(player={"hp": 1, "statuses": {STATUS: 1}}), statuses=0)[0] == "TOO_MANY_STATUSES"
    assert reason(request_of(player={"hp": 1, "variables": {"a": 1, "b": 2}}), variables=1)[0] == "TOO_MANY_VARIABLES"
    assert reason(request_of([CARD] * 3), deck_cards=2)[0] == "TOO_MANY_CARDS"


def test_overrides_count_in_place_of_the_encounters_own() -> None:
    request = request_of(player={"hp": 1, "variables": {"a": 1}})
    request.player.variables.update({"b": 1, "c": 1})
    request.player.statuses[STATUS] = 1
    assert reason(request, variables=1)[0] == "TOO_MANY_VARIABLES"
    assert reason(request, statuses=0)[0] == "TOO_MANY_STATUSES"
    assert setup_with(LOADED, request, BUDGET, ServerLimits()).encounter.variables == {"b": 1, "c": 1}


def test_the_largest_allowed_is_allowed() -> None:
    limits = ServerLimits(enemies=5, variables=1, deck_cards=3)
    request = request_of([CARD] * 3, enemies=[ENEMY] * 5, max_enemies=5, player={"hp": 1, "variables": {"a": 1}})
    assert len(setup_with(LOADED, request, BUDGET, limits).encounter.enemies) == 5


GROWING: dict[str, Callable[[int], service_pb2.StartBattleRequest]] = {
    "enemies": lambda n: request_of(enemies=[ENEMY] * n, max_enemies=n),
    "unknown enemies": lambda n: request_of(enemies=[f"nobody{number}" for number in range(n)]),
    "variables": lambda n: request_of(player={"hp": 1, "variables": {f"v{number}": 1 for number in range(n)}}),
    "unknown statuses": lambda n: request_of(player={"hp": 1, "statuses": {f"v{number}": 1 for number in range(n)}}),
    "rewards": lambda n: request_of(rewards=[{"cards": [CARD]}] * n),
    "unknown rewards": lambda n: request_of(rewards=[{"cards": [f"x{CARD}"]}] * n),
    "unknown fields": lambda n: request_of(**{f"field{number}": 1 for number in range(n)}),
    "extra": lambda n: request_of(extra={f"x{number}": [1] for number in range(n)}),
    "deck": lambda n: request_of([CARD] * n),
    "unknown cards": lambda n: request_of([f"x{number}" for number in range(n)]),
    "hand": lambda n: request_of([CARD] * n, player={"hp": 1, "hand_limit": n, "draw": n}),
}


def work(request: service_pb2.StartBattleRequest) -> int:
    """How many functions are called until a battle is started and told of, or the request is refused."""
    calls = 0

    def count(_: object, event: str, __: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        view = StateView(setup_with(LOADED, request, BUDGET).start(1), "counted", open_draw_pile=False, seed_known=True)
        view.change()
        view.snapshot()
    except CallError:
        pass
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.parametrize("what", GROWING)
def test_twice_as_much_is_at_most_a_little_more_than_twice_the_work(what: str) -> None:
    # What is made once, such as names that are kept, is made here.
    work(GROWING[what](400))
    assert work(GROWING[what](400)) < 2.4 * work(GROWING[what](200))
