"""Playing by hand: what is shown, what is asked, and what is done with the answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bridge.cli import app

PACK = str(Path(__file__).resolve().parents[1] / "data" / "pack")


ENDED = "the input has ended"


def started(deck: str, answers: str, *options: str, encounter: str = "rats") -> Result:
    arguments = ["play", PACK, "--encounter", encounter, "--seed", "1", "--deck", deck, *options]
    return CliRunner().invoke(app, arguments, input=answers, env={"COLUMNS": "120", "TERM": "dumb"})


def play(deck: str, *answers: str, encounter: str = "rats") -> str:
    """Plays a battle by hand, to its end or that of the answers."""
    result = started(deck, "\n".join(answers) + "\n", encounter=encounter)
    assert result.exit_code == (1 if ENDED in result.stderr else 0), result.output
    return result.stdout


def lines(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def test_the_board() -> None:
    shown = lines(play("strike,strike,mallet,defend"))
    assert ["player", "You", "############", "30/30", "Storm", "1"] in shown
    assert ["enemy0", "Rat", "############", "20/20", "attack", "5"] in shown
    assert ["energy", "3/3", "·", "draw", "0", "·", "discard", "0", "·", "exhaust", "0"] in shown
    assert any(
        line[1:] == ["2", "Mallet", "Deal", "8", "damage,", "2", "mark.", "1", "enemy0,", "2", "enemy1"]
        for line in shown
    )


def test_a_card_with_its_target() -> None:
    assert "player plays strike on enemy1 for 1" in play("strike", "1 2")


def test_the_target_is_asked_for() -> None:
    text = play("strike", "1", "2")
    assert "target: 1 enemy0, 2 enemy1 >" in text
    assert "player plays strike on enemy1 for 1" in text


def test_the_only_target_is_taken() -> None:
    text = play("strike", "1", encounter="rat")
    assert "player plays strike on enemy0 for 1" in text


def test_a_card_without_target() -> None:
    assert "player plays defend on player for 1" in play("defend", "1")


def test_the_reason_is_shown_and_told() -> None:
    text = play("mallet,mallet", "1 1", "1 1")
    assert any(line[-3:] == ["not", "enough", "energy"] for line in lines(text))
    assert "Mallet cannot be played: NOT_ENOUGH_ENERGY" in text


def test_nonsense_is_asked_again() -> None:
    text = play("strike", "", "0", "2", "x", "1 9", "1 1 1", "1 1")
    assert text.count("expected a card number from 1 to 1, e or c") == 5
    assert text.count("expected a target number from 1 to 2") == 1
    assert "player plays strike on enemy0 for 1" in text


def test_the_turn_ends() -> None:
    text = play("strike", "e")
    assert "== turn 1: enemy ==" in text
    assert "== turn 2: player ==" in text


def test_conceding() -> None:
    text = play("strike", "c")
    assert "> concede" in text
    assert "lost on turn 1 with 30 HP" in text


@pytest.mark.parametrize(
    ("deck", "answers", "turn"),
    [("strike", "", 1), ("strike", "e\n", 2), ("strike", "1", 1), ("omen", "1\n", 1)],
    ids=["at once", "in the middle", "at the target", "at a choice"],
)
def test_the_end_of_the_input_leaves_the_battle(deck: str, answers: str, turn: int) -> None:
    result = started(deck, answers)
    assert result.exit_code == 1
    assert f"gcs: the input has ended: the battle is left on turn {turn}, neither won nor lost" in result.stderr
    assert "concede" not in [line.strip("> ") for line in result.stdout.splitlines()]
    assert "lost on turn" not in result.stdout


def test_what_was_played_until_the_end_of_the_input_is_recorded(tmp_path: Path) -> None:
    replay = tmp_path / "left.json"
    assert started("strike", "e\n", "--record", str(replay)).exit_code == 1
    verified = CliRunner().invoke(app, ["replay", "verify", str(replay), "--pack", PACK])
    assert verified.exit_code == 0, verified.output


def test_conceding_at_a_choice() -> None:
    text = play("omen", "1", "c")
    assert "> concede" in text
    assert "lost on turn 1 with 30 HP" in text


def test_a_choice_of_cards() -> None:
    text = play("recall,strike", "1 1", "2", "1", "9", "1 1", "1")
    # Whichever card was drawn first, Recall is the one that takes no target.
    assert "Exhaust up to two cards" in text


def test_a_choice_of_an_option() -> None:
    text = play("omen", "1", "3", "2")
    assert "Which?" in text
    assert "expected 1 to 1 different numbers from 1 to 2, or c" in text
    assert "chosen: option 1" in text


def test_winning_shows_the_reward() -> None:
    text = play("strike,strike,strike,strike,strike", *["1 1", "1 1", "1 1", "e"] * 2, *["1", "1", "1", "e"] * 3)
    assert "won on turn" in text
    assert "reward: 1 of Mallet, Omen" in text


def test_a_battle_begins_as_the_options_say(tmp_path: Path) -> None:
    replay = tmp_path / "replay.json"
    options = ("--hp", "7", "--status", "mark=3", "--no-shuffle", "--record", str(replay))
    result = started("strike,defend,mallet", "c\n", *options)
    assert result.exit_code == 0, result.output
    assert any(line[:2] == ["player", "You"] and "7/30" in line and "3" in line for line in lines(result.stdout))
    assert [line[2] for line in lines(result.stdout) if line[:1] in (["1"], ["2"], ["3"])] == [
        "Strike",
        "Defend",
        "Mallet",
    ]
    verified = CliRunner().invoke(app, ["replay", "verify", str(replay), "--pack", PACK])
    assert verified.exit_code == 0, verified.output


@pytest.mark.parametrize(
    ("given", "code", "told"),
    [
        ("mark", 2, "--status mark: expected ID=STACKS, such as strength=2"),
        ("mark=-1", 2, "--status mark=-1: expected ID=STACKS"),
        ("mrak=1", 1, 'did you mean "mark"?'),
    ],
)
def test_a_wrong_status_to_begin_with_is_told(given: str, code: int, told: str) -> None:
    result = started("strike", "", "--status", given)
    assert (result.exit_code, told in result.stderr) == (code, True), result.output
