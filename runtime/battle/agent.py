"""Who answers choices at once (R5.7).

This module stays plain Python in the compiled build (`setup.py`): games and tests derive classes from it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from runtime.battle.choices import Choice
    from runtime.battle.state import Battle


class Agent:
    """Answers choices at once. Derive from it and override `choose`."""

    def choose(self, battle: Battle, choice: Choice) -> list[int]:
        """The cards picked, or the index of the option picked.

        The answer must satisfy `Choice.problem_with`.
        """
        raise NotImplementedError(f"{type(self).__name__} does not answer choices")
