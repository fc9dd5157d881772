"""Orderings of the ledger that no scenario file can show."""

from __future__ import annotations

from runtime.battle import PlayCard, act, read_events, start_battle
from runtime.loading import encounter_of, load_content

PACK = {
    "cards": [
        {
            "id": "slay",
            "cost": 0,
            "target": "enemy",
            "graph": {
                "nodes": [
                    {"id": "played", "type": "on_card_played"},
                    {"id": "kill", "type": "deal_damage", "params": {"amount": 99}},
                ],
                "links": [["played.out", "kill.in"]],
            },
        }
    ],
    "statuses": [
        {
            "id": "tally",
            "graph": {
                "nodes": [
                    {"id": "end", "type": "on_battle_end"},
                    {"id": "earn", "type": "apply_status", "params": {"status": "medal"}},
                ],
                "links": [["end.out", "earn.in"]],
            },
        },
        {"id": "medal", "keeps": True},
    ],
    "enemies": [{"id": "dummy", "hp": 20}],
    "decks": [{"id": "deck", "cards": ["slay"]}],
    "encounters": [
        {"id": "fight", "enemies": ["dummy"], "deck": "deck", "player": {"hp": 20, "statuses": {"tally": 1}}},
    ],
}


def test_e2_r3_7_e2_comes_before_the_result() -> None:
    content = load_content(PACK)
    battle = start_battle(content, encounter_of(content, "fight"))
    assert act(battle, PlayCard(0, 1)) is None
    kinds = [event.kind for event in read_events(battle, 0)]
    assert kinds.index("stacks_changed") < kinds.index("battle_ended")
    assert battle.kept == {"medal": 1}
