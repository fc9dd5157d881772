"""The process around the runtime: gRPC services, sessions, the GES bridge, storage, the command line."""

__version__ = "0.1.0"
