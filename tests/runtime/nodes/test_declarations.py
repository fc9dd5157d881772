"""Every node is declared with the ports, params and defaults that it is documented with."""

from __future__ import annotations

import pytest

from runtime.graph.declare import REQUIRED
from runtime.nodes import BUILT_IN, library
from tests.runtime.nodes.documented import Documented, documented_nodes

DOCUMENTED = documented_nodes()


def test_the_library_holds_what_is_documented_and_nothing_else() -> None:
    assert sorted(node.type for node in BUILT_IN) == sorted(DOCUMENTED)
    assert len(BUILT_IN) == len({node.type for node in BUILT_IN})
    assert {node.type for node in BUILT_IN} <= set(library())


@pytest.mark.parametrize("documented", DOCUMENTED.values(), ids=DOCUMENTED)
def test_a_node_is_declared_as_documented(documented: Documented) -> None:
    node = library()[documented.type]
    assert list(node.kinds) == documented.kinds
    assert [(port.name, port.type, _given(port.default)) for port in node.inputs] == documented.inputs
    assert sorted((port.name, port.type) for port in node.outputs) == sorted(documented.outputs)
    declared = [(param.name, _given(param.default), param.choices) for param in node.params]
    assert declared == documented.params
    assert node.help
    assert all(param.help for param in node.params)


def _given(default: object) -> object:
    return "!" if default is REQUIRED else default
