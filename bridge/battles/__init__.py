"""A battle on the server, from start to restore.

- `bridge.battles.battles`: `Battles`, all of them by id;
- `bridge.battles.battle_setup`, `battle_sizes`: from a request to a `BattleSetup`; `start` makes the session of it;
- `bridge.battles.session`: `Session`, one battle: its actions, its updates to all streams;
- `bridge.battles.battle_raises`, `timetable`, `lineage`: its GES events from outside, at once or scheduled;
- `bridge.battles.battle_updates`: what is sent about it, encoded;
- `bridge.battles.battle_options`: what its callers may see and do;
- `bridge.battles.event_window`, `recorded_start`: what is kept of it for clients that come back, and for replays;
- `bridge.battles.stored_battles`, `restoring`: those that are in a store alone, and the way back into memory;
- `bridge.battles.packs`: `PackLibrary`, the packs that they play with;
- `bridge.battles.simulation`: battles of bots;
- `bridge.battles.telemetry`, `counters`: what operators hear of them.
"""
