"""Traversal of syntax trees, for tests that read source code."""

import ast
from collections.abc import Iterator


def iter_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of `ast.walk` in another order and in less time."""
    left = [tree]
    while left:
        node = left.pop()
        yield node
        for value in vars(node).values():
            if isinstance(value, list):
                left += [each for each in value if isinstance(each, ast.AST)]
            elif isinstance(value, ast.AST):
                left.append(value)
