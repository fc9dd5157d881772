"""``gcs replay verify``: recorded battles played again and compared after every action (R8.2)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import typer
from msgspec import UNSET, Struct, UnsetType
from rich.text import Text

from bridge.cli.output import PROBLEMS, USAGE, console, fail, trace_text
from bridge.cli.start import PACK_HELP, load
from bridge.cli.trace_view import trace_lines
from bridge.scenario.happenings import happening_of
from bridge.wire.arguments import ArgumentTypes
from runtime.battle import read_events
from runtime.battle.replay import ReplayError, play_replay, replay_of
from runtime.battle.setting import SettingError
from runtime.battle.state import ECHO_LIMIT, OUTCOMES, Battle
from runtime.content.problems import PackError
from runtime.graph.compile import compile_pack
from runtime.graph.definitions import Content
from runtime.loading import encounter_of
from runtime.nodes import library

app = typer.Typer(help="Recorded battles.", no_args_is_help=True)


class Limits(Struct, forbid_unknown_fields=True):
    """The limits of a recorded battle (R2.5); files made before there was `echo` have the usual one."""

    depth: int
    nodes: int
    max_turns: int
    echo: int = ECHO_LIMIT


class ActionEntry(Struct, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """One recorded action; its fields are those of `runtime.battle.replay.write_action`, and the state's hash."""

    state: str
    play: int | UnsetType = UNSET
    target: int | UnsetType = UNSET
    end_turn: Literal[True] | UnsetType = UNSET
    choose: list[int] | UnsetType = UNSET
    concede: Literal[True] | UnsetType = UNSET
    abort: Literal[True] | UnsetType = UNSET
    set_: dict[str, int] | UnsetType = msgspec.field(name="set", default=UNSET)
    raise_: str | UnsetType = msgspec.field(name="raise", default=UNSET)
    arguments: dict[str, Any] | UnsetType = UNSET
    answered: list[str] | UnsetType = UNSET
    advance: int | UnsetType = UNSET
    database_active: bool | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Checks that a play has its target and a raise its arguments."""
        if (self.play is UNSET) != (self.target is UNSET):
            raise ValueError("play and target go together")
        if (self.raise_ is UNSET) != (self.arguments is UNSET):
            raise ValueError("raise and arguments go together")
        for value in ({} if isinstance(self.arguments, UnsetType) else self.arguments).values():
            if isinstance(value, list) or (isinstance(value, dict) and not _is_reference(value)):
                raise ValueError('an argument is a scalar, {"unit": number} or {"status": id}')


def _is_reference(value: dict[str, Any]) -> bool:
    return len(value) == 1 and (isinstance(value.get("unit"), int) or isinstance(value.get("status"), str))


class ReplayFile(Struct, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A replay file (`runtime.battle.replay.replay_of`)."""

    format: int
    pack: str
    content: str
    rules: Literal["documented", "extended"]
    flags: list[int]
    seed: int
    shuffle: bool
    database_active: bool | UnsetType = UNSET
    limits: Limits
    encounter: str | dict[str, Any]
    player: dict[str, Any] | UnsetType = UNSET
    deck: list[str] | UnsetType = UNSET
    start: str
    actions: list[ActionEntry]


@app.callback()
def _replay() -> None:
    """Recorded battles."""


@app.command("verify")
def verify(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Replay files, as `gcs play --record` writes.")
    ],
    pack: Annotated[
        str, typer.Option("--pack", "-p", metavar="PACK", help=f"{PACK_HELP} By default the one that the file names.")
    ] = "",
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Play a replay of other content, too, up to the first difference.")
    ] = False,
    update: Annotated[
        bool,
        typer.Option("--update", help="Write replays anew as they go with this content, if all actions are legal."),
    ] = False,
) -> None:
    """Play replays again and compare the state after every action; the exit code is 1 when one goes another way.

    Where one does, the events of its first action that differs are shown.
    """
    out = console()
    failed = 0
    contents: dict[str, Content] = {}
    for path in files:
        replay = _read(path)
        name = pack or replay.pack
        if name not in contents:
            contents[name] = compile_pack(load(name), library())
        try:
            battle = _play(contents[name], replay, any_content=anyway or update, compare=not update)
        except (ReplayError, SettingError, PackError, ValueError) as error:
            failed += 1
            hint = "" if anyway or update or replay.content == contents[name].hash else "; --anyway plays it"
            out.print(Text("failed ", style="bold red") + Text(f"{path.as_posix()}: {error}{hint}"))
            for line in _events_of(error):
                out.print(trace_text(f"  {line}"))
            continue
        outcome = f"{OUTCOMES[battle.outcome]} on turn {battle.turn} with {battle.player.hp} HP"
        done = f"{path.as_posix()}: {len(replay.actions)} actions, {outcome}"
        if update and _update(battle, replay, path):
            out.print(Text("new    ", style="yellow") + Text(done))
        else:
            out.print(Text("ok     ", style="green") + Text(done))
    if failed:
        raise typer.Exit(PROBLEMS)


def _read(path: Path) -> ReplayFile:
    try:
        return msgspec.json.decode(path.read_bytes(), type=ReplayFile)
    except OSError as error:
        fail(f"{path}: {error.strerror or error}", USAGE)
    except msgspec.DecodeError as error:
        fail(f"{path}: no replay: {error}")


def _events_of(error: Exception) -> list[str]:
    """The events of the action at which a replay goes another way; of set-up, where that is what differs."""
    if not isinstance(error, ReplayError) or error.battle is None:
        return []
    battle = error.battle
    types = ArgumentTypes(battle.content.pack)
    return trace_lines(happening_of(battle, event, types) for event in read_events(battle, error.logged))


def _update(battle: Battle, replay: ReplayFile, path: Path) -> bool:
    """Writes the replay of a battle in the place of the one that was played; whether it is another."""
    value: dict[str, Any] = msgspec.to_builtins(replay)
    source: dict[str, Any] = {name: value[name] for name in ("encounter", "player", "deck") if name in value}
    if msgspec.to_builtins(msgspec.convert(replay_of(battle, source), ReplayFile)) == value:
        return False
    record(battle, source, path)
    return True


def _play(content: Content, replay: ReplayFile, any_content: bool, compare: bool) -> Battle:
    if replay.content != content.hash and not any_content:
        # Before the encounter is looked for: in another pack it may not even be there.
        raise ReplayError(f"the replay was made with content {replay.content}, this pack is {content.hash}")
    value: dict[str, Any] = msgspec.to_builtins(replay)
    encounter = encounter_of(content, replay.encounter, player=value.get("player"), deck=value.get("deck"))
    return play_replay(content, encounter, value, any_content=any_content, compare=compare)


def record(battle: Battle, source: dict[str, Any], path: Path) -> None:
    """Writes a battle's replay; when that fails it ends the command.

    Args:
        battle: The battle.
        source: What its encounter was made from: `encounter` and, where given, `player` and `deck`.
        path: Where to.
    """
    try:
        data = msgspec.json.encode(replay_of(battle, source))
        path.write_bytes(msgspec.json.format(data, indent=1) + b"\n")
    except OSError as error:
        fail(f"{path}: {error.strerror or error}")
