"""Schedules that rise and fall."""

import math

from .lr_scheduler import LRScheduler, _check, _of_each


class CosineAnnealingWarmRestarts(LRScheduler):
    def __init__(self, optimizer, T_0, T_mult=1, eta_min=0, last_epoch=-1, verbose=False):
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        self.T_0 = self.T_i = T_0
        self.T_mult, self.eta_min, self.T_cur = T_mult, eta_min, last_epoch
        super().__init__(optimizer, last_epoch, verbose)

    def get_lr(self):
        height = (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2
        return [self.eta_min + (base - self.eta_min) * height for base in self.base_lrs]

    def step(self, epoch=None):
        self._step_count += 1
        if epoch is None and self.last_epoch >= 0:
            epoch, self.T_cur = self.last_epoch + 1, self.T_cur + 1
        else:
            epoch = 0 if epoch is None else epoch
            if epoch < 0:
                raise ValueError(f"Expected non-negative epoch, but got {epoch}")
            self.T_cur, self.T_i = epoch, self.T_0
        while self.T_cur >= self.T_i:
            self.T_cur -= self.T_i
            self.T_i *= self.T_mult
        self.last_epoch = math.floor(epoch)
        self._set(self.get_lr())


class OneCycleLR(LRScheduler):
    """To max_lr and back (Smith and Topin 2018); the momentum moves oppositely."""

    def __init__(self, optimizer, max_lr, total_steps=None, epochs=None, steps_per_epoch=None, pct_start=0.3,
            anneal_strategy="cos", cycle_momentum=True, base_momentum=0.85, max_momentum=0.95,
            div_factor=25.0, final_div_factor=1e4, three_phase=False, last_epoch=-1, verbose=False):
        _check(optimizer)
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
            names = {"max_lr": max_lr}
            if cycle_momentum:
                names.update(max_momentum=max_momentum, base_momentum=base_momentum)
            each = zip(*(_of_each(value, optimizer, name) for name, value in names.items()))
            for group, values in zip(optimizer.param_groups, each):
                group.update(zip(names, values), initial_lr=values[0] / div_factor)
                group["min_lr"] = group["initial_lr"] / final_div_factor
        super().__init__(optimizer, last_epoch, verbose)

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
