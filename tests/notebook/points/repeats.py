# Ids that are there twice: of what is written to one place the last stays, and has the gradient alone.
import torch, math, numpy as np
import torch.nn.functional as F
from torch import nn
x = torch.arange(6.).view(3, 2).requires_grad_()
w = torch.arange(6., 12.).view(3, 2).requires_grad_()
r = torch.tensor([0, 2, 0])
z = torch.tensor([1, 1, 1])
v = torch.tensor(5., requires_grad=True)
s = torch.tensor([3., 4.], requires_grad=True)
e = torch.tensor([[0, 0], [0, 1], [0, 2]])
x.index_fill(0, r, 5.)
x.index_fill(0, r, v)
x.index_fill(0, z, v)
x.index_fill(0, z, v.detach())
(x * 1).index_fill_(0, r, v)
x.index_put((r,), w)  # here: torch.float32 (3, 2) [[10.0, 11.0], [2.0, 3.0], [8.0, 9.0]] grad dw=[[0.0, 0.0], [5.0, 6.0], [1.0, 2.0]] dx=[[0.0, 0.0], [3.0, 4.0], [0.0, 0.0]] (others are overwritten)
x.index_put((r,), v)  # here: torch.float32 (3, 2) [[5.0, 5.0], [2.0, 3.0], [5.0, 5.0]] grad dv=14.0 dx=[[0.0, 0.0], [3.0, 4.0], [0.0, 0.0]] (others are overwritten)
x.index_put((r,), s)  # here: torch.float32 (3, 2) [[3.0, 4.0], [2.0, 3.0], [3.0, 4.0]] grad ds=[6.0, 8.0] dx=[[0.0, 0.0], [3.0, 4.0], [0.0, 0.0]] (others are overwritten)
x.index_put((r,), w, accumulate=True)
x.index_put((r,), v, accumulate=True)
x.index_put((r, z), torch.tensor([1., 2., 3.], requires_grad=True))
x.index_put((r, z), torch.tensor(2.), accumulate=True)
(x * 1).index_put_((r,), w)  # here: torch.float32 (3, 2) [[10.0, 11.0], [2.0, 3.0], [8.0, 9.0]] grad dw=[[0.0, 0.0], [5.0, 6.0], [1.0, 2.0]] dx=[[0.0, 0.0], [3.0, 4.0], [0.0, 0.0]] (others are overwritten)
(x * 1).index_put_((r,), w, accumulate=True)
torch.index_put(x, (r,), w)  # here: torch.float32 (3, 2) [[10.0, 11.0], [2.0, 3.0], [8.0, 9.0]] grad dw=[[0.0, 0.0], [5.0, 6.0], [1.0, 2.0]] dx=[[0.0, 0.0], [3.0, 4.0], [0.0, 0.0]] (others are overwritten)
x.index_put((torch.tensor([True, False, True]),), w[:2])
x.index_put((torch.tensor([True, False, True]),), v, accumulate=True)
x.scatter(0, e, w)  # here: torch.float32 (3, 2) [[10.0, 7.0], [2.0, 9.0], [4.0, 11.0]] grad dw=[[0.0, 2.0], [0.0, 4.0], [1.0, 6.0]] dx=[[0.0, 0.0], [3.0, 0.0], [5.0, 0.0]] (others are overwritten)
x.scatter(0, e, 5.)
x.scatter(1, e % 2, w)  # here: torch.float32 (3, 2) [[7.0, 1.0], [8.0, 9.0], [11.0, 5.0]] grad dw=[[0.0, 1.0], [3.0, 4.0], [0.0, 5.0]] dx=[[0.0, 2.0], [0.0, 0.0], [0.0, 6.0]] (others are overwritten)
x.scatter(1, torch.zeros(3, 2).long(), w)  # here: torch.float32 (3, 2) [[7.0, 1.0], [9.0, 3.0], [11.0, 5.0]] grad dw=[[0.0, 1.0], [0.0, 3.0], [0.0, 5.0]] dx=[[0.0, 2.0], [0.0, 4.0], [0.0, 6.0]] (others are overwritten)
x.scatter_add(0, e, w)
x.scatter_add(1, e % 2, w)
(x * 1).scatter_(0, e, w)  # here: torch.float32 (3, 2) [[10.0, 7.0], [2.0, 9.0], [4.0, 11.0]] grad dw=[[0.0, 2.0], [0.0, 4.0], [1.0, 6.0]] dx=[[0.0, 0.0], [3.0, 0.0], [5.0, 0.0]] (others are overwritten)
(x * 1).scatter_(0, e, 5.)
(x * 1).scatter_add_(0, e, w)
x.index_copy(0, r, w)  # here: torch.float32 (3, 2) [[10.0, 11.0], [2.0, 3.0], [8.0, 9.0]] grad dw=[[0.0, 0.0], [5.0, 6.0], [1.0, 2.0]] dx=[[0.0, 0.0], [3.0, 4.0], [0.0, 0.0]] (others are overwritten)
x.index_copy(0, z, w)  # here: torch.float32 (3, 2) [[0.0, 1.0], [10.0, 11.0], [4.0, 5.0]] grad dw=[[0.0, 0.0], [0.0, 0.0], [3.0, 4.0]] dx=[[1.0, 2.0], [0.0, 0.0], [5.0, 6.0]] (others are overwritten)
x.index_copy(1, torch.tensor([1, 1]), w)  # here: torch.float32 (3, 2) [[0.0, 7.0], [2.0, 9.0], [4.0, 11.0]] grad dw=[[0.0, 2.0], [0.0, 4.0], [0.0, 6.0]] dx=[[1.0, 0.0], [3.0, 0.0], [5.0, 0.0]] (others are overwritten)
(x * 1).index_copy_(0, r, w)  # here: torch.float32 (3, 2) [[10.0, 11.0], [2.0, 3.0], [8.0, 9.0]] grad dw=[[0.0, 0.0], [5.0, 6.0], [1.0, 2.0]] dx=[[0.0, 0.0], [3.0, 4.0], [0.0, 0.0]] (others are overwritten)
x.index_add(0, r, w)
x.index_add(0, r, w, alpha=2)
x.index_add(1, torch.tensor([1, 1]), w)
(x * 1).index_add_(0, r, w)
x.gather(0, e)
x.gather(1, e % 2)
x.gather(1, torch.zeros(3, 5).long())
x.take(torch.tensor([0, 5, 0]))
x.take(torch.tensor([[0, -1], [0, -1]]))
x.take_along_dim(e, 0)
x.index_select(0, r)
x.index_select(1, torch.tensor([1, 1, 1]))
x[r]
x[r, z]
x[r, 0]
x[:, [0, 0]]
x[[0, 0], [1, 1]]
x[torch.tensor([[0, 0], [2, 0]])]
x.masked_scatter(x > 2, w)
x.masked_scatter(torch.tensor([True, False]), w)
x.masked_scatter(torch.tensor([[True], [False], [True]]), s)
(x * 1).masked_scatter_(x.detach() > 2, w)
x.masked_scatter(x > -1, s)
x.masked_select(x > 2)
F.embedding(r, x)
F.embedding(r, x, padding_idx=0)
F.embedding(torch.tensor([[0, 0], [1, 0]]), x)
F.embedding(r, x, scale_grad_by_freq=True)
F.embedding_bag(torch.tensor([[0, 0], [1, 0]]), x)
F.embedding_bag(torch.tensor([[0, 0], [1, 0]]), x, mode="sum")
F.embedding_bag(torch.tensor([[0, 0], [1, 0]]), x, mode="max")
F.embedding_bag(torch.tensor([0, 0, 1, 0]), x, torch.tensor([0, 3]))
F.embedding_bag(torch.tensor([0, 0, 1, 0]), x, torch.tensor([0, 0, 3]))
F.embedding_bag(torch.tensor([[0, 0], [1, 0]]), x, mode="sum", per_sample_weights=torch.tensor([[1., 2.], [3., 4.]], requires_grad=True))
F.embedding_bag(torch.tensor([[0, 0], [1, 0]]), x, padding_idx=0)
y = x * 1
y[r] = w
y = x * 1
y[r] = v
y = x * 1
y[r] = s
y = x * 1
y[r] += w
y = x * 1
y[[0, 0], [1, 1]] = s
y = x * 1
y[:, [0, 0]] = w
y = x * 1
y[z] *= 2
y = x * 1
y[x.detach() > 2] = v
y
torch.bincount(r, weights=torch.tensor([1., 2., 3.]))
x.repeat_interleave(torch.tensor([2, 0, 3]), 0)
x.sort(0).values
x.topk(2, 0).values
x.expand(2, 3, 2)[:, [0, 0]]
x.put(torch.tensor([0, 0]), s)  # here: torch.float32 (3, 2) [[4.0, 1.0], [2.0, 3.0], [4.0, 5.0]] grad ds=[0.0, 1.0] dx=[[0.0, 2.0], [3.0, 4.0], [5.0, 6.0]] (others are overwritten)
x.put(torch.tensor([0, 0]), s, accumulate=True)
(x * 1).put_(torch.tensor([0, -1]), s)
x.index_fill(0, r, s)
x.index_put((r.float(),), w)
x.index_add(0, r.int(), w)
x.scatter(0, e.int(), w)
x.gather(0, e.int())
x.gather(0, e - 1)
x.scatter(0, e + 5, w)
x.index_select(0, r - 1)
x.take(torch.tensor([6]))
torch.zeros(3).index_add(0, torch.tensor([1, 1, 1, 1]), torch.ones(4))
torch.zeros(3).long().index_add(0, torch.tensor([1, 1]), torch.ones(2).long())
torch.zeros(3).long().scatter_add(0, torch.tensor([1, 1]), torch.ones(2).long())
torch.zeros(3).half().scatter_add(0, torch.tensor([1, 1]), torch.ones(2).half())
torch.zeros(3).half().index_add(0, torch.tensor([1, 1]), torch.ones(2).half())
torch.zeros(3).bool().index_fill(0, torch.tensor([1, 1]), True)
