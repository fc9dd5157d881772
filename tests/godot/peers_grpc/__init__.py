"""Peers that the gRPC tests of the Godot addon talk to.

`echo_server` is a real grpcio server, `scripted_server` an HTTP/2 peer that misbehaves on request, `relay` the
product's relay in front of such a server.
"""
