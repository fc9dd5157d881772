"""Battles on the server, from start to restore."""
