"""Addresses, channels, TLS, and fan-out to readers: what both ends of the wire need.

- `bridge.net.addresses`: addresses to listen on, and who can reach them;
- `bridge.net.channel`: `open_channel`, the way to a server; `call_failures` says why it failed;
- `bridge.net.tls`: `Certificate`, read again when it is renewed;
- `bridge.net.subscribers`: `Subscriber`, one stream to a client, with a bounded queue.
"""
