"""The command line as a whole."""

from __future__ import annotations

from typing import Annotated

import typer

from bridge import __version__
from bridge.cli.catalog import catalog
from bridge.cli.check import check
from bridge.cli.events import events
from bridge.cli.graph import graph
from bridge.cli.play import play
from bridge.cli.relay import relay
from bridge.cli.replay import app as replay
from bridge.cli.scenario import app as scenario
from bridge.cli.schema import schema
from bridge.cli.serve import serve
from bridge.cli.simulate import simulate
from bridge.cli.streams import tolerant_streams
from bridge.cli.trace import trace

app = typer.Typer(
    name="gcs",
    help="Battles of card games: serve them, play them, check packs, run scenario files.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"gcs {__version__}")
        raise typer.Exit


@app.callback()
def _gcs(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Tell the version and exit.")
    ] = False,
) -> None:
    """Battles of card games: serve them, play them, check packs, run scenario files."""


for command in (serve, relay, play, simulate, check, catalog, schema, trace, graph, events):
    app.command()(command)
app.add_typer(scenario, name="scenario")
app.add_typer(replay, name="replay")


def main() -> None:
    """Runs the command line."""
    with tolerant_streams():
        app()
