"""The server: one process with its gRPC services, log and metrics.

- `bridge.server.server`: `Server`, and `serve`, which runs one until it is told to stop;
- `bridge.server.services`: a class for each gRPC service;
- `bridge.server.rpc`: from a service's methods to gRPC handlers: requests are read, errors become status codes;
- `bridge.server.callers`, `rate`, `tokens`: who calls, how often, and whether they may;
- `bridge.server.logs`, `repeats`, `metrics`, `metrics_endpoint`: what operators see;
- `bridge.server.stopping`: how it is told to stop.

Nothing is imported here: the command line reads the names of log levels without waiting for gRPC.
"""
