# Hooks on tensors, and leaves that are frozen for a while.
x = leaf([1.0, 2, 3])
# A hook is removed from the node that it was registered at, also by another's end
def removed(change):
    y = x * 2; handle = y.register_hook(lambda g: g * 5); z = change(y); handle.remove()
    y.sum().backward(); found = x.grad; x.grad = None
    return found
[removed(change) for change in (lambda y: None, lambda y: y.mul_(1), lambda y: y.__setitem__(0, 1.0), lambda y: y.add_(x))]
class Last:
    def __call__(self, g): return g
    def __del__(self): [handle.remove() for handle in handles]
a = leaf([1.0, 2]); first = a.register_hook(Last()); handles = [a.register_hook(lambda g: g * 3), a.register_hook(lambda g: g * 5)]; first.remove(); (a * 1).sum().backward(); a.grad
# Refused
x.detach().register_hook(print)
