"""The server's counters as Prometheus metrics, put together when they are asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Final

from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
    SummaryMetricFamily,
)

from bridge import __version__
from bridge.battles.battles import Battles
from bridge.battles.counters import BUCKETS, Counters, Durations
from bridge.ges import Monitor

_NS: Final = 1e9


def metrics_of(counters: Counters, battles: Battles, monitor: Monitor) -> list[Metric]:
    """All metrics of a server as they are now. It belongs to the thread of the event loop.

    Args:
        counters: What it has counted.
        battles: Battles of the server.
        monitor: What was seen of each GES event.
    """
    return [*_of_server(counters), *_of_battles(battles), *_of_ges(monitor)]


def _counter(name: str, text: str, labels: tuple[str, ...], values: Counter[tuple[str, str]]) -> Metric:
    metric = CounterMetricFamily(name, text, labels=labels)
    for key, value in sorted(values.items()):
        metric.add_metric(key, value)
    return metric


def _counter_by(name: str, text: str, label: str, values: Counter[str]) -> Metric:
    metric = CounterMetricFamily(name, text, labels=(label,))
    for key, value in sorted(values.items()):
        metric.add_metric((key,), value)
    return metric


def _gauge(name: str, text: str, label: str, values: Mapping[str, float]) -> Metric:
    metric = GaugeMetricFamily(name, text, labels=(label,))
    for key, value in sorted(values.items()):
        metric.add_metric((key,), value)
    return metric


def _of_server(counters: Counters) -> Iterator[Metric]:
    version = GaugeMetricFamily("gcs_build_info", "The server's version, as a label.", labels=("version",))
    version.add_metric((__version__,), 1)
    yield version
    yield _counter("gcs_actions", "Actions by kind and result.", ("kind", "result"), counters.actions)
    yield CounterMetricFamily(
        "gcs_repeated_actions", "Actions sent again that had been carried out.", value=counters.repeated_actions
    )
    yield _histogram("gcs_action_seconds", "How long an action takes in the server.", counters.action_durations)
    yield CounterMetricFamily("gcs_battles_started", "Battles started.", value=counters.battles_started)
    yield _counter_by("gcs_battles_over", "Battles played to their end.", "outcome", counters.battles_over)
    yield _counter_by("gcs_battles_dropped", "Battles forgotten.", "reason", counters.battles_dropped)
    yield _counter_by("gcs_faults", "Faults in battles.", "kind", counters.faults)
    yield _counter(
        "gcs_failed_calls", "Calls and streams ended by an error.", ("method", "reason"), counters.failed_calls
    )
    yield _gauge("gcs_open_streams", "Open streams.", "method", counters.open_streams)


def _of_battles(battles: Battles) -> Iterator[Metric]:
    running = battles.running
    values = {"running": running, "over": len(battles) - running}
    yield _gauge("gcs_battles", "Battles that the server has, by whether they go on.", "state", values)


def _of_ges(monitor: Monitor) -> Iterator[Metric]:
    labels = ("pack", "event", "guid")
    raises = CounterMetricFamily("gcs_ges_raises", "Raises of a GES event.", labels=labels)
    took = SummaryMetricFamily("gcs_ges_raise_seconds", "How long raises of a GES event take.", labels=labels)
    longest = GaugeMetricFamily("gcs_ges_raise_seconds_max", "How long the longest took.", labels=labels)
    warnings = CounterMetricFamily("gcs_ges_warnings", "What looked wrong.", labels=(*labels, "kind"))
    for pack, guid, stats in monitor.all():
        key = (pack, stats.event, guid)
        raises.add_metric(key, stats.count)
        took.add_metric(key, stats.timed, stats.total_ns / _NS)
        longest.add_metric(key, stats.max_ns / _NS)
        for kind, (seen, _) in stats.warnings.items():
            warnings.add_metric((*key, kind), seen)
    yield from (raises, took, longest, warnings)


def _histogram(name: str, text: str, durations: Durations) -> Metric:
    ends = [str(end) for end in BUCKETS] + ["+Inf"]
    buckets = list(zip(ends, accumulate(durations.counts), strict=True))
    return HistogramMetricFamily(name, text, buckets=buckets, sum_value=durations.total_ns / _NS)
