"""The bridge to GES: events that leave battles, raises that come in, and what is scheduled between.

For plugins in the server's process, which an installed package names under the entry point group ``gcs.ges``: a
function that is called with the `Ges` of the server when it starts.

    >>> from bridge.ges import Ges, Raised
    >>> def install(ges: Ges) -> None:
    ...     ges.listen(lambda raised: print(raised.event, raised.arguments), priority=10)

- `bridge.ges.plugins`: `Ges`, what plugins see: listeners of all kinds, raises, databases;
- `bridge.ges.clock`: `Clock`, the real one and one that tests drive;
- `bridge.ges.streams`: the `Listen` streams;
- `bridge.ges.monitor`: what was seen of each event.
"""

from bridge.ges.clock import Clock, ManualClock, MonotonicClock
from bridge.ges.monitor import EventStats, Monitor
from bridge.ges.plugins import Ges, Listening, Raised

__all__ = ["Clock", "EventStats", "Ges", "Listening", "ManualClock", "Monitor", "MonotonicClock", "Raised"]
