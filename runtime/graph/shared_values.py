"""Values that many readers share, evaluated once whenever an input is read.

A pure node is evaluated anew by each reader. Where each of a chain of nodes reads the one before twice, that
doubles with every node, and one root may read such an input thousands of times (R2.5). So a shared value that
takes many evaluations is remembered while one input of a flow node is read: nothing changes in between, so that
what is read is the same. Inputs without such values, as nearly all are, are read as ever.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from runtime.graph.plugins import as_value
from runtime.graph.types import CARDS, UNITS

if TYPE_CHECKING:
    from runtime.graph.frame import Frame

# A shared value that takes more evaluations than this is remembered.
MOST_EVALUATIONS: Final = 64

# A data output: node id and port name.
Source: TypeAlias = tuple[str, str]


class SharedValues:
    """The values of one branch by what evaluating them takes.

    Args:
        defaults: The defaults of the branch's slots; what is remembered gets slots of its own behind them.
        readers: How many links read each data output of the graph.
    """

    def __init__(self, defaults: list[Any], readers: Mapping[Source, int]) -> None:
        self._defaults = defaults
        self._readers = readers
        self._evaluations: dict[Source, int] = {}
        # By source, the slots of the remembered values that it stands on.
        self._slots: dict[Source, tuple[int, ...]] = {}

    def add(self, source: Source, value: Any, port_type: str, inputs: list[Source]) -> Any:
        """Counts a pure node's value.

        Args:
            source: The output that gives it.
            value: The value object.
            port_type: The output's type.
            inputs: The outputs that it reads.

        Returns:
            What its readers have to read: the value, or one that remembers it.
        """
        evaluations = 1 + sum(self._evaluations.get(read, 0) for read in inputs)
        slots = {slot for read in inputs for slot in self._slots.get(read, ())}
        if evaluations > MOST_EVALUATIONS and self._readers.get(source, 0) > 1:
            slot = len(self._defaults)
            self._defaults.append(None)
            slots.add(slot)
            value = _remembered(value, port_type, slot)
            evaluations = 1
        self._evaluations[source] = evaluations
        self._slots[source] = tuple(sorted(slots))
        return value

    def input(self, source: Source, value: Any, port_type: str) -> Any:
        """The value of a source as an input of a flow node: nothing is remembered from one reading to the next."""
        slots = self._slots.get(source, ())
        return _forgetting(value, port_type, slots) if slots else value


def _remembered(value: Any, port_type: str, slot: int) -> Any:
    is_list = port_type in (UNITS, CARDS)

    def read(frame: Frame) -> Any:
        found = frame.slots[slot]
        if found is None:
            # In a tuple, for no unit is a value, too.
            found = (value.get(frame),)
            frame.slots[slot] = found
        # A list is its reader's own.
        return list(found[0]) if is_list else found[0]

    return as_value(read, port_type)


def _forgetting(value: Any, port_type: str, slots: tuple[int, ...]) -> Any:
    def read(frame: Frame) -> Any:
        for slot in slots:
            frame.slots[slot] = None
        return value.get(frame)

    return as_value(read, port_type)
