"""The checker: what is wrong with a pack's graphs, each problem with its place (`check.check` begins)."""
