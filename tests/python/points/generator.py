# Streams of random numbers: what can be said of them whatever the numbers are.
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
