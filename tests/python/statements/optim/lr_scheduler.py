# torch.optim.lr_scheduler; see also random_training.py and changed_arguments.py.
def sgd(lr=1.0): return optim.SGD([nn.Parameter(torch.ones(1))], lr=lr, momentum=0.9)
def scheduler(code, o): return eval(code, {**vars(S), **globals(), "o": o})
S.OneCycleLR(optim.Adam([torch.zeros(1, requires_grad=True)]), 1.0, total_steps=3, pct_start=1.0).get_last_lr()
o = one = sgd()
# Refused
S.StepLR(sgd(), 1, last_epoch=3)
S.OneCycleLR(optim.Adagrad([torch.zeros(1, requires_grad=True)]), 1.0, total_steps=3)
S.SequentialLR(one, [S.ConstantLR(sgd(), 0.1, 2), S.ExponentialLR(one, 0.9)], [2])
# Not refused
class Ramp:
    def __init__(self, n): self.n = n
    def __call__(self, step): return min(1, (step + 1) / self.n)
first, second = S.LambdaLR(sgd(), Ramp(10)), S.LambdaLR(sgd(), Ramp(2))
first.step(), second.load_state_dict(first.state_dict()), second.step(), second.get_last_lr()
S.LambdaLR(optim.SGD([{"params": [leaf([1.0])]}, {"params": [leaf([2.0])]}], 0.1), [Ramp(2), lambda i: 1]).state_dict()["lr_lambdas"]
# What a scheduler's file holds, by torch's names: one engine's loads in the other
OWN = ("_get_lr_called_within_step", "_step_count", "anneal_func", "anneal_strategy", "use_beta1", "mode_worse")
def file_of(name, *arguments):
    o = sgd()
    s = getattr(S, name)(o, *arguments)
    o.step(), s.step(*([1.0] if name == "ReduceLROnPlateau" else []))
    return {key: value for key, value in sorted(s.state_dict().items()) if key not in OWN}
[file_of(*each) for each in (("StepLR", 2), ("MultiStepLR", [4, 2, 4], 0.5), ("ReduceLROnPlateau",), ("LinearLR",), ("ConstantLR", 0.25))]
[file_of(*each) for each in (("CosineAnnealingLR", 5), ("CosineAnnealingWarmRestarts", 3), ("OneCycleLR", 2.0, 10))]
class Halved(S._LRScheduler): pass
# Refused
S.StepLR(3, 1)
Halved(o)
