# Optimizers, those of one's own, and schedulers: the rates and the parameters after some steps.
start = torch.tensor([[1.0, -2.0], [0.5, 3.0]])
def trained(make, steps=5, **options):
    w, b = start.clone().requires_grad_(), torch.zeros(2, requires_grad=True)
    optimizer = make([w, b], **options)
    for i in range(steps):
        optimizer.zero_grad()
        ((w * w).sum() + (w.sum(0) * b).sum() + (b - 1).pow(2).sum() * (i + 1)).backward()
        optimizer.step()
    return [w.detach(), b.detach()]
trained(optim.SGD, lr=0.01, momentum=0.9, dampening=0.1)
trained(optim.SGD, lr=0.01, momentum=0.9, nesterov=True, weight_decay=0.1)
trained(optim.SGD, lr=0.01, maximize=True)
trained(optim.Adam, lr=0.1, amsgrad=True)
trained(optim.AdamW, lr=0.1, betas=(0.8, 0.9), eps=1e-6)
trained(optim.RMSprop, lr=0.1, momentum=0.5, centered=True, weight_decay=0.1)
trained(optim.Adagrad, lr=0.1, lr_decay=0.5, weight_decay=0.1, initial_accumulator_value=1.0)
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
class Old(Own):
    @torch.no_grad()
    def step(self):
        for p in self.param_groups[0]["params"]:
            m = self.state[p].setdefault("m", torch.zeros_like(p.data))
            m.mul_(0.9).add_(0.1, p.grad.data)
            p.data.add_(-0.1, m)
            p.data.lerp_(torch.ones_like(p.data), 0.01)
            p.data.addcmul_(0.1, m, m)
            p.data.addcdiv_(-0.1, m, m.abs() + 1)
trained(Old)
w = torch.nn.Parameter(start.clone())
o = Own([w])
p = Own([torch.nn.Parameter(start.clone())])
p.add_param_group({"params": [torch.nn.Parameter(torch.ones(2))]})
optim.SGD([3], lr=0.1)
optim.Adam([w], betas=(1.0, 0.9))
optim.RMSprop([w], lr=-1)
def rates(make, steps=9, lr=1.0, of=optim.SGD, **options):
    o = of([torch.nn.Parameter(torch.ones(1))], lr=lr)
    s = make(o, **options)
    found = [s.get_last_lr()[0] if hasattr(s, "_last_lr") else lr]
    for i in range(steps):
        o.step()
        s.step()
        found.append(o.param_groups[0]["lr"])
    return found
rates(S.StepLR, step_size=3, gamma=0.5)
rates(S.MultiStepLR, milestones=[2, 5, 5], gamma=0.5)
rates(S.LambdaLR, lr_lambda=lambda step: 1 / (step + 1))
rates(S.ConstantLR, factor=0.5, total_iters=3)
rates(S.LinearLR, start_factor=1.0, end_factor=0.2, total_iters=4)
rates(S.CosineAnnealingLR, T_max=4)
rates(S.CosineAnnealingWarmRestarts, T_0=2, T_mult=2, eta_min=0.1)
rates(S.OneCycleLR, max_lr=1.0, total_steps=10, pct_start=0.4, anneal_strategy="linear", cycle_momentum=False)
rates(S.OneCycleLR, max_lr=1.0, epochs=2, steps_per_epoch=6, three_phase=True, pct_start=0.3, of=optim.Adam)
rates(S.OneCycleLR, max_lr=1.0, total_steps=5, cycle_momentum=False)
rates(lambda o: S.SequentialLR(o, [S.ConstantLR(o, 0.1, 2), S.ExponentialLR(o, 0.9)], milestones=[2]))
rates(lambda o: S.SequentialLR(o, [S.LinearLR(o, 0.1, total_iters=3), S.CosineAnnealingLR(o, 5)], [3]))
class Warm(S._LRScheduler):
    def __init__(self, o, n): self.n = n; super().__init__(o)
    def get_lr(self): return [base * min(1, (self.last_epoch + 1) / self.n) for base in self.base_lrs]
rates(Warm, n=4)
o = optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=1.0)
s = S.StepLR(o, 1, 0.5)
sorted(set(s.state_dict()) - {"verbose", "_get_lr_called_within_step"})
S.CosineAnnealingWarmRestarts(o, 0)
S.OneCycleLR(o, 1.0)
S.SequentialLR(o, [s], [1])
