# torch.optim.lr_scheduler; see also random_training.py.
start = torch.tensor([[1.0, -2.0], [0.5, 3.0]])
sgd = lambda **more: optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0, **more)
S.OneCycleLR(optim.Adam([torch.zeros(1, requires_grad=True)]), 1.0, total_steps=3).get_last_lr()
o = one = sgd()
def plateau(eps):
    o = sgd()
    s = S.ReduceLROnPlateau(o, factor=0.5, patience=0, eps=eps)
    return [(s.step(1.0), o.param_groups[0]["lr"])[1] for _ in range(3)]
[plateau(eps) for eps in (0.25, 0.5, 0.75)]
# Refused
S.StepLR(sgd(), 1, last_epoch=3)
S.LambdaLR(sgd(), [])
S.OneCycleLR(optim.Adagrad([torch.zeros(1, requires_grad=True)]), 1.0, total_steps=3)
S.SequentialLR(one, [S.ConstantLR(one, 0.1, 2), S.ExponentialLR(one, 0.9)], [])
S.SequentialLR(one, [S.ConstantLR(sgd(), 0.1, 2), S.ExponentialLR(one, 0.9)], [2])
# Not refused
class Warm(S._LRScheduler):
    def __init__(self, o, n): self.n = n; super().__init__(o)
    def get_lr(self): return [base * min(1, (self.last_epoch + 1) / self.n) for base in self.base_lrs]
def scheduler(code, o): return eval(code, {**vars(S), **globals(), "o": o})
def one(lr=1.0): return optim.SGD([nn.Parameter(torch.ones(1))], lr=lr)
def again(code):
    """A scheduler that goes on at an epoch."""
    o = one(0.3)
    o.param_groups[0]["initial_lr"] = 1.0
    s = scheduler(code, o)
    found = [o.param_groups[0]["lr"]]
    for i in range(9):
        o.step(); s.step()
        found.append(o.param_groups[0]["lr"])
    return found, s.base_lrs, s.last_epoch
again("Warm(o, 4)"), again("ExponentialLR(o, 0.5, last_epoch=2)"), again("CosineAnnealingLR(o, 4, 0.1, last_epoch=1)")
def resumed(line):
    """FIRST; SECOND: rates before and after the first scheduler's state went to the second, of another optimizer."""
    def rates(o, s): o.step(); s.step(); return o.param_groups[0]["lr"], s.get_last_lr()
    first, second = (line + "; " + line).split("; ")[:2]
    o = one(); s = scheduler(first, o)
    before = [rates(o, s) for _ in range(3)]
    kept = copy.deepcopy((o.state_dict(), s.state_dict()))
    o = one(); s = scheduler(second, o)
    o.load_state_dict(kept[0]), s.load_state_dict(kept[1])
    return before, [rates(o, s) for _ in range(3)]
class Ramp:
    def __init__(self, n): self.n = n
    def __call__(self, step): return min(1, (step + 1) / self.n)
table(resumed, """
SequentialLR(o, [LinearLR(o, 0.1, total_iters=2), ExponentialLR(o, 0.5)], [2])
SequentialLR(o, [ConstantLR(o, 0.5, 2), ExponentialLR(o, 0.9), StepLR(o, 1)], [4, 5])
LambdaLR(o, Ramp(10)); LambdaLR(o, Ramp(2))""")
S.LambdaLR(optim.SGD([{"params": [leaf([1.0])]}, {"params": [leaf([2.0])]}], 0.1), [Ramp(2), lambda i: 1]).state_dict()["lr_lambdas"]
def printed(line):
    """SCHEDULER; STEPS: what it prints, called with these arguments."""
    code, steps = line.split("; ")
    found = io.StringIO()
    with contextlib.redirect_stdout(found):
        s = scheduler(code, one())
        for args in eval(steps): s.step(*args)
    return found.getvalue()
table(printed, """
StepLR(o, 1, 0.5, verbose=True); [(), ()]
LambdaLR(o, Ramp(3), -1, True); [(), ()]
OneCycleLR(o, 1.0, 9, cycle_momentum=False, verbose=True); [(), ()]
ConstantLR(o, verbose=True); [(), ()]
ReduceLROnPlateau(o, patience=0, verbose=True); [(1.0,), (1.0,), (2.0, 7)]
CosineAnnealingWarmRestarts(o, 3, verbose=True); [(), (1.5,)]""")
# What a scheduler's file holds, by torch's names: one engine's loads in the other
OWN = ("_get_lr_called_within_step", "_step_count", "anneal_func", "anneal_strategy", "use_beta1", "mode_worse")
def file_of(name, *arguments):
    o = optim.SGD([nn.Parameter(start.clone())], lr=1.0, momentum=0.9)
    s = getattr(optim.lr_scheduler, name)(o, *arguments)
    o.step(), s.step(*([1.0] if name == "ReduceLROnPlateau" else []))
    return {key: value for key, value in sorted(s.state_dict().items()) if key not in OWN}
[file_of(*each) for each in (("StepLR", 2), ("MultiStepLR", [4, 2, 4], 0.5), ("ReduceLROnPlateau",))]
[file_of(*each) for each in (("LinearLR",), ("ConstantLR", 0.25), ("CosineAnnealingLR", 5), ("OneCycleLR", 2.0, 10))]
[file_of(*each) for each in (("CosineAnnealingWarmRestarts", 3), ("OneCycleLR", 2.0, 3, None, None, 0.3, "linear", True, 0.8, 0.9, 25, 1e4, True))]
# Refused
S.CosineAnnealingWarmRestarts(o, 0)
S.OneCycleLR(o, 1.0)
# Not refused
v = leaf([3.0, 1.0, 2.0])
sgd = optim.SGD([v], lr=0.1)
class Halved(S._LRScheduler):
    pass
# Refused
S.StepLR(3, 1)
Halved(sgd)
