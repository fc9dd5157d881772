"""What the scripted server does to a client without breaking a rule, by name.

Each scenario is a coroutine that gets the connection, its number on that port (from 1) and the arguments of `open`.
"""

from __future__ import annotations

import struct

from tests.godot.peers_grpc import http2_peer as h2
from tests.godot.peers_grpc.http2_peer import RESPONSE, Http2Peer, frame, message, settings
from tests.godot.peers_grpc.registry import Scenario, register

SCENARIOS: dict[str, Scenario] = {}
PRIVATE_SETTING = 0xFE03


@register(SCENARIOS)
async def echo(peer: Http2Peer, _number: int) -> None:
    """Answers every call with its own body's messages, by the rules."""
    await peer.start([(h2.INITIAL_WINDOW, 1 << 20)])

    def answer(stream: int) -> None:
        peer.send_headers(stream, RESPONSE)
        peer.send_data(stream, peer.bodies[stream][:16_384])
        peer.send_trailers(stream)

    await peer.serve(answer)


@register(SCENARIOS)
async def silence(peer: Http2Peer, _number: int, pings: str = "answered") -> None:
    """Takes calls and never answers them."""
    peer.answer_pings = pings == "answered"
    await peer.start()


@register(SCENARIOS)
async def settings_change(peer: Http2Peer, _number: int) -> None:
    """Shrinks the window of a stream below zero while it is used up, then opens it again bit by bit."""
    await peer.start([(h2.INITIAL_WINDOW, 20_000)])
    await peer.until(lambda: len(peer.bodies.get(1, b"")) == 20_000)
    peer.change_initial_window(5_000)  # 15,000 below zero
    peer.grant(1, 10_000)  # still 5,000 below zero
    await peer.until(lambda: peer.count("SETTINGS", flags=h2.ACK) == 2)
    peer.grant(1, 6_000)
    await peer.until(lambda: len(peer.bodies[1]) == 21_000)
    peer.change_initial_window(50_000)
    body = await peer.request()
    peer.reply(1, str(len(body)).encode())


@register(SCENARIOS)
async def pings(peer: Http2Peer, _number: int) -> None:
    """Sends three PINGs and answers once all came back."""
    await peer.start()
    await peer.request()
    for payload in (b"\0\1\2\3\4\5\6\7", b"\xff" * 8, b"battle!!"):
        peer.send(frame(h2.PING, 0, 0, payload))
    await peer.until(lambda: peer.count("PING", flags=h2.ACK) == 3)
    peer.reply(1, b"pong")


@register(SCENARIOS)
async def pieces(peer: Http2Peer, _number: int, size: str) -> None:
    """Answers with three messages in DATA frames of `size` bytes, whatever that cuts through."""
    await peer.start()
    await peer.request()
    peer.send_headers(1, RESPONSE)
    stream = message(b"one") + message(b"") + message(b"three" * 100)
    for at in range(0, len(stream), int(size)):
        peer.send_data(1, stream[at : at + int(size)])
        peer.send_data(1, b"")
    peer.send_trailers(1)


@register(SCENARIOS)
async def tiny_windows(peer: Http2Peer, _number: int, step: str) -> None:
    """Opens the windows of stream and connection by `step` bytes at a time."""
    await peer.start([(h2.INITIAL_WINDOW, 0)])
    await peer.headers_of()
    allowed = 0
    while 1 not in peer.ended:
        allowed += int(step)
        peer.grant(1, int(step))
        if peer.connection_window < int(step):
            peer.grant(0, int(step))
        await peer.body(1, allowed)
    peer.reply(1, str(len(peer.bodies[1])).encode())


@register(SCENARIOS)
async def obedient(peer: Http2Peer, _number: int, size: str) -> None:
    """Answers with one message of `size` bytes and keeps to the client's windows."""
    await peer.start()
    await peer.request()
    peer.send_headers(1, RESPONSE)
    stream = message(bytes(int(size)))
    at = 0
    while at < len(stream):
        await peer.until(lambda: min(peer.peer_windows[1], peer.peer_connection_window) > 0)
        piece = stream[at : at + min(16_384, peer.peer_windows[1], peer.peer_connection_window)]
        peer.peer_windows[1] -= len(piece)
        peer.peer_connection_window -= len(piece)
        peer.send_data(1, piece)
        await peer.writer.drain()
        at += len(piece)
    peer.send_trailers(1)


@register(SCENARIOS)
async def early_answer(peer: Http2Peer, _number: int) -> None:
    """Answers before the request's end, with a window that holds the rest of it back."""
    await peer.start([(h2.INITIAL_WINDOW, 100)])
    await peer.until(lambda: len(peer.bodies.get(1, b"")) == 100)
    peer.reply(1, b"enough")


@register(SCENARIOS)
async def odd_frames(peer: Http2Peer, _number: int) -> None:
    """Everything that a client must bear: CONTINUATION, padding, priority, unknown frames and settings, 1xx."""
    peer.send(settings([(PRIVATE_SETTING, 1), (0x77, 0xFFFFFFFF), (6, 16_384), (5, 4_194_304)]))
    await peer.start()
    await peer.request()
    peer.send(frame(0x42, 0xFF, 1, b"unknown"))
    peer.send(frame(h2.PRIORITY, 0, 1, bytes(5)))
    peer.send(frame(h2.PRIORITY, 0, 7, bytes(5)))
    peer.send_headers(1, [(":status", "103"), ("link", "early")])
    block = peer.block([*RESPONSE, ("x-long", "v" * 500)])
    first = bytes((3,)) + struct.pack(">IB", 0, 255) + block[:10] + bytes(3)
    peer.send(frame(h2.HEADERS, h2.PADDED | h2.HAS_PRIORITY, 1, first))
    for at in range(10, len(block), 50):
        last = at + 50 >= len(block)
        peer.send(frame(h2.CONTINUATION, h2.END_HEADERS if last else 0, 1, block[at : at + 50]))
    peer.send(frame(h2.DATA, h2.PADDED, 1, bytes((200,)) + message(b"padded") + bytes(200)))
    peer.send(frame(h2.DATA, h2.PADDED, 1, bytes((0,))))
    peer.send(frame(h2.DATA, h2.PADDED, 1, bytes((9,)) + bytes(9)))
    peer.send(frame(h2.WINDOW_UPDATE, 0x5A, 1, struct.pack(">I", 1)))
    peer.send_trailers(1)


@register(SCENARIOS)
async def header_coding(peer: Http2Peer, _number: int, form: str) -> None:
    """Answers with headers in one of HPACK's forms."""
    await peer.start()
    await peer.request()
    plain = "".join(map(chr, range(0x20, 0x7F)))
    fields = [*RESPONSE, ("x-plain", plain.strip()), ("x-data-bin", "AAECAwT/")]
    if form == "huffman":
        block = peer.block(fields, huffman=True)
    elif form == "size_update":
        block = b"\x20\x20" + peer.block(fields)
    else:
        first = {"indexed": 0x40, "plain": 0x00, "never": 0x10}[form]
        block = b"\x88"
        for name, value in fields[1:]:
            block += bytes((first, len(name))) + name.encode() + bytes((len(value),)) + value.encode()
    peer.send(frame(h2.HEADERS, h2.END_HEADERS, 1, block))
    peer.send_data(1, message(b"ok"))
    peer.send_trailers(1)


@register(SCENARIOS)
async def ends_with(peer: Http2Peer, _number: int, headers: str, body: str, trailers: str) -> None:
    """Answers with these headers, bytes (hex) and trailers; `-` leaves out the body or the trailers.

    Fields are written `name=value`, joined by `;`. Without trailers the part before ends the stream.
    """
    await peer.start()
    await peer.request()
    peer.send_headers(1, _fields(headers), end=body == trailers == "-")
    if body != "-":
        peer.send_data(1, bytes.fromhex(body), end=trailers == "-")
    if trailers != "-":
        peer.send_headers(1, _fields(trailers), end=True)


def _fields(text: str) -> list[h2.Field]:
    pairs = (part.partition("=") for part in text.split(";"))
    return [(name, value.replace("+", " ")) for name, _, value in pairs]


@register(SCENARIOS)
async def no_table(peer: Http2Peer, _number: int) -> None:
    """Keeps no header table and refuses blocks until the client has told that it knows (RFC 7541, section 4.2)."""
    await peer.start([(h2.HEADER_TABLE_SIZE, 0)])
    await peer.until(lambda: peer.count("SETTINGS", flags=h2.ACK) == 1)
    peer.decoder.max_allowed_table_size = 0
    await peer.serve(lambda stream: peer.reply(stream, b"no table"))


@register(SCENARIOS)
async def max_streams(peer: Http2Peer, _number: int, limit: str) -> None:
    """Allows `limit` streams at once, or with 0 none at first and one later; notes more as a violation."""
    await peer.start([(h2.MAX_CONCURRENT, int(limit))])
    if int(limit) == 0:
        peer.send(frame(h2.PING, 0, 0, bytes(8)))
        await peer.until(lambda: peer.count("PING", flags=h2.ACK) == 1)
        peer.violations.extend(f"stream {stream} although none is allowed" for stream in peer.requests)
        peer.send(settings([(h2.MAX_CONCURRENT, 1)]))

    def answer(stream: int) -> None:
        if len(peer.requests) - peer.answered + 1 > max(1, int(limit)):
            peer.violations.append("more streams than allowed")
        peer.reply(stream, str(stream).encode())

    await peer.serve(answer)


@register(SCENARIOS)
async def goaway(peer: Http2Peer, number: int, form: str) -> None:
    """Says goodbye to its first connection; answers calls by the rules on later ones.

    - `graceful`: as grpcio does, with streams 1, 3 and 5 open: last id 2^31-1, PING, then the real id 3; 1 and 3 are
      answered.
    - `error`: ENHANCE_YOUR_CALM with last id 1 and streams 1 and 3 open; 1 is answered.
    - `cut`: as `error`, but the connection is closed instead of answering.
    - `idle`: once a call was answered and none is open.
    """
    await peer.start()
    if number > 1:
        await peer.serve(lambda stream: peer.reply(stream, b"second connection"))
    if form == "graceful":
        await peer.until(lambda: {1, 3, 5} <= peer.ended)
        peer.goaway((1 << 31) - 1)
        peer.send(frame(h2.PING, 0, 0, b"goodbye!"))
        await peer.until(lambda: peer.count("PING", flags=h2.ACK) == 1)
        peer.goaway(3)
        peer.reply(1, b"first connection")
        peer.reply(3, b"first connection")
        return
    if form == "idle":
        await peer.request()
        peer.reply(1, b"first connection")
        peer.goaway(1)
        return
    await peer.until(lambda: {1, 3} <= peer.ended)
    peer.goaway(1, 11, b"too_much")
    if form == "cut":
        await peer.writer.drain()
        peer.writer.close()
    else:
        peer.reply(1, b"first connection")


@register(SCENARIOS)
async def drop(peer: Http2Peer, number: int, times: str) -> None:
    """Closes the first `times` connections right after its SETTINGS, then answers as `echo` does."""
    await peer.start()
    if number <= int(times):
        await peer.writer.drain()
        peer.writer.close()
        return
    await peer.serve(lambda stream: peer.reply(stream, str(number).encode()))
