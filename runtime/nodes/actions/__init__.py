"""Action nodes: flow nodes that change the battle, a module for each thing they change."""
