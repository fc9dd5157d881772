from __future__ import annotations

import json

from tests.runtime.oracle.reachable import COUNTS, count_all


def test_as_many_states_can_be_reached_as_were_written_down() -> None:
    assert count_all() == json.loads(COUNTS.read_text(encoding="utf-8"))
