"""``gcs events``: the GES events of a pack, and what a server has seen of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.text import Text

from bridge.cli.options import ADDRESS_FORMS, checked_address
from bridge.cli.output import PROBLEMS, USAGE, PlainTable, console, fail, print_json
from bridge.cli.start import DEFAULT_PACK
from bridge.settings import DEFAULT_ADDRESS

if TYPE_CHECKING:
    from bridge.pb.gcs.v1 import ges_pb2

_CALL_LIMIT: Final = 10.0
_PIPE_WIDTH: Final = 1_000


def events(
    pack: Annotated[str, typer.Argument(metavar="[PACK]", help="The id of a pack that the server has.")] = DEFAULT_PACK,
    address: Annotated[
        str,
        typer.Option(metavar="ADDRESS", help=f"Where the server listens: {ADDRESS_FORMS}.", callback=checked_address),
    ] = DEFAULT_ADDRESS,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as one JSON object.")] = False,
) -> None:
    """List the GES events of a pack with what a running server has seen: count, rate, times, arguments, warnings."""
    rows = [_row(event) for event in _ask(pack, address)]
    if as_json:
        print_json({"pack": pack, "events": rows})
        return
    out = console()
    if not out.is_terminal:
        # A pipe has no width: one event a line, for other programs.
        out.width = _PIPE_WIDTH
    table = PlainTable("event", "guid", "argument", "count", "per second", "mean ms", "max ms", "last")
    for row in rows:
        stats = row["stats"]
        numbers = [f"{stats[name]:g}" for name in ("count", "per_second")]
        times = [f"{stats[name]:.3f}" if stats["count"] else "" for name in ("mean_ms", "max_ms")]
        last = " ".join(f"{name}={value}" for name, value in stats["last_arguments"].items())
        table.add_row(row["id"], row["guid"], row["argument"], *numbers, *times, Text(last))
    out.print(table)
    for row in rows:
        for warning in row["stats"]["warnings"]:
            text = f"{row['id']}: {warning['kind']}, seen {warning['count']} times: {warning['message']}"
            out.print(Text("warning: ", style="yellow") + Text(text))


def _ask(pack: str, address: str) -> list[ges_pb2.GesEvent]:
    # A late import: grpc takes a while, and the other commands do without it.
    import grpc

    from bridge.net.call_failures import failure_of
    from bridge.net.channel import open_channel
    from bridge.pb.gcs.v1 import ges_pb2
    from bridge.pb.gcs.v1.ges_pb2_grpc import GesServiceStub

    with open_channel(address) as channel:
        try:
            request = ges_pb2.ListEventsRequest(pack=pack)
            return list(GesServiceStub(channel).ListEvents(request, timeout=_CALL_LIMIT).events)
        except grpc.RpcError as error:
            code = getattr(error, "code", lambda: None)()
            fail(failure_of(error, address), USAGE if code is grpc.StatusCode.UNAVAILABLE else PROBLEMS)


def _row(event: ges_pb2.GesEvent) -> dict[str, Any]:
    stats = event.stats
    return {
        "id": event.id,
        "guid": event.guid,
        "argument": event.argument,
        "sender": event.sender,
        "stats": {
            "count": stats.count,
            "per_second": stats.per_second,
            "mean_ms": stats.mean_ms,
            "max_ms": stats.max_ms,
            "last_arguments": {port.name: _value(port.value) for port in stats.last_arguments},
            "warnings": [
                {"kind": warning.kind, "message": warning.message, "count": warning.count} for warning in stats.warnings
            ],
        },
    }


def _value(value: Any) -> Any:
    kind = value.WhichOneof("kind")
    if kind == "card_value":
        return value.card_value.card_id
    return getattr(value, kind) if kind else None
