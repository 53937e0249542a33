# Streams of random numbers: what can be said of them whatever the numbers are.
g = torch.Generator().manual_seed(2147483647)
a = torch.rand(3, generator=g)
b = torch.rand(3, generator=g)
torch.equal(a, b)
g.initial_seed()
state = g.get_state()
state.dtype
torch.randint(low=3, high=4, size=(4,), generator=g)
torch.randint(3, 4, (2,), dtype=torch.float32)
torch.randperm(5, generator=g).sort().values
torch.randperm(0)
p = torch.tensor([0.2, 0.0, 0.8])
torch.normal(0.0, 1.0, (2, 2), generator=g).shape
torch.rand(2, generator=torch.default_generator).shape
isinstance(g.seed(), int)
torch.rand_like(torch.ones(2), requires_grad=True).requires_grad
# Refused
g.set_state(torch.zeros(3))
torch.multinomial(p, 4, generator=g)
torch.multinomial(torch.tensor([1, 2]), 1)
torch.bernoulli(torch.tensor([1, 0]))
torch.rand(2, generator=5)
