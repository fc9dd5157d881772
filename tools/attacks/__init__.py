"""Attacks on a server of one's own, and what a bystander notices: ``python -m tools.attacks``.

- `tools.attacks.bystander`: the measurement: a server, an attacker in a process of its own, and a client that plays on;
- `tools.attacks.raw_http2`: a client of HTTP/2 that keeps no rule;
- `tools.attacks.catalogue`: all attacks by name; each has a module of its own beside it.

All of them go to a server on the loopback that `bystander.measure` has started, and are bounded in count and time.
"""
