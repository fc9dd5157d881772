"""Every number of every request: one out of range is refused with an error that names the field."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import grpc
import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from bridge.pb.gcs.v1 import battle_pb2, content_pb2, ges_pb2, service_pb2
from bridge.testing.client import ActionRejectedError, Client, violations_of
from tests.bridge.packs import GUIDS, wire_pack

INT_MAX: Final = 2**31 - 1
NAN: Final = float("nan")
START: Final = {"pack": "starter", "encounter": "first_fight"}
# Any number is right for them: 64 bits of a seed, and variables are Ints.
FREE: Final = {"StartBattleRequest.seed", "PlayerOverride.variables"}
_NUMBERS: Final = frozenset(
    (
        FieldDescriptor.CPPTYPE_INT32,
        FieldDescriptor.CPPTYPE_INT64,
        FieldDescriptor.CPPTYPE_UINT32,
        FieldDescriptor.CPPTYPE_UINT64,
        FieldDescriptor.CPPTYPE_FLOAT,
        FieldDescriptor.CPPTYPE_DOUBLE,
    )
)

Call = Callable[[Client, str, Any], object]


def _start(**fields: Any) -> service_pb2.StartBattleRequest:
    return service_pb2.StartBattleRequest(**START, **fields)


def _player(name: str) -> Call:
    def call(client: Client, _battle: str, value: int) -> object:
        return client.battles.StartBattle(_start(player=service_pb2.PlayerOverride(**{name: value})))

    return call


def _limits(name: str) -> Call:
    def call(client: Client, _battle: str, value: int) -> object:
        return client.battles.StartBattle(_start(limits=service_pb2.Limits(**{name: value})))

    return call


def _request(battle: str, kind: str = "none", **fields: Any) -> ges_pb2.RaiseRequest:
    return ges_pb2.RaiseRequest(battle_id=battle, guid=GUIDS[kind], raise_id="r", **fields)


def _raise(kind: str, payload: Callable[[Any], ges_pb2.Payload]) -> Call:
    return lambda client, battle, value: client.ges.Raise(_request(battle, kind, arg=payload(value)))


def _vector(kind: str, message: type[Any], part: str) -> Call:
    return _raise(kind, lambda value: ges_pb2.Payload(**{f"{kind}_value": message(**{part: value})}))


def _repeating(name: str) -> Call:
    def call(client: Client, battle: str, value: int) -> object:
        fields = {"interval_ms": 10, "count": 1, name: value}
        return client.ges.RaiseRepeating(ges_pb2.RaiseRepeatingRequest(request=_request(battle), **fields))

    return call


# What is wrong for a field of a request, how it is sent, and the field that the error names.
REFUSED: Final[dict[str, tuple[Call, tuple[Any, ...], str]]] = {
    **{
        f"PlayerOverride.{name}": (_player(name), (least - 1, -(2**31)), f"player.{name}")
        for name, least in {"hp": 1, "max_hp": 1, "energy": 0, "draw": 0, "hand_limit": 0, "armor": 0}.items()
    },
    "PlayerOverride.statuses": (
        lambda client, _, value: client.battles.StartBattle(
            _start(player=service_pb2.PlayerOverride(statuses={"thorns": value}))
        ),
        (0, -1),
        "player.statuses.thorns",
    ),
    **{
        f"Limits.{name}": (_limits(name), (-1, INT_MAX), f"limits.{name}")
        for name in ("depth", "nodes", "max_turns", "echo")
    },
    "StartBattleRequest.rules": (
        lambda client, _, value: client.battles.StartBattle(_start(rules=value)),
        (77, -1),
        "rules",
    ),
    "ListBattlesRequest.page_size": (
        lambda client, _, value: client.battles.ListBattles(service_pb2.ListBattlesRequest(page_size=value)),
        (-1, INT_MAX),
        "page_size",
    ),
    "SimulateRequest.battle_count": (
        lambda client, _, value: list(
            client.battles.Simulate(service_pb2.SimulateRequest(start=_start(), bot="random", battle_count=value))
        ),
        (0, -1, INT_MAX),
        "battle_count",
    ),
    "RaiseRequest.answers": (
        lambda client, battle, value: client.ges.Raise(_request(battle, answers=value)),
        (2**63, 2**64 - 1),
        "answers",
    ),
    "RaiseDelayedRequest.delay_ms": (
        lambda client, battle, value: client.ges.RaiseDelayed(
            ges_pb2.RaiseDelayedRequest(request=_request(battle), delay_ms=value)
        ),
        (-1, INT_MAX),
        "delay_ms",
    ),
    "RaiseRepeatingRequest.interval_ms": (_repeating("interval_ms"), (0, -1, INT_MAX), "interval_ms"),
    "RaiseRepeatingRequest.count": (_repeating("count"), (0, -2), "count"),
    "AdvanceClockRequest.ms": (
        lambda client, battle, value: client.ges.AdvanceClock(ges_pb2.AdvanceClockRequest(battle_id=battle, ms=value)),
        (-1, INT_MAX),
        "ms",
    ),
    **{
        f"Vector2Value.{part}": (_vector("vector2", ges_pb2.Vector2Value, part), (NAN,), f"arg.vector2_value.{part}")
        for part in "xy"
    },
    **{
        f"Vector3Value.{part}": (_vector("vector3", ges_pb2.Vector3Value, part), (NAN,), f"arg.vector3_value.{part}")
        for part in "xyz"
    },
    **{
        f"ColorValue.{part}": (_vector("color", ges_pb2.ColorValue, part), (NAN,), f"arg.color_value.{part}")
        for part in "rgba"
    },
    "Payload.float_value": (
        _raise("float", lambda value: ges_pb2.Payload(float_value=value)),
        (NAN, float("inf"), -float("inf")),
        "arg.float_value",
    ),
    # An Int of 32 bits is always one; where none is declared it is refused.
    "Payload.int_value": (_raise("float", lambda value: ges_pb2.Payload(int_value=value)), (1,), "arg"),
}
# They are told by another reason: what the client knows does not fit the battle.
OUT_OF_RANGE: Final[dict[str, Call]] = {
    "GetBattleRequest.last_sequence": lambda client, battle, value: client.battles.GetBattle(
        service_pb2.GetBattleRequest(battle_id=battle, last_sequence=value)
    ),
    "WatchRequest.last_sequence": lambda client, battle, value: next(
        client.battles.Watch(service_pb2.WatchRequest(battle_id=battle, last_sequence=value))
    ),
    "JoinBattle.last_sequence": lambda client, battle, value: next(
        client.battles.Play(
            iter([service_pb2.PlayRequest(join=service_pb2.JoinBattle(battle_id=battle, last_sequence=value))])
        )
    ),
}
REJECTED: Final[dict[str, tuple[battle_pb2.Action, str]]] = {
    "Action.state_version": (
        battle_pb2.Action(state_version=2**64 - 1, end_turn=battle_pb2.EndTurn()),
        "STALE_STATE",
    ),
    "AnswerChoice.option": (
        battle_pb2.Action(answer_choice=battle_pb2.AnswerChoice(option=-1)),
        "NO_CHOICE_PENDING",
    ),
    "SetState.values": (
        battle_pb2.Action(set_state=battle_pb2.SetState(values={"player.hp": -1})),
        "INVALID_ACTION",
    ),
}


def _numbers(message: Descriptor, known: set[str]) -> Iterator[str]:
    """The numeric fields of a request and of all that is in it."""
    if message.name in known:
        return
    known.add(message.name)
    for field in message.fields:
        item = field
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            item = field.message_type.fields_by_name["value"]
        if item.message_type is not None:
            yield from _numbers(item.message_type, known)
        elif item.cpp_type in _NUMBERS or item.cpp_type == FieldDescriptor.CPPTYPE_ENUM:
            yield f"{message.name}.{field.name}"


def test_every_number_of_every_request_has_a_case() -> None:
    known: set[str] = set()
    found = {
        name
        for file in (service_pb2, ges_pb2, content_pb2)
        for service in file.DESCRIPTOR.services_by_name.values()
        for method in service.methods
        for name in _numbers(method.input_type, known)
    }
    assert found == {*REFUSED, *OUT_OF_RANGE, *REJECTED, *FREE}


@pytest.fixture
def battle(gcs_client: Client) -> str:
    return gcs_client.start(wire_pack(), "fight", seed=1).battle_id


@pytest.mark.parametrize(
    ("field", "value"), [(field, value) for field, (_, values, _) in REFUSED.items() for value in values]
)
def test_a_number_out_of_range_is_refused_by_the_field(
    gcs_client: Client, battle: str, field: str, value: float
) -> None:
    call, _, named = REFUSED[field]
    with pytest.raises(grpc.RpcError) as refused:
        call(gcs_client, battle, value)
    assert refused.value.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert list(violations_of(refused.value)) == [named]


@pytest.mark.parametrize("field", OUT_OF_RANGE)
def test_a_number_of_no_event_is_refused(gcs_client: Client, battle: str, field: str) -> None:
    for value in (10_000, 2**63, 2**64 - 1):
        with pytest.raises(grpc.RpcError) as refused:
            OUT_OF_RANGE[field](gcs_client, battle, value)
        assert refused.value.code() == grpc.StatusCode.OUT_OF_RANGE


@pytest.mark.parametrize("field", REJECTED)
def test_a_number_of_an_action_is_rejected(gcs_client: Client, field: str) -> None:
    action, reason = REJECTED[field]
    running = gcs_client.start(wire_pack(), "fight", seed=1)
    with pytest.raises(ActionRejectedError) as rejected:
        running.act(action)
    assert rejected.value.reason == reason


def test_any_number_of_64_bits_is_a_seed(gcs_client: Client) -> None:
    for seed in (0, 2**53, 2**63, 2**64 - 1):
        assert gcs_client.start("starter", "first_fight", seed=seed).state.seed == seed


def test_a_seed_that_the_server_draws_is_below_two_to_the_53(gcs_client: Client) -> None:
    drawn = [gcs_client.battles.StartBattle(_start(open_draw_pile=True)).update.snapshot.seed for _ in range(20)]
    assert max(drawn) < 2**53
    assert len(set(drawn)) == 20
    simulate = service_pb2.SimulateRequest(start=_start(), bot="random", battle_count=1)
    simulated = [
        result.seed for _ in range(20) for part in gcs_client.battles.Simulate(simulate) for result in part.battles
    ]
    assert max(simulated) < 2**53
