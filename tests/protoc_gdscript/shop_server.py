"""A grpcio server of wire_test/v1/shop.proto, the peer of godot_project/tests/protobuf/test_proto_services.gd."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc
from google.protobuf.message import Message

from tests.protoc_gdscript.messages import message_class

Ware = message_class("wire_test.v1.Ware")
Price = message_class("wire_test.v1.Ware.Price")
Nothing = message_class("wire_test.v1.Nothing")


def find(_request: Message, _context: grpc.ServicerContext) -> Message:
    return Ware(name="chair")


def list_all(_request: Message, _context: grpc.ServicerContext) -> Iterator[Message]:
    for name in ("chair", "table", "lamp"):
        yield Ware(name=name)


def take_in(requests: Iterator[Message], _context: grpc.ServicerContext) -> Message:
    count = sum(1 for _ in requests)
    return Nothing.FromString(bytes([8, count]))


def haggle(requests: Iterator[Message], _context: grpc.ServicerContext) -> Iterator[Message]:
    for request in requests:
        yield Price(amount=request.amount * 2)


HANDLERS = {
    "Find": grpc.unary_unary_rpc_method_handler(find, Nothing.FromString, Ware.SerializeToString),
    "ListAll": grpc.unary_stream_rpc_method_handler(list_all, Nothing.FromString, Ware.SerializeToString),
    "TakeIn": grpc.stream_unary_rpc_method_handler(take_in, Ware.FromString, Nothing.SerializeToString),
    "Haggle": grpc.stream_stream_rpc_method_handler(haggle, Price.FromString, Price.SerializeToString),
}


def main() -> None:
    server = grpc.server(ThreadPoolExecutor(8))
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("wire_test.v1.Shop", HANDLERS),))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(f"listening on 127.0.0.1:{port}", flush=True)
    server.wait_for_termination()


if __name__ == "__main__":
    main()
