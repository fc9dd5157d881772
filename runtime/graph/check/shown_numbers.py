"""Finds shown numbers that can ask for themselves (R5.9).

A leaf's amount and hits are worked out anew whenever somebody asks for the intent. Where what they read leads back
to that intent, the question has no end: by Unit Info, by a card's cost and the hooks that change it, by another
enemy's intent and the hooks that change that. Which unit a wire gives is not known before the battle, so a wire
stands for every enemy of the pack.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from runtime.content.problems import shown
from runtime.graph.check.view import Node, View
from runtime.graph.declare import ASKS_COST, ASKS_INTENT, HOOK, LEAF
from runtime.graph.timings import CARD_COST_HOOK, DAMAGE_DEALT_HOOK, DAMAGE_TAKEN_HOOK
from runtime.graph.types import ENEMY

# What can be asked for: an enemy's intent by its id, or any card's cost (`_COST`).
Question: TypeAlias = "tuple[str, str]"

_COST: Final[Question] = ("the cost of a card", "")
_ATTACK_HOOKS: Final = (DAMAGE_DEALT_HOOK, DAMAGE_TAKEN_HOOK)
_ATTACKS: Final = ("attack", "attack_defend")
_HINT: Final = "read what the number is made of, such as a variable or stacks, not the number that is shown"


def check_shown_numbers(views: Sequence[View]) -> None:
    """Reports leaves whose amount or hits can ask for the intent that they are part of.

    Args:
        views: All graphs of the pack.
    """
    questions = _Questions(views)
    for view in views:
        if view.owner.kind == ENEMY:
            own = _intent(view.owner.id)
            for leaf in view.nodes:
                if leaf.category == LEAF:
                    way = questions.way_back(questions.asked_by(view, [leaf]), own)
                    if way:
                        named = " → ".join(["its number", *[f"{what} {who}".strip() for what, who in way]])
                        view.report.error(
                            leaf.place,
                            f"{leaf.label} shows a number that can ask for itself: {named}",
                            expected="amount and hits that do not lead back to this enemy's intent",
                            hint=_HINT,
                        )


def _intent(enemy: str) -> Question:
    return ("the intent of", shown(enemy))


class _Questions:
    """Which shown numbers ask for which others, over all graphs of a pack."""

    def __init__(self, views: Sequence[View]) -> None:
        self._enemies = [view.owner.id for view in views if view.owner.kind == ENEMY]
        # What the answer to a question asks for in turn.
        self._onward: dict[Question, list[Question]] = {_COST: self._asked_by_hooks(views, (CARD_COST_HOOK,))}
        in_hits = self._asked_by_hooks(views, _ATTACK_HOOKS)
        for view in views:
            if view.owner.kind == ENEMY:
                leaves = [node for node in view.nodes if node.category == LEAF]
                asked = self.asked_by(view, leaves)
                if any(leaf.asset.params.get("kind") in _ATTACKS for leaf in leaves):
                    asked += in_hits
                self._onward[_intent(view.owner.id)] = asked

    def way_back(self, asked: Iterable[Question], own: Question) -> list[Question]:
        """The shortest way from some questions to one's own, both ends included; empty where there is none."""
        before: dict[Question, Question | None] = dict.fromkeys(asked)
        todo = list(before)
        for question in todo:
            if question == own:
                way: list[Question] = []
                step: Question | None = question
                while step is not None:
                    way.append(step)
                    step = before[step]
                return way[::-1]
            for following in self._onward.get(question, ()):
                if following not in before:
                    before[following] = question
                    todo.append(following)
        return []

    def asked_by(self, view: View, readers: Iterable[Node]) -> list[Question]:
        """What the inputs of some nodes ask for, through the pure nodes that they read."""
        found: dict[Question, None] = {}
        todo = list(readers)
        seen = {node.index for node in todo}
        for node in todo:
            for link, source in view.sources(node):
                for question in self._asked_by_output(view, source, link.output):
                    found[question] = None
                if source.index not in seen and source.type is not None and source.type.is_pure:
                    seen.add(source.index)
                    todo.append(source)
        return list(found)

    def _asked_by_output(self, view: View, node: Node, output: str) -> Iterator[Question]:
        port = node.outputs.get(output)
        if port is None:
            return
        if port.asks == ASKS_COST:
            yield _COST
        elif port.asks == ASKS_INTENT:
            word = node.asset.params.get("unit")
            if "unit" in node.wires or view.owner.kind != ENEMY:
                yield from [_intent(enemy) for enemy in self._enemies if word != "player"]
            elif word != "player":
                yield _intent(view.owner.id)

    def _asked_by_hooks(self, views: Sequence[View], timings: tuple[int, ...]) -> list[Question]:
        found: dict[Question, None] = {}
        for view in views:
            for node in view.nodes:
                if node.category == HOOK and node.type is not None and node.type.timing in timings:
                    found.update(dict.fromkeys(self.asked_by(view, _behind(view, node))))
        return list(found)


def _behind(view: View, hook: Node) -> list[Node]:
    """The nodes of a hook's branch."""
    found = [hook]
    seen = {hook.index}
    for node in found:
        for _, following in view.followers(node):
            if following.index not in seen:
                seen.add(following.index)
                found.append(following)
    return found
