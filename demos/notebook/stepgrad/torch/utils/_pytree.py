"""Nested lists, tuples and dicts as a list of leaves and the tree's shape."""


class LeafSpec:
    num_leaves = 1

    def __repr__(self):
        return "*"

    def __eq__(self, other):
        return isinstance(other, LeafSpec)


class TreeSpec:
    def __init__(self, type, context, children_specs):
        self.type, self.context, self.children_specs = type, context, children_specs
        self.num_leaves = sum(spec.num_leaves for spec in children_specs)

    def __eq__(self, other):
        return isinstance(other, TreeSpec) and vars(self) == vars(other)

    def __repr__(self):
        return f"TreeSpec({self.type.__name__}, {self.context}, {self.children_specs})"


def tree_flatten(pytree):
    if isinstance(pytree, dict):
        context, parts = list(pytree), list(pytree.values())
    elif isinstance(pytree, (list, tuple)):
        context, parts = None, list(pytree)
    else:
        return [pytree], LeafSpec()
    flat = [tree_flatten(part) for part in parts]
    return [leaf for leaves, _ in flat for leaf in leaves], TreeSpec(type(pytree), context, [spec for _, spec in flat])


def tree_unflatten(values, spec):
    values = list(values)
    if len(values) != spec.num_leaves:
        raise ValueError(f"tree_unflatten: {len(values)} values for a tree of {spec.num_leaves} leaves")
    if isinstance(spec, LeafSpec):
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


def tree_map(fn, pytree):
    leaves, spec = tree_flatten(pytree)
    return tree_unflatten([fn(leaf) for leaf in leaves], spec)
