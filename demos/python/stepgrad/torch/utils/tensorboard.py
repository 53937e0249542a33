"""Replaces TensorBoard's writer: the numbers go to a table of text."""

import os
import warnings


class SummaryWriter:
    """add_scalar() adds a line to scalars.tsv in log_dir: tag, step, value."""

    def __init__(self, log_dir="runs", **unused):
        os.makedirs(log_dir, exist_ok=True)
        self._file = open(os.path.join(log_dir, "scalars.tsv"), "a")
        self.flush, self.close = self._file.flush, self._file.close

    def add_scalar(self, tag, scalar_value, global_step=None, **unused):
        self._file.write(f"{tag}\t{global_step}\t{float(scalar_value)}\n")

    def add_scalars(self, main_tag, tag_scalar_dict, global_step=None, **unused):
        for tag, value in tag_scalar_dict.items():
            self.add_scalar(f"{main_tag}/{tag}", value, global_step)

    def __getattr__(self, name):
        if not name.startswith("add_"):
            raise AttributeError(f"'SummaryWriter' object has no attribute '{name}'")
        warnings.warn(f"SummaryWriter.{name}: here only scalars are written", stacklevel=2)
        return lambda *args, **kwargs: None
