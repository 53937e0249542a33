# Indices, gather and scatter.
i = lambda *numbers: torch.tensor(numbers)
c = (torch.arange(24.0) * 1.7).sin().reshape(2, 3, 4)
c[None][:, i(0, 1), :, i(1, 2)], c[None][:, i(0, 1), i(1, 2)]  # what a slice parts goes first
x = leaf([[1.0, -2.5, 3.5], [4.0, 0.5, -6.0]])
i = torch.tensor([[1, -2, 3], [4, 5, -6]])
x.nonzero(), torch.where(i > 3), torch.nonzero(torch.tensor(1)), torch.nonzero(torch.tensor([0, 0]))
e = torch.zeros(0)
torch.zeros(3).scatter(0, i[0, :1], torch.tensor(5.0))
nan, inf = math.nan, math.inf
# NaNs, and nothing
n = torch.tensor([nan, 1., -inf, nan, inf])
n.unique(), e.unique(), torch.tensor([[nan, 1.], [0., 2.]])[:, 0].unique(), torch.tensor(2).nonzero(as_tuple=True), torch.tensor(0.).nonzero(as_tuple=True)
torch.tensor(3.).index_add(0, torch.tensor([0]), torch.ones(1))
x = torch.arange(6.).view(3, 2).requires_grad_()
w = torch.arange(6., 12.).view(3, 2).requires_grad_()
r = torch.tensor([0, 2, 0])
z = torch.tensor([1, 1, 1])
s = leaf([3., 4.])
e = torch.tensor([[0, 0], [0, 1], [0, 2]])
def put(i, given, change=lambda old, given: given):
    y = x * 1
    y[i] = change(y[i], given)
    return y
table(lambda code: eval(code).detach(), """
x.index_put((r,), w)
(x * 1).index_put_((r,), s)
x.scatter(0, e, w)
x.scatter(1, torch.zeros(3, 2).long(), w)
(x * 1).scatter_(0, e, w)
put(([0, 0], [1, 1]), s)
put((slice(None), [0, 0]), w)
put(r, w, torch.add)
put(z, 2, torch.mul)
put(x > 2, torch.tensor(7))""")
# Refused
x.index_fill(0, r, s)
x.index_put((r.float(),), w)
x.index_put((r,), w.detach().long())
put(r, s.detach().half())
torch.zeros(2, 3).scatter(1, torch.tensor([[0, 1, 2], [2, 1, 0], [0, 0, 0]]), torch.ones(2, 3))
