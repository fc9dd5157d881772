"""What the scripted server does to a client against the rules, by name; see `scenarios` for the form."""

from __future__ import annotations

import asyncio
import gzip
import random
import struct
import zlib

from tests.godot.peers_grpc import http2_peer as h2
from tests.godot.peers_grpc.http2_peer import RESPONSE, Http2Peer, frame, message, settings
from tests.godot.peers_grpc.registry import Scenario, register

SCENARIOS: dict[str, Scenario] = {}


@register(SCENARIOS)
async def raw(peer: Http2Peer, _number: int, data: str, then: str = "wait") -> None:
    """Sends these bytes (hex) and nothing else, without waiting for the client."""
    peer.send(bytes.fromhex(data) if data != "-" else b"")
    if then == "close":
        await peer.writer.drain()
        await peer.reader.read(1)
        peer.writer.close()
    peer.listen()


@register(SCENARIOS)
async def after_settings(peer: Http2Peer, _number: int, data: str) -> None:
    """Sends these bytes (hex) behind its SETTINGS."""
    await peer.start()
    peer.send(bytes.fromhex(data))


@register(SCENARIOS)
async def after_request(peer: Http2Peer, _number: int, data: str) -> None:
    """Sends these bytes (hex) once a request is here."""
    await peer.start()
    await peer.headers_of()
    peer.send(bytes.fromhex(data))


@register(SCENARIOS)
async def after_headers(peer: Http2Peer, _number: int, data: str) -> None:
    """Answers with headers, then sends these bytes (hex)."""
    await peer.start()
    await peer.headers_of()
    peer.send_headers(1, RESPONSE)
    peer.send(bytes.fromhex(data))


@register(SCENARIOS)
async def reset(peer: Http2Peer, _number: int, when: str, code: str) -> None:
    """Resets the stream at a point of its life."""
    await peer.start()
    await peer.headers_of()
    if when != "open":
        await peer.request()
    if when in ("headers", "middle", "message", "trailers"):
        peer.send_headers(1, RESPONSE)
    if when == "middle":
        peer.send_data(1, message(b"cut")[:6])
    if when in ("message", "trailers"):
        peer.send_data(1, message(b"whole"))
    if when == "trailers":
        peer.send_trailers(1)
    peer.reset(1, int(code))


@register(SCENARIOS)
async def compressed(peer: Http2Peer, _number: int, form: str) -> None:
    """Answers with compressed messages, sound ones or not."""
    await peer.start()
    await peer.request()
    text = b"compressed " * 1_000
    packed = gzip.compress(text)
    encoding = "deflate" if form == "deflate" else "gzip"
    body = {
        "gzip": packed,
        "deflate": zlib.compress(text),
        "truncated": packed[:-9],
        "trailing": packed + b"xx",
        "broken": packed[:20] + bytes(40) + packed[60:],
        "empty": b"",
        "bomb": gzip.compress(bytes(50_000_000)),
        "unnamed": packed,
        "unknown": packed,
    }[form]
    if form == "unknown":
        encoding = "snappy"
    peer.send_headers(1, RESPONSE if form == "unnamed" else [*RESPONSE, ("grpc-encoding", encoding)])
    stream = message(b"plain", 0) + message(body, 1)
    for at in range(0, len(stream), 16_384):
        peer.send_data(1, stream[at : at + 16_384])
    peer.send_trailers(1)


@register(SCENARIOS)
async def flood(peer: Http2Peer, _number: int, kind: str) -> None:
    """Sends one kind of frame without end, for as long as the client bears it, and reads nothing meanwhile."""
    await peer.greet()
    await peer.reader.readexactly(9)
    block = peer.block([*RESPONSE])
    once, again = {
        "ping": (b"", frame(h2.PING, 0, 0, bytes(8))),
        "settings": (b"", settings([(h2.INITIAL_WINDOW, 70_000)])),
        "continuation": (frame(h2.HEADERS, 0, 1, block), frame(h2.CONTINUATION, 0, 1, b"")),
        "headers": (frame(h2.HEADERS, 0, 1, block), frame(h2.CONTINUATION, 0, 1, b"\0\1x\1y" * 3_000)),
        "empty_data": (frame(h2.HEADERS, h2.END_HEADERS, 1, block), frame(h2.DATA, 0, 1)),
        "data": (frame(h2.HEADERS, h2.END_HEADERS, 1, block), frame(h2.DATA, 0, 1, message(bytes(16_000)))),
        "unknown": (b"", frame(0x99, 0, 0, bytes(100))),
        "priority": (b"", frame(h2.PRIORITY, 0, 1, bytes(5))),
    }[kind]
    await asyncio.sleep(0.2)
    peer.send(once)
    while not peer.writer.is_closing():
        peer.send(again * max(1, 20_000 // len(again)))
        await peer.writer.drain()


@register(SCENARIOS)
async def fuzz(peer: Http2Peer, _number: int, seed: str) -> None:
    """Answers calls with frames that are right, almost right or random."""
    chance = random.Random(int(seed))
    await peer.start()
    await peer.headers_of()
    good = [
        frame(h2.HEADERS, h2.END_HEADERS, 1, peer.block(RESPONSE, huffman=True)),
        frame(h2.DATA, 0, 1, message(b"fuzz")),
        frame(h2.PING, 0, 0, bytes(8)),
        settings([(h2.INITIAL_WINDOW, chance.randrange(1 << 20))]),
        frame(h2.WINDOW_UPDATE, 0, chance.choice((0, 1)), struct.pack(">I", chance.randrange(1, 1 << 20))),
        frame(h2.HEADERS, h2.END_HEADERS | h2.END_STREAM, 1, peer.block(h2.OK)),
    ]
    data = bytearray(b"".join(piece for piece in good for _ in range(chance.choice((0, 1, 1, 1, 2)))))
    for _ in range(chance.randrange(1, 6)):
        if data and chance.random() < 0.7:
            data[chance.randrange(len(data))] = chance.randrange(256)
        else:
            at = chance.randrange(len(data) + 1)
            data[at:at] = chance.randbytes(chance.randrange(12))
    at = 0
    while at < len(data):
        step = chance.randrange(1, 40)
        peer.send(bytes(data[at : at + step]))
        await peer.writer.drain()
        at += step
    peer.writer.close()
