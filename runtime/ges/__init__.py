"""GES events inside the runtime: raised into graphs and out to the engine, with all that follows from them.

- `runtime.ges.raising`: one raise, its order, and the limits on raises that answer each other;
- `runtime.ges.flows`, `runtime.ges.conditions`: triggers and chains of a pack, compiled;
- `runtime.ges.schedule`: what comes later, on a clock that the battle's owner advances;
- `runtime.ges.listeners`: functions outside of the battle that hear its events.
"""

# The battle raises events, and raising needs the battle: whoever begins here gets the battle first.
import runtime.battle  # noqa: F401
