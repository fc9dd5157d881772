"""What an operator sees of a running server: its log and its metrics.

- `bridge.operation.logs`: lines for people or for programs, with battle and action ids;
- `bridge.operation.counters`: what the server counts while it plays; plain numbers, so that counting costs little;
- `bridge.operation.telemetry`: what of it one battle tells, in both;
- `bridge.operation.collector`: those numbers as Prometheus metrics;
- `bridge.operation.endpoint`: where Prometheus reads them.
"""
