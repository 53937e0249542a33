"""How the learning rate goes on: each step makes the next one of the one that is there, so that a rate
which was set by hand goes on from there."""

import math


class LRScheduler:
    def __init__(self, optimizer, last_epoch=-1):
        self.optimizer, self.last_epoch = optimizer, last_epoch
        for group in optimizer.param_groups:
            group.setdefault("initial_lr", group["lr"])
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.step()

    def step(self):
        self.last_epoch += 1
        groups = self.optimizer.param_groups
        for group, lr in zip(groups, self.rates(groups, self.last_epoch)):
            group["lr"] = lr
        self._last_lr = [group["lr"] for group in groups]

    def get_last_lr(self):
        return self._last_lr


class LambdaLR(LRScheduler):
    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        several = isinstance(lr_lambda, (list, tuple))
        self.lr_lambdas = lr_lambda if several else [lr_lambda] * len(optimizer.param_groups)
        super().__init__(optimizer, last_epoch)

    def rates(self, groups, step):
        return [base * f(step) for base, f in zip(self.base_lrs, self.lr_lambdas)]


class StepLR(LRScheduler):
    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def rates(self, groups, step):
        falls = step > 0 and step % self.step_size == 0
        return [group["lr"] * (self.gamma if falls else 1) for group in groups]


class ExponentialLR(StepLR):
    def __init__(self, optimizer, gamma, last_epoch=-1):
        super().__init__(optimizer, 1, gamma, last_epoch)


class CosineAnnealingLR(LRScheduler):
    """lr = least + (initial - least)·(1 + cos(π·step/T))/2, as a factor of the rate before."""

    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def rates(self, groups, step):
        half, least = math.pi / self.T_max, self.eta_min
        if step == 0:
            return [group["lr"] for group in groups]
        if (step - 1 - self.T_max) % (2 * self.T_max) == 0:  # it was at its least
            return [group["lr"] + (base - least) * (1 - math.cos(half)) / 2
                    for base, group in zip(self.base_lrs, groups)]
        factor = (1 + math.cos(half * step)) / (1 + math.cos(half * (step - 1)))
        return [factor * (group["lr"] - least) + least for group in groups]
