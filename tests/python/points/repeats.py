# Ids that are there twice: of what is written to one place the last stays, and has the gradient alone.
x = torch.arange(6.).view(3, 2).requires_grad_()
w = torch.arange(6., 12.).view(3, 2).requires_grad_()
r = torch.tensor([0, 2, 0])
z = torch.tensor([1, 1, 1])
v = leaf(5.)
s = leaf([3., 4.])
e = torch.tensor([[0, 0], [0, 1], [0, 2]])
x.index_fill(0, r, v)
x.index_put((r,), w, accumulate=True)
x.index_put((r,), v, accumulate=True)
def reduced(how, own, of):
    y = of(x).scatter_reduce(0, e, of(w), how, include_self=own)
    return [y] + ([g.tolist() for g in grad((y * y.detach()).sum(), (x, w))] if y.requires_grad else [])
[reduced(how, True, lambda x: x) for how in ("sum", "prod", "mean", "amax", "amin")], [reduced(how, False, lambda x: x * 1.5) for how in ("sum", "mean", "amax", "amin")]
[reduced(how, own, torch.Tensor.long) for how in ("sum", "prod", "mean", "amax", "amin") for own in (True, False)]
torch.ones(3, 2).scatter(0, e, w.detach(), reduce="multiply"), torch.ones(3, 2).scatter_(0, e, 3., reduce="multiply"), torch.ones(3).scatter(0, z, torch.ones(3), reduce="add")
x.masked_scatter(x > 2, w)
(x * 1).masked_scatter_(x.detach() > 2, w)
F.embedding(r, x, scale_grad_by_freq=True)
F.embedding_bag(torch.tensor([[0, 0], [1, 0]]), x)
F.embedding_bag(torch.tensor([[0, 0], [1, 0]]), x, mode="max")
F.embedding_bag(torch.tensor([0, 0, 1, 0]), x, torch.tensor([0, 3]))
F.embedding_bag(torch.tensor([0, 0, 1, 0]), x, torch.tensor([0, 0, 3]))
F.embedding_bag(torch.tensor([[0, 0], [1, 0]]), x, mode="sum", per_sample_weights=leaf([[1., 2.], [3., 4.]]))
F.embedding_bag(torch.tensor([[0, 0], [1, 0]]), x, padding_idx=0)
def put(i, given, change=lambda old, given: given):
    y = x * 1
    y[i] = change(y[i], given)
    return y
WRITES = (lambda: x.index_put((r,), w), lambda: x.index_put((r,), v), lambda: x.index_put((r,), s),
          lambda: (x * 1).index_put_((r,), w), lambda: torch.index_put(x, (r,), w), lambda: x.scatter(0, e, w),
          lambda: x.scatter(1, e % 2, w), lambda: x.scatter(1, torch.zeros(3, 2).long(), w),
          lambda: (x * 1).scatter_(0, e, w), lambda: x.index_copy(0, r, w), lambda: x.index_copy(0, z, w),
          lambda: x.index_copy(1, torch.tensor([1, 1]), w), lambda: (x * 1).index_copy_(0, r, w), lambda: put(r, w),
          lambda: put(r, v), lambda: put(r, s), lambda: put([0, 0], w[:2]), lambda: put(([0, 0], [1, 1]), s),
          lambda: put((slice(None), [0, 0]), w), lambda: put(r, w, torch.add), lambda: put(z, 2, torch.mul),
          lambda: x.put(torch.tensor([0, 0]), s))
[f().detach() for f in WRITES]
x.put(torch.tensor([0, 0]), s, accumulate=True)
(x * 1).put_(torch.tensor([0, -1]), s)
x.index_add(0, r.int(), w)
torch.zeros(3).long().index_add(0, torch.tensor([1, 1]), torch.ones(2).long())
torch.zeros(3).half().scatter_add(0, torch.tensor([1, 1]), torch.ones(2).half())
# Refused
x.scatter_reduce(0, e, w, "most")
x.masked_scatter(torch.tensor([[True], [False], [True]]), s)
x.masked_scatter(x > -1, s)
x.index_fill(0, r, s)
x.index_put((r.float(),), w)
