# Random numbers: what can be said of them whatever they are.
# Refused
torch.rand(2, dtype=torch.int64)
torch.rand_like(torch.zeros(2), generator=torch.Generator())
# Not refused
g = torch.Generator().manual_seed(2147483647)
torch.equal(torch.rand(3, generator=g), torch.rand(3, generator=g)), g.initial_seed(), g.get_state().dtype
def same(draw): return torch.equal(*(draw(torch.Generator().manual_seed(3)) for _ in range(2)))
same(lambda g: torch.zeros(4).normal_(generator=g)), same(lambda g: torch.bernoulli(torch.ones(4) / 2, generator=g))
torch.randperm(5, generator=g).sort().values
torch.randperm(0)
torch.normal(0.0, 1.0, (2, 2), generator=g).shape
isinstance(g.seed(), int)
torch.rand_like(torch.ones(2), requires_grad=True).requires_grad
# Refused
g.set_state(torch.zeros(3))
torch.multinomial(torch.tensor([1, 2]), 1)
torch.bernoulli(torch.tensor([1, 0]))
torch.rand(2, generator=5)
# Not refused
f = torch.tensor([0.5, -1.5, 2.0])
i = torch.tensor([3, -1, 2])
x = torch.arange(6.).view(2, 3)
torch.randn_like(f).dtype, i.new_tensor(x[0])
tried(lambda: torch.randint(-2**24, 1, (2,)).shape)  # here: 'RuntimeError' (a range of more than 2^24)
x = torch.arange(6.).reshape(2, 3)
# Refused
torch.manual_seed("a")
x.uniform_(a=0, b=2)
x.random_(a=2)
torch.randint()
# Not refused
x = leaf([1.0, 2, 3])
def hooked(hook, twice=False):
    order, h = [], x * 1
    h.register_hook(lambda g: order.append(g.tolist()) or hook(g))
    y = (h * h).sum()
    y.backward(retain_graph=True)
    if twice: y.backward()
    found, x.grad = x.grad, None
    return found, order
[tried(hooked, f) for f in (lambda g: g[:1], lambda g: 3.0, lambda g: "a", lambda g: g.long())]
