"""Value nodes: what a graph reads and computes, without changing anything."""
