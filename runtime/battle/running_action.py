"""The action, raise or set-up that runs now: everything that is over when it is, apart from the state of the battle."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from runtime.battle.choices import Parked
    from runtime.battle.event_arguments import Handled
    from runtime.battle.hooks import Spend
    from runtime.graph.definitions import EventDefinition
    from runtime.graph.frame import Frame


class RunningAction:
    """What runs in a battle now. Between actions nothing in it matters, so a copy of a battle begins with a new one.

    Attributes:
        cause: The sequence number of the event that causes what happens now.
        chain: The frames of the branches that run now, outermost first.
        hit_depth: How many hits and losses enclose what happens now (R2.7).
        nodes_run: How many nodes have run under the present root (R2.5).
        steps_run: How many nodes, rounds, hits and cards have counted under it (R2.5).
        spends: What hooks have spent and nobody has been told of yet (R4.9).
        handled: What the event being handled carries (R6.2).
        in_cost: Whether a Card Cost Hook is being asked.
        in_intent: Whether an intent is being shown.
        in_leaf: Whether a leaf's amount is being read.
        parked: The action where it waits for an answer, or None.
        raising: The GES events that what happens now answers, outermost first.
        raises_answered: How many of those happened in an earlier moment.
        raises_run: How many GES events have been raised in this moment.
    """

    __slots__ = (
        "cause",
        "chain",
        "handled",
        "hit_depth",
        "in_cost",
        "in_intent",
        "in_leaf",
        "nodes_run",
        "parked",
        "raises_answered",
        "raises_run",
        "raising",
        "spends",
        "steps_run",
    )

    def __init__(self) -> None:
        self.cause = 0
        self.chain: list[Frame] = []
        self.hit_depth = 0
        self.nodes_run = 0
        self.steps_run = 0
        self.spends: list[Spend] = []
        self.handled: Handled | None = None
        self.in_cost = False
        self.in_intent = False
        self.in_leaf = False
        self.parked: Parked | None = None
        self.raising: list[EventDefinition] = []
        self.raises_answered = 0
        self.raises_run = 0

    def break_off(self) -> None:
        """Forgets what runs now and will not go on: after a limit (R2.5), or given up (R5.7).

        The chain is another one from then on: a parked action may still hold the old one.
        """
        self.chain = []
        self.spends = []
        self.hit_depth = 0
        self.handled = None
        self.in_cost = False
        self.in_intent = False
        self.in_leaf = False
