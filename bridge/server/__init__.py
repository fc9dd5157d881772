"""The server: one process, its gRPC services, log and metrics."""
