# Hooks of modules.
# What forward hooks return
def hooked(hook, before=lambda m, i: None):
    m = filled(nn.Linear(1, 1))
    m.register_forward_hook(hook), m.register_forward_pre_hook(before)
    return m(torch.ones(1))
tried(hooked, lambda m, i, o: 1 / 0), hooked(lambda m, i, o: (o, i)), tried(hooked, lambda m, i, o: None, lambda m, i: [i[0]])
def backward_hooked(*hooks):
    m, seen = filled(nn.Linear(2, 1)), []
    for f in hooks: m.register_full_backward_hook(lambda m, i, o, f=f: seen.append((i, o)) or f(i))
    x = torch.ones(1, 2, requires_grad=True)
    (m(x) * 2).sum().backward()
    return seen, x.grad, m.weight.grad
backward_hooked(lambda g: None), backward_hooked(lambda g: (g[0] * 2,), lambda g: (g[0] + 1,)), tried(lambda: backward_hooked(lambda g: 1 / 0))
