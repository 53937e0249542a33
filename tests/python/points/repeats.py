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
F.embedding(r, x, scale_grad_by_freq=True)
def put(i, given, change=lambda old, given: given):
    y = x * 1
    y[i] = change(y[i], given)
    return y
WRITES = (lambda: x.index_put((r,), w), lambda: x.index_put((r,), v), lambda: x.index_put((r,), s),
          lambda: (x * 1).index_put_((r,), w), lambda: x.scatter(0, e, w),
          lambda: x.scatter(1, e % 2, w), lambda: x.scatter(1, torch.zeros(3, 2).long(), w),
          lambda: (x * 1).scatter_(0, e, w), lambda: put(r, w),
          lambda: put(r, v), lambda: put(r, s), lambda: put([0, 0], w[:2]), lambda: put(([0, 0], [1, 1]), s),
          lambda: put((slice(None), [0, 0]), w), lambda: put(r, w, torch.add), lambda: put(z, 2, torch.mul))
[f().detach() for f in WRITES]
x.index_add(0, r.int(), w)
torch.zeros(3).long().index_add(0, torch.tensor([1, 1]), torch.ones(2).long())
torch.zeros(3).half().scatter_add(0, torch.tensor([1, 1]), torch.ones(2).half())
# Refused
x.index_fill(0, r, s)
x.index_put((r.float(),), w)
