"""GES events inside the runtime: raising them into graphs and out to the engine."""
