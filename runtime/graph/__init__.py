"""Graphs: types and ports, node declarations, checker and compiler.

`declare` and `types` are what node libraries are written with, `check` finds what is wrong with a
graph, `compile` turns a checked pack into `definitions` that battles run.
"""
