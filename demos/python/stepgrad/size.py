"""torch.Size: a tuple that prints as in torch."""

import math


class Size(tuple):
    __slots__ = ()

    def __repr__(self):
        return f"torch.Size({list(self)})"

    def numel(self):
        return math.prod(self)

    def __getitem__(self, index):
        found = super().__getitem__(index)
        return Size(found) if isinstance(index, slice) else found

    def __add__(self, other):
        return Size(super().__add__(tuple(other)))

    def __mul__(self, times):
        return Size(super().__mul__(times))

    __rmul__ = __mul__
