"""Learning rate schedules. Each step starts from the current rate, so several schedulers on one
optimizer multiply, as torch's chainable forms do."""

import bisect
import collections
import math
import types
import warnings

from . import Optimizer as _Optimizer


def _of_each(value, optimizer, name):
    """One for each group: those of a list, or the same."""
    n = len(optimizer.param_groups)
    values = list(value) if isinstance(value, (list, tuple)) else [value] * n
    if len(values) != n:
        raise ValueError(f"expected {n} values for {name}, got {len(values)}")
    return values


class LRScheduler:
    """For your own: derive, and return the rates at self.last_epoch from get_lr(). `verbose` says nothing, as in torch
    since 2.4."""

    def __init__(self, optimizer, last_epoch=-1, verbose=False):
        if not hasattr(optimizer, "param_groups"):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", group["lr"])
            elif "initial_lr" not in group:
                raise KeyError(f"param 'initial_lr' is missing in param_groups[{i}] of a resumed optimizer")
        self.optimizer, self.last_epoch = optimizer, last_epoch
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
        usual = getattr(type(self.optimizer), "step", None) is _Optimizer.step
        if self._step_count == 1 and usual and not self.optimizer._stepped:
            warnings.warn("lr_scheduler.step() before optimizer.step(): the schedule's first rate is skipped",
                          stacklevel=2)
        self._step_count += 1
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        rates = self.get_lr() if epoch is None else getattr(self, "_get_closed_form_lr", self.get_lr)()
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
        super().__init__(optimizer, last_epoch)

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
    """After as many steps the initial rates are multiplied by _factor(step)."""

    def get_lr(self):
        ratio = self._ratio(self.last_epoch)
        return [lr * ratio for lr in self._rates()]

    def _ratio(self, step):
        now, before = self._factor(step), self._factor(step - 1) if step else 1
        return 1 if now == before else now / before

    def _get_closed_form_lr(self):
        factor = self._factor(self.last_epoch)
        return [base * factor for base in self.base_lrs]


class StepLR(_ByFactor):
    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1, verbose=False):
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def _ratio(self, step):
        return 1 if step == 0 or step % self.step_size else self.gamma

    def _factor(self, step):
        return self.gamma ** (step // self.step_size)


class ExponentialLR(StepLR):
    def __init__(self, optimizer, gamma, last_epoch=-1, verbose=False):
        super().__init__(optimizer, 1, gamma, last_epoch)


class MultiStepLR(_ByFactor):
    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1, verbose=False):
        self.milestones, self.gamma = collections.Counter(milestones), gamma
        super().__init__(optimizer, last_epoch)

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
        super().__init__(optimizer, last_epoch)

    def _factor(self, step):
        n = max(0, self.total_iters)
        return self.start_factor + (self.end_factor - self.start_factor) * min(step, int(n)) / (n or 1)


class CosineAnnealingLR(LRScheduler):
    def __init__(self, optimizer, T_max, eta_min=0, last_epoch=-1, verbose=False):
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

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


class SequentialLR(LRScheduler):
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

    def state_dict(self):
        return {**super().state_dict(), "_schedulers": [s.state_dict() for s in self._schedulers]}

    def load_state_dict(self, state_dict):
        super().load_state_dict({k: v for k, v in state_dict.items() if k != "_schedulers"})
        for scheduler, state in zip(self._schedulers, state_dict["_schedulers"]):
            scheduler.load_state_dict(state)


class OneCycleLR(LRScheduler):
    """To max_lr and back (Smith and Topin 2018); the momentum moves oppositely."""

    def __init__(self, optimizer, max_lr, total_steps=None, epochs=None, steps_per_epoch=None, pct_start=0.3,
                 anneal_strategy="cos", cycle_momentum=True, base_momentum=0.85, max_momentum=0.95,
                 div_factor=25.0, final_div_factor=1e4, three_phase=False, last_epoch=-1, verbose=False):
        if total_steps is None and (epochs is None or steps_per_epoch is None):
            raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
        for name, n in ("total_steps", total_steps), ("epochs", epochs), ("steps_per_epoch", steps_per_epoch):
            if n is not None and not (isinstance(n, int) and n > 0) and (name == "total_steps" or total_steps is None):
                raise ValueError(f"Expected positive integer {name}, but got {n}")
        if not (isinstance(pct_start, float) and 0 <= pct_start <= 1):
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must by one of 'cos' or 'linear', instead got {anneal_strategy}")
        self.total_steps = total_steps or epochs * steps_per_epoch
        self.anneal_strategy, self.cycle_momentum = anneal_strategy, cycle_momentum
        up = pct_start * self.total_steps
        ends = [up - 1, 2 * up - 2, self.total_steps - 1] if three_phase else [up - 1, self.total_steps - 1]
        rates = ["initial_lr", "max_lr", "initial_lr", "min_lr"] if three_phase else \
            ["initial_lr", "max_lr", "min_lr"]
        momenta = ["max_momentum", "base_momentum"] + ["max_momentum"] * (len(ends) - 1)
        names = ("end_step", "start_lr", "end_lr", "start_momentum", "end_momentum")  # as in torch's files
        self._schedule_phases = [dict(zip(names, phase))
                                 for phase in zip(ends, rates, rates[1:], momenta, momenta[1:])]
        if cycle_momentum and not any(name in optimizer.defaults for name in ("momentum", "betas")):
            raise ValueError("optimizer must support momentum with `cycle_momentum` option enabled")
        if last_epoch == -1:
            names = {"max_lr": max_lr, "max_momentum": max_momentum, "base_momentum": base_momentum}
            each = zip(*(_of_each(value, optimizer, name) for name, value in names.items()))
            for group, values in zip(optimizer.param_groups, each):
                group.update(zip(names, values), initial_lr=values[0] / div_factor)
                group["min_lr"] = group["initial_lr"] / final_div_factor
        super().__init__(optimizer, last_epoch)

    def _annealed(self, start, end, part):
        if self.anneal_strategy == "linear":
            return (end - start) * part + start
        return end + (start - end) / 2 * (1 + math.cos(math.pi * part))

    def get_lr(self):
        step, begin = self.last_epoch, 0
        if step > self.total_steps:
            raise ValueError(f"Tried to step {step} times. The total number of steps is {self.total_steps}")
        for phase in self._schedule_phases:
            end, lr, next_lr, momentum, next_momentum = phase.values()
            if step <= end or end == self.total_steps - 1:
                break
            begin = end
        part = (step - begin) / (end - begin)
        for group in self.optimizer.param_groups if self.cycle_momentum else ():
            m = self._annealed(group[momentum], group[next_momentum], part)
            if "betas" in group:
                group["betas"] = (m, *group["betas"][1:])
            else:
                group["momentum"] = m
        return [self._annealed(group[lr], group[next_lr], part) for group in self.optimizer.param_groups]


class ReduceLROnPlateau:
    """Reduces rates once the measured value has not improved for more than `patience` steps."""

    def __init__(self, optimizer, mode="min", factor=0.1, patience=10, threshold=1e-4, threshold_mode="rel",
                 cooldown=0, min_lr=0, eps=1e-8, verbose=False):
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        if mode not in ("min", "max"):
            raise ValueError("mode " + mode + " is unknown!")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError("threshold mode " + threshold_mode + " is unknown!")
        self.optimizer, self.mode, self.factor, self.patience = optimizer, mode, factor, patience
        self.threshold, self.threshold_mode, self.cooldown, self.eps = threshold, threshold_mode, cooldown, eps
        self.min_lrs = _of_each(min_lr, optimizer, "min_lr")
        self.best = math.inf if mode == "min" else -math.inf
        self.num_bad_epochs = self.cooldown_counter = self.last_epoch = 0

    @property
    def in_cooldown(self):
        return self.cooldown_counter > 0

    def is_better(self, a, best):
        sign = 1 if self.mode == "min" else -1
        if self.threshold_mode == "rel":
            return sign * a < sign * best * (1 - sign * self.threshold)
        return sign * a < sign * best - self.threshold

    def step(self, metrics, epoch=None):
        current = float(metrics)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if self.is_better(current, self.best):
            self.best, self.num_bad_epochs = current, 0
        else:
            self.num_bad_epochs += 1
        if self.in_cooldown:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            if len(self.min_lrs) != len(self.optimizer.param_groups):  # one was added
                if len(set(self.min_lrs)) > 1:
                    raise RuntimeError("ReduceLROnPlateau: a group was added, and min_lrs has no value for it")
                self.min_lrs = _of_each(self.min_lrs[0], self.optimizer, "min_lr")
            for group, low in zip(self.optimizer.param_groups, self.min_lrs):
                lr = max(group["lr"] * self.factor, low)
                if group["lr"] - lr > self.eps:
                    group["lr"] = lr
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
        self._last_lr = LRScheduler._rates(self)

    state_dict, load_state_dict = LRScheduler.state_dict, LRScheduler.load_state_dict
