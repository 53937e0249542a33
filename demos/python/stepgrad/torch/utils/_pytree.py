"""Nested lists, tuples and dicts as a list of leaves and the tree's shape."""


class TreeSpec:
    """Of a leaf, whose type is None, or of a container and its parts."""

    def __init__(self, type=None, context=None, children_specs=()):
        self.type, self.context, self.children_specs = type, context, children_specs
        self.num_leaves = sum(spec.num_leaves for spec in children_specs) if type else 1


def tree_flatten(pytree):
    if not isinstance(pytree, (dict, list, tuple)):
        return [pytree], TreeSpec()
    by_name = isinstance(pytree, dict)
    flat = [tree_flatten(part) for part in (pytree.values() if by_name else pytree)]
    spec = TreeSpec(type(pytree), list(pytree) if by_name else None, [spec for _, spec in flat])
    return [leaf for leaves, _ in flat for leaf in leaves], spec


def tree_unflatten(values, spec):
    values = list(values)
    if len(values) != spec.num_leaves:
        raise ValueError(f"tree_unflatten: {len(values)} values for a tree of {spec.num_leaves} leaves")
    if spec.type is None:
        return values[0]
    parts, begin = [], 0
    for child in spec.children_specs:
        parts.append(tree_unflatten(values[begin : begin + child.num_leaves], child))
        begin += child.num_leaves
    if spec.context is not None:
        made = spec.type()
        made.update(zip(spec.context, parts))
        return made
    return spec.type(*parts) if hasattr(spec.type, "_fields") else spec.type(parts)
