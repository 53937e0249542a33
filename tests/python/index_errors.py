# Indices at the first place and the last and beyond, in each dimension: what came out, with its gradient, or
# the error, whose message here names the index, the dimension and its size.
import re
import sys

import torch
from torch import nn
from torch.utils.data import ConcatDataset, Subset, TensorDataset

from shown import shown

ON_TORCH = "stepgrad" not in sys.modules
CALLS = """x[{place}] x[{tensor}] x[{pair}] x.select({d},{i}) x.narrow({d},{i},1) x.narrow({d},{i},0) x.index_select({d},t) x.gather({d},full)
y.scatter({d},full,part) y.scatter({d},full,5.) y.scatter_add({d},full,part) y.index_add({d},t,part)
y.index_fill({d},t,5.) y.__setitem__(({place},),x.sum())or(y) y.__setitem__(({tensor},),x.sum())or(y)
torch.select(x,{d},{i})""".split()
# Of a dimension, and of a number at its border.
OF_CLASSES = [f"x.{name}({{i}})" for name in """sum mean var std amax amin any all argmax argmin count_nonzero max min median
sort argsort cumsum cumprod prod softmax log_softmax logsumexp unsqueeze squeeze flatten size stride unbind topk chunk split
diagonal triu tril""".split()] + """F.embedding(t,x[0]) F.cross_entropy(x[0],t.repeat(3))
F.nll_loss(x[0],t.repeat(3)) F.one_hot(t,4) x.transpose({i},0) x.swapaxes(0,{i}) x.permute(0,1,{i}) x.split(1,{i})[0]
x.chunk(2,{i})[0] torch.cat([x,x],{i}) torch.stack([x,x],{i}) x.norm(2,{i}) x.topk(1,{i})[0] x.movedim(0,{i}) x.movedim({i},0)
x.roll(1,{i}) x.flip({i}) x.diff(1,{i}) x.diagonal(0,1,{i}) x.repeat_interleave(2,{i}) x.unflatten({i},(1,-1))
x.sum((0,{i})) x.quantile(.5,{i}) F.normalize(x,2,{i}) F.glu(x,{i}) F.softmax(x,{i})
F.cosine_similarity(x,x+1,{i}) nn.Softmax({i})(x) nn.Flatten(0,{i})(x) torch.linalg.norm(x,2,{i}) x.expand({i},2,3,4) x.repeat({i},1,1)
x[torch.ones({i}).bool()] x[:,torch.ones(3,{i}).bool()] y.scatter(1,torch.zeros({i},1,1).long(),5.)""".split()

OF_THREE = """torch.Size([4,5,6])[i] Subset("abcd",[3,1,0])[i] ConcatDataset(["a","b","c"])[i]
TensorDataset(torch.arange(3))[i]""".split()


def told(code, d, i, n):
    x = (torch.arange(24.0) / 8).reshape(2, 3, 4).requires_grad_()
    place = [":"] * (d % 3) + [str(i)]
    names = {"x": x, "y": torch.zeros(2, 3, 4), "t": torch.tensor([i]), "part": x.narrow(d, 0, 1), "torch": torch,
        "full": torch.full([1 if e == d % 3 else m for e, m in enumerate(x.shape)], i), "F": torch.nn.functional, "nn": nn}
    code = code.format(d=d, i=i, place=",".join(place), tensor=",".join([*place[:-1], "t"]),
        pair=",".join([*place[:-1], f"[0,{i}]"]))
    if "__setitem__" in code:
        code = code.replace(":", "slice(None)")
    try:
        y = eval(code, names)
        if isinstance(y, torch.Tensor) and y.requires_grad:
            (y * torch.arange(1.0, y.numel() + 1).reshape(y.shape)).sum().backward()
        return code, f"{shown(y)} {shown(x.grad)}"
    except Exception as error:
        if ON_TORCH or {i, n} <= {int(number) for number in re.findall(r"-?\d+", str(error))}:
            return code, "IndexError" if "index_select" in code else type(error).__name__  # 1.13's is another
        return code, f"{type(error).__name__}, which does not name {i} and {n}: {error}"


for d, n in enumerate((2, 3, 4)):
    for i in (0, n - 1, -1, -n, n, -n - 1):
        for code in CALLS:
            for k in (d, d - 3)[:1 + ("{d}" in code)]:
                print(*told(code, k, i, n), sep=" -> ")
for i in (0, 2, 3, -1, -3, -4, 4, 5):
    for code in OF_CLASSES:
        print(*told(code, 0, i, i), sep=" -> ")
for i in range(-4, 5):
    for code in OF_THREE:
        try:
            print(i, code, eval(code), sep=" -> ")
        except Exception as error:
            print(i, code, type(error).__name__, sep=" -> ")
