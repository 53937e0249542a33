# Optimizers and schedulers of one's own, groups, and schedulers that go on at an epoch; see training_options.py.
start = torch.tensor([[1.0, -2.0], [0.5, 3.0]])
class Own(optim.Optimizer):
    """Adam, as one writes it by hand."""
    def __init__(self, params, lr=0.1, betas=(0.9, 0.999)): super().__init__(params, dict(lr=lr, betas=betas))
    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                if len(state) == 0:
                    state["step"] = 0
                    state["m"], state["v"] = torch.zeros_like(p), torch.zeros_like(p)
                state["step"] += 1
                b1, b2 = group["betas"]
                state["m"].mul_(b1).add_(p.grad, alpha=1 - b1)
                state["v"].mul_(b2).addcmul_(p.grad, p.grad, value=1 - b2)
                rate = group["lr"] * math.sqrt(1 - b2 ** state["step"]) / (1 - b1 ** state["step"])
                p.addcdiv_(state["m"], state["v"].sqrt().add_(1e-8), value=-rate)
w = nn.Parameter(start.clone())
o = Own([w]); w.grad = start.clone(); o.step(), o.step(); w.detach()
head = {"params": nn.Parameter(start.clone()), "lr": 0.5}
tail = dict(params=[nn.Parameter(torch.ones(2))])
o = optim.SGD([head, tail], lr=0.1, momentum=0.9)
tail["lr"]
g = head["params"][0].grad = torch.full((2, 2), 2.0)
o.zero_grad(set_to_none=False); g
class Warm(S._LRScheduler):
    def __init__(self, o, n): self.n = n; super().__init__(o)
    def get_lr(self): return [base * min(1, (self.last_epoch + 1) / self.n) for base in self.base_lrs]
def again(make):
    """A scheduler that goes on at an epoch."""
    o = optim.SGD([{"params": [nn.Parameter(torch.ones(1))], "initial_lr": 1.0}], lr=0.3)
    s = make(o)
    found = [o.param_groups[0]["lr"]]
    for i in range(9):
        o.step(); s.step()
        found.append(o.param_groups[0]["lr"])
    return found, s.base_lrs, s.last_epoch
again(lambda o: Warm(o, 4))
again(lambda o: S.ExponentialLR(o, 0.5, last_epoch=2))
again(lambda o: S.CosineAnnealingLR(o, 4, 0.1, last_epoch=1))
again(lambda o: S.LambdaLR(o, lambda i: 1 / (i + 1), last_epoch=4))
# Refused
optim.SGD([3], lr=0.1)
S.CosineAnnealingWarmRestarts(o, 0)
S.OneCycleLR(o, 1.0)
