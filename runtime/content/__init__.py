"""Content: the assets of a pack, and reading and checking them.

`assets` are the typed objects. `reading` and `json_text` take a folder or an object to a `draft` of them,
`shape` checks each against its class, `references` and `flow_rules` what they say of each other.
`problems` is how everything that is wrong is told, `overrides` checks what a battle is started with
besides a pack, `content_hash` names what a pack means, `json_schema` serves editors. Graphs are checked
by `runtime.graph.check.check`, and `runtime.packs` joins it all.
"""
