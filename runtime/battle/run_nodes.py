"""Running the flow nodes of a branch, one after the other, and the limits on it."""

from __future__ import annotations

from runtime.battle.events import NODE_RUN
from runtime.battle.state import DEAD, RUNNING, Battle
from runtime.graph.frame import Frame
from runtime.graph.program import ExecNode


class LimitReachedError(Exception):
    """A limit of R2.5 was reached: everything under the root is abandoned.

    Attributes:
        kind: ``depth`` or ``nodes``.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def run_nodes(frame: Frame, node: ExecNode | None) -> None:
    """Runs nodes from `node` on, until the branch ends or has to stop.

    Raises:
        LimitReachedError: More flow nodes ran under this root than its limit allows.
    """
    battle = frame.battle
    while node is not None:
        if battle.fallen and stopped(frame):
            return
        nodes = battle.running.nodes_run + 1
        battle.running.nodes_run = nodes
        if nodes > battle.node_limit:
            raise LimitReachedError("nodes", f"more than {battle.node_limit} nodes under one root")
        frame.node = node
        if battle.tracing:
            node = _run_traced(frame, node)
        else:
            node = node.run(frame)


def _run_traced(frame: Frame, node: ExecNode) -> ExecNode | None:
    """Runs one node and logs it with its params, what it reads and what it latches, for `gcs trace`."""
    battle = frame.battle
    shape = frame.branch.shapes[node.id]
    # Reading twice must not warn twice.
    battle.logging = False
    try:
        values: list[tuple[str, str, object]] = [*shape.params]
        values += [(name, port_type, value.get(frame)) for name, port_type, value in shape.inputs]
    finally:
        battle.logging = True
    place = len(battle.log)
    cause = battle.running.cause
    battle.log.append((NODE_RUN, cause, node.id, shape.type, tuple(values), ()))
    battle.running.cause = place + 1
    following = node.run(frame)
    battle.running.cause = cause
    latched = [(name, port_type, frame.slots[slot]) for name, port_type, slot in shape.outputs]
    battle.log[place] = (NODE_RUN, cause, node.id, shape.type, tuple(values), tuple(latched))
    return following


def stopped(frame: Frame) -> bool:
    """Whether the branch has to stop at its next node.

    R2.7: after the decision only E2 runs on, with the hooks that it asks. R2.8: neither does a branch whose acting unit
    is dead. One whose unit has left goes on (R2.10).
    """
    battle = frame.battle
    if battle.outcome != RUNNING and not frame.branch.at_end:
        return True
    return frame.acting.life == DEAD and not frame.branch.posthumous


def decided(frame: Frame) -> bool:
    """Whether the battle's decision drops the targets and rounds that an action has still open (R2.7).

    A dead acting unit does not: its branch stops at the next node (R2.8), this one is done to its end.
    """
    return frame.battle.outcome != RUNNING and not frame.branch.at_end


def take_step(battle: Battle) -> None:
    """Counts a round of a loop, a hit, or a card drawn or made: one node must not run without end either.

    Raises:
        LimitReachedError: There were more of them under this root than its limit of flow nodes.
    """
    battle.running.steps_run += 1
    if battle.running.steps_run > battle.node_limit:
        raise LimitReachedError("nodes", f"more than {battle.node_limit} rounds, hits or cards under one root")
