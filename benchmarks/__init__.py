"""Benchmarks: ratios inside one run, never a timed test. ``python -m benchmarks`` prints the table."""
