"""The battle as tables in the terminal: units, piles, the hand with costs and reasons, choices."""

from __future__ import annotations

from typing import Final

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from bridge.cli.output import PlainTable
from bridge.cli.trace_view import intent_text
from bridge.scenario.views import BattleView, CardView, ChoiceView, UnitView
from bridge.visible_text import visible
from runtime.battle.rejections import CARD_REASONS
from runtime.content.assets import Pack

_BAR: Final = 12


class Board:
    """Shows a battle of a pack on a console."""

    def __init__(self, console: Console, pack: Pack, title: str) -> None:
        """A board.

        Args:
            console: Where to show it.
            pack: Whose names are shown.
            title: Stands above the board.
        """
        self._console = console
        self._pack = pack
        self._title = title

    def card_name(self, card: str) -> str:
        """A card's display name."""
        asset = self._pack.cards.get(card)
        return asset.name if asset is not None and asset.name else card

    def show(self, view: BattleView) -> None:
        """The whole battle: units, piles and hand."""
        self._console.print(Rule(Text(visible(f"{self._title} · turn {view.turn} · seed {view.seed}")), style="cyan"))
        self._console.print(self._units(view))
        piles = f"draw {len(view.draw)} · discard {len(view.discard)} · exhaust {len(view.exhaust)}"
        self._console.print(Text(f"energy {view.energy}/{view.max_energy} · {piles}", style="bold"))
        self._console.print(self._hand(view))

    def show_choice(self, choice: ChoiceView) -> None:
        """An open choice with numbers to answer it."""
        self._console.print(Text(choice.prompt or "Choose", style="bold cyan"))
        names = choice.options if choice.kind == "option" else [self.card_name(card) for card in choice.cards]
        for number, name in enumerate(names, 1):
            self._console.print(Text(f"  {number}  {name}"))

    def show_outcome(self, view: BattleView) -> None:
        """How the battle ended, and what it offers."""
        style = "bold green" if view.outcome == "won" else "bold red"
        self._console.print(Text(f"{view.outcome} on turn {view.turn} with {view.units[0].hp} HP", style=style))
        if view.reward is not None and view.reward.cards:
            offered = ", ".join(self.card_name(card) for card in view.reward.cards)
            self._console.print(f"reward: {view.reward.choose} of {offered}")

    def _units(self, view: BattleView) -> PlainTable:
        table = PlainTable(header_style="dim")
        for name in ("", "unit", "HP", "armor", "statuses", "intent"):
            table.add_column(name, no_wrap=name in ("", "HP"))
        number = 0
        for unit in view.units:
            if not unit.alive and unit.enemy:
                continue
            number += 1
            intent = intent_text(unit.intent) if unit.enemy else ""
            if unit.intent.text:
                intent += f" ({unit.intent.text})"
            table.add_row(
                unit.id,
                Text(self._unit_name(unit), style="bold"),
                _hp_bar(unit),
                str(unit.armor) if unit.armor else "",
                ", ".join(f"{self._status_name(status)} {stacks}" for status, stacks in unit.statuses.items()),
                Text(intent, style="red" if unit.intent.kind.startswith("attack") else ""),
            )
        return table

    def _hand(self, view: BattleView) -> PlainTable:
        table = PlainTable("", "cost", "card", "text", "targets", header_style="dim")
        for number, card in enumerate(view.hand, 1):
            table.add_row(
                str(number),
                "X" if card.is_x else str(card.cost),
                self.card_name(card.card_id),
                Text(card.text),
                _targets(card) if card.playable else CARD_REASONS.get(card.unplayable_reason, card.unplayable_reason),
                style="" if card.playable else "dim",
            )
        return table

    def _unit_name(self, unit: UnitView) -> str:
        asset = self._pack.enemies.get(unit.enemy)
        return asset.name if asset is not None and asset.name else (unit.enemy or "You")

    def _status_name(self, status: str) -> str:
        asset = self._pack.statuses.get(status)
        return asset.name if asset is not None and asset.name else status


def _targets(card: CardView) -> str:
    return ", ".join(f"{number} {name}" for number, name in enumerate(card.targets, 1))


def _hp_bar(unit: UnitView) -> Text:
    filled = -(-_BAR * unit.hp // unit.max_hp) if unit.hp > 0 else 0
    bar = Text("#" * filled, style="red" if unit.enemy else "green")
    bar.append("-" * (_BAR - filled), style="dim")
    return bar.append(f" {unit.hp}/{unit.max_hp}", style="")
