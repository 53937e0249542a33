# Groups of an optimizer, its state, closures, and schedulers that go on where others stopped.
start = torch.tensor([[1.0, -2.0], [0.5, 3.0]])
head = {"params": torch.nn.Parameter(start.clone()), "lr": 0.5}
tail = dict(params=[torch.nn.Parameter(torch.ones(2))])
o = optim.SGD([head, tail], lr=0.1, momentum=0.9)
tail["lr"]
g = head["params"][0].grad = torch.full((2, 2), 2.0)
o.zero_grad(set_to_none=False); g
m = optim.SGD([torch.nn.Parameter(start.clone())], lr=0.1, momentum=0.5, maximize=True)
mp = m.param_groups[0]["params"][0]
mp.grad = g.clone(); up = mp.grad; m.step(); m.step(); up, mp.detach(), m.state[mp]["momentum_buffer"]
def closed(make, **options):
    w = start.clone().requires_grad_()
    o = make([w], **options)
    def closure():
        o.zero_grad()
        loss = (w * w).sum()
        loss.backward()
        return loss
    with torch.no_grad(): losses = [o.step(closure).item() for _ in range(3)]
    return losses, torch.is_grad_enabled(), w.detach()
closed(optim.SGD, lr=0.1, momentum=0.9)
closed(optim.Adam, lr=0.1, amsgrad=True)
closed(optim.Adagrad, lr=0.1, lr_decay=0.5)
def ams(grads):
    w = torch.zeros(2, requires_grad=True)
    o = optim.Adam([w], lr=0.1, amsgrad=True)
    found = []
    for g in grads:
        w.grad = torch.tensor(g)
        o.step()
        found.append((w.tolist(), o.state[w]["exp_avg_sq"].tolist(), o.state[w]["max_exp_avg_sq"].tolist()))
    return found
ams([[3.0, -1.0], [0.1, 0.0], [0.0, 5.0], [0.2, -0.1]])
frozen, moving = torch.nn.Parameter(torch.ones(2), requires_grad=False), torch.nn.Parameter(torch.ones(2))
o = optim.AdamW([frozen, moving], lr=0.1); moving.grad = torch.ones(2); o.step(), frozen, moving.detach(), len(o.state)
def resumed(make, split, steps=8):
    """Rates after a state that was loaded, and without one."""
    def new():
        o = optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=1.0)
        return o, make(o)
    o, s = new()
    found = []
    for i in range(steps):
        if i == split:
            states = o.state_dict(), s.state_dict()
            o, s = new()
            o.load_state_dict(states[0]); s.load_state_dict(states[1])
        o.step(); s.step()
        found.append(o.param_groups[0]["lr"])
    return found
resumed(lambda o: S.MultiStepLR(o, [2, 5], 0.5), 5)
resumed(lambda o: S.CosineAnnealingWarmRestarts(o, 2, 2), 3)
resumed(lambda o: S.LambdaLR(o, lambda i: 0.9 ** i), 2)
resumed(lambda o: S.OneCycleLR(o, 1.0, total_steps=10, cycle_momentum=False), 6)
def again(make):
    """A scheduler that goes on at an epoch."""
    o = optim.SGD([{"params": [torch.nn.Parameter(torch.ones(1))], "initial_lr": 1.0}], lr=0.3)
    s = make(o)
    found = [o.param_groups[0]["lr"]]
    for i in range(4):
        o.step(); s.step()
        found.append(o.param_groups[0]["lr"])
    return found, s.base_lrs, s.last_epoch
again(lambda o: S.ExponentialLR(o, 0.5, last_epoch=2))
again(lambda o: S.LambdaLR(o, lambda i: 1 / (i + 1), last_epoch=4))
o = optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=1.0)
def groups(make):
    o = optim.SGD([{"params": [torch.nn.Parameter(torch.ones(1))], "lr": 2.0}, {"params": [torch.nn.Parameter(torch.ones(1))]}], lr=1.0)
    s = make(o)
    found = []
    for i in range(4):
        o.step(); s.step()
        found.append([round(group["lr"], 6) for group in o.param_groups])
    return found, s.get_last_lr() == [group["lr"] for group in o.param_groups], getattr(s, "base_lrs", None)
groups(lambda o: S.ExponentialLR(o, 0.5))
w = [torch.nn.Parameter(torch.ones(1)) for _ in range(2)]
o = optim.SGD([{"params": w[:1], "lr": 1.0}, {"params": w[1:], "lr": 0.1}], lr=5)
s = S.ReduceLROnPlateau(o, patience=0, factor=0.1, min_lr=[0.05, 0.08], eps=0.03)
[(s.step(1.0), s.num_bad_epochs, s.cooldown_counter, [group["lr"] for group in o.param_groups])[1:] for _ in range(5)]
