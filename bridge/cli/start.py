"""Starting a battle from a command's arguments; play and trace share it."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from bridge.cli.output import USAGE, fail, fail_with
from bridge.scenario import BattleSpec, Driver, DriverError
from runtime.battle.random_streams import DRAWN_SEEDS, MOST_SEED
from runtime.content.assets import Pack
from runtime.content.problems import PackError, Report, or_nearest
from runtime.packs import installed_packs, load_pack

DEFAULT_PACK: Final = "starter"
# What a newcomer plays first, where the pack has it.
DEFAULT_ENCOUNTER: Final = "first_fight"

PACK_HELP: Final = "The id of an installed pack, or a pack's folder."

PackArgument = Annotated[str, typer.Argument(metavar="[PACK]", help=PACK_HELP)]
EncounterOption = Annotated[
    str, typer.Option("--encounter", "-e", metavar="ID", help="The encounter; by default the pack's first.")
]
SeedOption = Annotated[int | None, typer.Option("--seed", "-s", min=0, help="The seed; by default a new one.")]
DeckOption = Annotated[
    str, typer.Option("--deck", "-d", metavar="DECK", help="A deck of the pack, or card ids with commas between.")
]


def spec_from(pack: str, encounter: str, seed: int | None, deck: str) -> BattleSpec:
    """The battle that a command's arguments name; whatever is wrong with them ends the command."""
    loaded = load(pack)
    return BattleSpec(
        pack=loaded,
        encounter=_encounter(loaded, encounter),
        deck=_deck(loaded, deck) if deck else None,
        seed=secrets.randbelow(DRAWN_SEEDS) if seed is None else _seed(seed),
    )


def player_fields(hp: int | None, statuses: Sequence[str]) -> dict[str, Any] | None:
    """The fields of the encounter's player that options override; None for none. A wrong option ends the command.

    Args:
        hp: HP to begin with.
        statuses: Statuses to begin with, each ``ID=STACKS``.
    """
    fields: dict[str, Any] = {} if hp is None else {"hp": hp}
    for given in statuses:
        name, _, stacks = given.partition("=")
        if not name or not stacks.isascii() or not stacks.isdecimal():
            fail(f"--status {given}: expected ID=STACKS, such as strength=2", USAGE)
        fields.setdefault("statuses", {})[name] = int(stacks)
    return fields or None


def title_of(spec: BattleSpec) -> str:
    """The display name of the encounter that a command names."""
    name = str(spec.encounter)
    return spec.pack.encounters[name].name or name


def start_battle(driver: Driver, spec: BattleSpec) -> None:
    """Starts a battle; when that fails it ends the command."""
    try:
        driver.start(spec)
    except PackError as error:
        fail_with(error.problems, "the battle")
    except DriverError as error:
        fail(str(error))


def load(pack: str) -> Pack:
    """The pack of that id or path; when it is wrong it ends the command."""
    require_pack(pack)
    try:
        return load_pack(pack)
    except PackError as error:
        fail_with(error.problems, pack)


def require_pack(pack: str) -> None:
    """Ends the command when nothing of that name could be a pack, and names those that are installed."""
    installed = installed_packs()
    if pack not in installed and not Path(pack).is_dir():
        known = ", ".join(installed) or "none"
        hint = Report().nearest(pack, installed)
        fail(f"no pack {pack!r}: neither a folder nor an installed pack ({known})" + (hint and f"; {hint}"), USAGE)


def _encounter(pack: Pack, encounter: str) -> str:
    if encounter:
        if encounter not in pack.encounters:
            fail(
                f"no encounter {encounter!r} in the pack {pack.info.id}; {or_nearest(encounter, pack.encounters)}",
                USAGE,
            )
        return encounter
    if not pack.encounters:
        fail(f"the pack {pack.info.id} has no encounter", USAGE)
    return DEFAULT_ENCOUNTER if DEFAULT_ENCOUNTER in pack.encounters else next(iter(pack.encounters))


def _deck(pack: Pack, deck: str) -> list[str]:
    if deck in pack.decks:
        return list(pack.decks[deck].cards)
    cards = [card.strip() for card in deck.split(",")]
    unknown = [card for card in cards if card not in pack.cards]
    if unknown:
        what = "deck or card" if len(cards) == 1 else "card"
        near = or_nearest(unknown[0], {**pack.decks, **pack.cards} if len(cards) == 1 else pack.cards)
        fail(f"no {what} {unknown[0]!r} in the pack {pack.info.id}; {near}", USAGE)
    return cards


def _seed(seed: int) -> int:
    if seed > MOST_SEED:
        fail("--seed: expected a number from 0 to 2**64 - 1", USAGE)
    return seed
