"""Addresses, channels, TLS, and fan-out to readers: what both ends of the wire need."""
