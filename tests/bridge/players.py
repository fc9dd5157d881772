"""Random play over the wire: what a client can do with what it sees."""

from __future__ import annotations

from random import Random

from bridge.pb.gcs.v1 import battle_pb2


def options(state: battle_pb2.BattleState) -> list[battle_pb2.Action]:
    """Every action that the state says is possible, and end of turn."""
    if state.HasField("choice"):
        choice = state.choice
        if choice.kind == "option":
            return [
                battle_pb2.Action(answer_choice=battle_pb2.AnswerChoice(option=index))
                for index in range(len(choice.options))
            ]
        picks = choice.cards[: max(choice.min, 1)]
        return [battle_pb2.Action(answer_choice=battle_pb2.AnswerChoice(cards=picks))]
    found = [battle_pb2.Action(end_turn=battle_pb2.EndTurn())]
    for card in state.cards:
        if card.playable:
            plays = [battle_pb2.PlayCard(card=card.id, target=target) for target in card.targets or [""]]
            found += [battle_pb2.Action(play_card=play) for play in plays]
    return found


def choose(random: Random, state: battle_pb2.BattleState) -> battle_pb2.Action:
    """One of them; ending the turn is rarer than each of the others."""
    found = options(state)
    return random.choice(found[1:] if len(found) > 1 and random.random() < 0.9 else found)
