# torch.optim and clipped gradients; see also random_training.py.
start = torch.tensor([[1.0, -2.0], [0.5, 3.0]])
head = {"params": nn.Parameter(start.clone()), "lr": 0.5}
tail = dict(params=[nn.Parameter(torch.ones(2))])
o = optim.SGD([head, tail], lr=0.1, momentum=0.9); tail["lr"]
x = torch.arange(12.0).reshape(3, 4).requires_grad_()
# Reached just so: a norm, a tolerance, a least step; and what does not count
def clipped(most, p):
    ws = [nn.Parameter(torch.ones(2)) for _ in range(2)]
    for w, g in zip(ws, ([3.0, 0.0], [0.0, -4.0])): w.grad = torch.tensor(g)
    return nn.utils.clip_grad_norm_(ws, most, p), [w.grad for w in ws]
[clipped(m, p) for m in (4.0, 5.0, 7.0, 100.0) for p in (1, 2, math.inf)]
# Refused
optim.SGD(x, lr=1.0)
optim.SGD([x * 2], lr=1.0)
# Not refused
class Own(optim.Optimizer):
    """Momentum, as one writes it by hand."""
    def __init__(self, params, lr=0.1): super().__init__(params, dict(lr=lr, momentum=0.9))
    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                if len(state) == 0: state["step"], state["m"] = 0, torch.zeros_like(p)
                state["step"] += 1
                state["m"].mul_(group["momentum"]).add_(p.grad, alpha=1 / state["step"])
                p.addcdiv_(state["m"], state["m"].abs().sqrt().add_(1e-8), value=-group["lr"])
w = nn.Parameter(start.clone())
o = Own([w]); w.grad = start.clone(); o.step(), o.step(); w.detach()
w = leaf([1.0, 2.0]); (w ** 3).sum().backward(create_graph=True); (optim.SGD([w], 0.1).zero_grad(), w.grad, w.grad.requires_grad), (optim.SGD([w], 0.1).zero_grad(set_to_none=True), w.grad)
def warned(f):
    with warnings.catch_warnings(record=True) as found: warnings.simplefilter("always"), f()
    return [w.category.__name__ for w in found if "eprecat" not in str(w.message)]
w = nn.Parameter(torch.ones(2)); w.grad = torch.ones(2)
def stepped(o): s = S.ExponentialLR(o, 0.5); o.step(), s.step(), s.step()
warned(lambda: stepped(Own([w]))), warned(lambda: stepped(optim.SGD([w], 0.1))), warned(S.ExponentialLR(Own([w]), 0.5).step)
warned(lambda: optim.SGD([w, w], 0.1))
def in_half(code):
    """A state in half precision."""
    o = optimizer(code, [w]); o.step(); kept = copy.deepcopy(o.state_dict())
    kept["state"][0] = {k: v.half() if torch.is_tensor(v) and v.dim() else v for k, v in kept["state"][0].items()}
    with torch.no_grad(): w.fill_(1)
    o.load_state_dict(kept), o.step()
    return w.detach().clone(), [v.dtype for v in o.state[w].values() if torch.is_tensor(v)]
in_half("Adam(p)"), in_half("SGD(p, 0.1, 0.9)")
# Refused
optim.SGD([3], lr=0.1)
optim.SGD([{"params": {w}}], lr=0.1)
# Not refused
v = leaf([3.0, 1.0, 2.0])
v.grad = torch.tensor([1.0, float("inf"), 0.0]); tried(lambda: nn.utils.clip_grad_norm_([v], 1.0, error_if_nonfinite=True))
nn.utils.clip_grad_value_([v], 0.5)
def stepped(make):
    """Whether a step counts as a write, and what backward says of it."""
    p = leaf([1.0, 2])
    o = optimizer(make, [p])
    y, p.grad, before = (p * p).sum(), torch.ones(2), p._version
    o.step()
    return p._version > before, tried(y.backward)
table(stepped, """
SGD(p, 0.1)
SGD(p, 0.1, 0.9)
Adam(p)
AdamW(p, amsgrad=True)
RMSprop(p)
Adagrad(p)""")
def shared(make):
    """A vector of which the parameters are views, the optimizer's own, or Parameters."""
    found = []
    for parts, own in itertools.product(("[flat[:2], flat[2:3], flat[3:]]", "[flat[:4], flat[2:]]", "[flat, flat[:2]]"), (False, True)):
        flat = torch.tensor([1.0, -2.0, 0.5, 3.0, -1.0, 0.25])
        ps = [nn.Parameter(v) if own else v.detach().requires_grad_() for v in eval(parts, {"flat": flat})]
        o = optimizer(make, ps)
        for n in range(3):
            for p in ps: p.grad = torch.arange(1.0, p.numel() + 1) - n
            o.step()
        nn.utils.clip_grad_norm_(ps, 0.5); flat.mul_(2)
        found.append((flat, [(p.detach(), p.grad, p.data_ptr() - flat.data_ptr()) for p in ps]))
    return found
table(shared, """
SGD(p, lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.1)
Adam(p, lr=0.1)
RMSprop(p, lr=0.1, momentum=0.5, centered=True)""")
