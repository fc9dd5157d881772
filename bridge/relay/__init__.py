"""The relay: lets clients in that gRPC's own port cannot take, by TLS without ALPN and by WebSocket.

`Relay` listens, ends TLS, tells HTTP/2 from WebSocket by the first bytes, and passes the bytes of HTTP/2 on to the
plain port of a server and back. It reads none of them, but for whether the server has let a call in (`first_call`):
calls, deadlines and tokens are the server's business.
`bridge.settings.RelaySettings` is what it is started with.
"""

from bridge.relay.relay import Relay

__all__ = ["Relay"]
