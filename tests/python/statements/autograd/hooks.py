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
with a.register_hook(lambda g: g * 7): a.grad = None
(a * 1).sum().backward(); a.grad
def hooked(hook, twice=False):
    order, h = [], x * 1
    h.register_hook(lambda g: order.append(g.tolist()) or hook(g))
    y = (h * h).sum()
    y.backward(retain_graph=True)
    if twice: y.backward()
    found, x.grad = x.grad, None
    return found, order
[tried(hooked, f) for f in (lambda g: g[:1], lambda g: 3.0, lambda g: "a", lambda g: g.long())], hooked(lambda g: g * 2, twice=True)
# Refused
x.detach().register_hook(print)
