"""Learning rate schedules. Each step starts from the current rate, so several schedulers on one
optimizer multiply, as torch's chainable forms do."""

import bisect
import collections
import math
import types
import warnings


def _check(optimizer):
    if not hasattr(optimizer, "param_groups"):
        raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")


def _of_each(value, optimizer, name):
    """One for each group: those of a list, or the same."""
    _check(optimizer)
    n = len(optimizer.param_groups)
    values = list(value) if isinstance(value, (list, tuple)) else [value] * n
    if len(values) != n:
        raise ValueError(f"expected {n} values for {name}, got {len(values)}")
    return values


def _verbose(given):
    if given:
        warnings.warn("The verbose parameter is deprecated, and prints nothing: print(scheduler.get_last_lr())", stacklevel=3)
    return given


class LRScheduler:
    """For your own: derive, and return the rates at self.last_epoch from get_lr()."""

    verbose = False

    def __init__(self, optimizer, last_epoch=-1, verbose=False):
        _check(optimizer)
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", group["lr"])
            elif "initial_lr" not in group:
                raise KeyError(f"param 'initial_lr' is missing in param_groups[{i}] of a resumed optimizer")
        self.optimizer, self.last_epoch, self.verbose = optimizer, last_epoch, _verbose(verbose)
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self._initial_step()

    def _initial_step(self):
        self._step_count = 0
        self.step()

    def get_lr(self):
        raise NotImplementedError

    def get_last_lr(self):
        return self._last_lr

    def step(self, epoch=None):
        if self._step_count == 1 and getattr(self.optimizer, "_step_count", 1) == 0:
            warnings.warn("lr_scheduler.step() before optimizer.step(): the schedule's first rate is skipped",
                stacklevel=2)
        self._step_count += 1
        if epoch is None:
            self.last_epoch += 1
            rates = self.get_lr()
        else:
            self.last_epoch = epoch
            rates = getattr(self, "_get_closed_form_lr", self.get_lr)()
        self._set(rates)

    def _set(self, rates):
        for group, lr in zip(self.optimizer.param_groups, rates):
            group["lr"] = lr
        self._last_lr = self._rates()

    def _rates(self):
        return [group["lr"] for group in self.optimizer.param_groups]

    def state_dict(self):
        return {name: value for name, value in self.__dict__.items() if name != "optimizer"}

    def load_state_dict(self, state_dict):
        self.__dict__.update(state_dict)


_LRScheduler = LRScheduler


class LambdaLR(LRScheduler):
    def __init__(self, optimizer, lr_lambda, last_epoch=-1, verbose=False):
        self.lr_lambdas = _of_each(lr_lambda, optimizer, "lr_lambda")
        super().__init__(optimizer, last_epoch, verbose)

    def get_lr(self):
        return [base * f(self.last_epoch) for f, base in zip(self.lr_lambdas, self.base_lrs)]

    def state_dict(self):
        """Without functions, which cannot be saved; of callable objects their attributes."""
        return {**super().state_dict(), "lr_lambdas": [None if isinstance(f, types.FunctionType) else dict(vars(f))
            for f in self.lr_lambdas]}

    def load_state_dict(self, state_dict):
        self.__dict__.update({k: v for k, v in state_dict.items() if k != "lr_lambdas"})
        for f, state in zip(self.lr_lambdas, state_dict["lr_lambdas"]):
            if state is not None:
                vars(f).update(state)


class _ByFactor(LRScheduler):
    """Each step multiplies the rates by _ratio(step); the initial ones times _factor(step) are as far."""

    def get_lr(self):
        ratio = self._ratio(self.last_epoch)
        return [lr * ratio for lr in self._rates()]

    def _get_closed_form_lr(self):
        factor = self._factor(self.last_epoch)
        return [base * factor for base in self.base_lrs]


class StepLR(_ByFactor):
    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1, verbose=False):
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch, verbose)

    def _ratio(self, step):
        return 1 if step == 0 or step % self.step_size else self.gamma

    def _factor(self, step):
        return self.gamma ** (step // self.step_size)


class ExponentialLR(_ByFactor):
    def __init__(self, optimizer, gamma, last_epoch=-1, verbose=False):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch, verbose)

    def _ratio(self, step):
        return self.gamma if step else 1

    def _factor(self, step):
        return self.gamma**step


class MultiStepLR(_ByFactor):
    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1, verbose=False):
        self.milestones, self.gamma = collections.Counter(milestones), gamma
        super().__init__(optimizer, last_epoch, verbose)

    def _ratio(self, step):
        return self.gamma ** self.milestones[step]

    def _factor(self, step):
        return self.gamma ** bisect.bisect_right(sorted(self.milestones.elements()), step)


class LinearLR(_ByFactor):
    def __init__(self, optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5, last_epoch=-1,
            verbose=False):
        if not 0 < start_factor <= 1 or not 0 <= end_factor <= 1:
            raise ValueError(f"LinearLR: from a factor above 0, and up to 1, and not from {start_factor} to {end_factor}")
        self.start_factor, self.end_factor, self.total_iters = start_factor, end_factor, total_iters
        super().__init__(optimizer, last_epoch, verbose)

    def _ratio(self, step):
        if step == 0 or step > self.total_iters:
            return 1 if step else self.start_factor
        rise = self.end_factor - self.start_factor
        return 1 + rise / (self.total_iters * self.start_factor + (step - 1) * rise)

    def _factor(self, step):
        return self.start_factor + (self.end_factor - self.start_factor) * min(step, self.total_iters) / self.total_iters


class ConstantLR(_ByFactor):
    def __init__(self, optimizer, factor=1.0 / 3, total_iters=5, last_epoch=-1, verbose=False):
        if not 0 <= factor <= 1:
            raise ValueError(f"ConstantLR: a factor between 0 and 1, and not {factor}")
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch, verbose)

    def _ratio(self, step):
        if step == 0:
            return self.factor
        return 1 if step < self.total_iters or step > self.total_iters else 1 / self.factor

    def _factor(self, step):
        return 1.0 if step >= self.total_iters else self.factor


class CosineAnnealingLR(LRScheduler):
    def __init__(self, optimizer, T_max, eta_min=0, last_epoch=-1, verbose=False):
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch, verbose)

    def _height(self, step):
        return 1 + math.cos(math.pi * step / self.T_max)

    def get_lr(self):
        step, low = self.last_epoch, self.eta_min
        if step == 0:
            return self._rates()
        if self._step_count == 1:
            return self._get_closed_form_lr()
        if (step - 1 - self.T_max) % (2 * self.T_max) == 0:  # from the lowest point there is no ratio
            rise = (1 - math.cos(math.pi / self.T_max)) / 2
            return [lr + (base - low) * rise for base, lr in zip(self.base_lrs, self._rates())]
        ratio = self._height(step) / self._height(step - 1)
        return [ratio * (lr - low) + low for lr in self._rates()]

    def _get_closed_form_lr(self):
        return [self.eta_min + (base - self.eta_min) * self._height(self.last_epoch) / 2
            for base in self.base_lrs]


class _Several(LRScheduler):
    def state_dict(self):
        return {**super().state_dict(), "_schedulers": [s.state_dict() for s in self._schedulers]}

    def load_state_dict(self, state_dict):
        super().load_state_dict({k: v for k, v in state_dict.items() if k != "_schedulers"})
        for scheduler, state in zip(self._schedulers, state_dict["_schedulers"]):
            scheduler.load_state_dict(state)


class SequentialLR(_Several):
    """One scheduler after another: the next from each milestone on."""

    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1, verbose=False):
        if any(s.optimizer is not optimizer for s in schedulers):
            raise ValueError("SequentialLR: the schedulers belong to several optimizers")
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(f"SequentialLR: {len(schedulers)} schedulers and {len(milestones)} milestones")
        self._schedulers, self._milestones = schedulers, milestones
        self.last_epoch, self.optimizer = last_epoch + 1, optimizer
        for group in optimizer.param_groups:
            group["lr"] = group["initial_lr"]
        for scheduler in schedulers:  # each has made a step already
            scheduler.last_epoch -= 1
        schedulers[0]._initial_step()
        self._last_lr = schedulers[0].get_last_lr()

    def step(self):
        self.last_epoch += 1
        i = bisect.bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[i]
        if i and self._milestones[i - 1] == self.last_epoch:
            scheduler.step(0)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()


from .cyclic import CosineAnnealingWarmRestarts, OneCycleLR
from .plateau import ReduceLROnPlateau
