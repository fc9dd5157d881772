"""Messages that are encoded by hand are those that protobuf would write."""

from __future__ import annotations

import pytest
from google.protobuf.internal.encoder import _VarintBytes  # type: ignore[attr-defined]
from hypothesis import given
from hypothesis import strategies as st

from bridge.pb.gcs.v1 import battle_pb2 as pb
from bridge.wire.encoding import Numbers, TellingNumbers, submessage, tag, varint

NUMBERS = st.one_of(st.integers(0, 2**16), st.integers(0, 2**64 - 1))


@given(NUMBERS)
def test_varints(value: int) -> None:
    assert varint(value) == _VarintBytes(value)


@given(st.integers(max_value=-1))
def test_a_negative_number_is_refused_not_written_as_another(value: int) -> None:
    with pytest.raises(ValueError, match="range"):
        varint(value)


@given(st.integers(0, 2**31 - 1))
def test_a_number_that_is_the_default_is_told_where_the_field_is_optional(value: int) -> None:
    turn = pb.StateChange.FromString(TellingNumbers(pb.StateChange.TURN_FIELD_NUMBER)[value])
    assert (turn.HasField("turn"), turn.turn) == (True, value)
    size = Numbers(pb.PileState.SIZE_FIELD_NUMBER)[value]
    assert size == pb.PileState(size=value).SerializeToString()


@given(st.text(max_size=400))
def test_texts_and_messages_inside_others(text: str) -> None:
    field = pb.BattleState.BATTLE_ID_FIELD_NUMBER
    encoded = text.encode()
    assert pb.BattleState.FromString(submessage(field, encoded)) == pb.BattleState(battle_id=text)
    assert submessage(field, encoded) == tag(field) + varint(len(encoded)) + encoded
