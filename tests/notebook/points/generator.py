# Streams of random numbers: what can be said of them whatever the numbers are.
import torch, numpy as np
from torch.utils.data import DataLoader
g = torch.Generator().manual_seed(2147483647)
a = torch.rand(3, generator=g)
b = torch.rand(3, generator=g)
torch.equal(a, b)
g.manual_seed(2147483647) is g
torch.equal(a, torch.rand(3, generator=g))
torch.equal(b, torch.rand(3, generator=g))
g.initial_seed()
torch.Generator().initial_seed()
g.device
state = g.get_state()
(state.dtype, state.dim())
a = torch.randn((2, 3), generator=g)
g.set_state(state) is g
torch.equal(a, torch.randn((2, 3), generator=g))
g.set_state(torch.zeros(3))
torch.manual_seed(5) is g
a = torch.rand(4)
torch.manual_seed(5) is g
c = torch.randn((27, 27), generator=g, requires_grad=True)
(c.shape, c.requires_grad, c.is_leaf, c.dtype)
torch.equal(a, torch.rand(4))
torch.initial_seed()
torch.randint(0, 10, (5,), generator=g).dtype
torch.randint(10, (5, 2), generator=g).shape
torch.randint(low=3, high=4, size=(4,), generator=g)
torch.randint(3, 4, (2,), dtype=torch.float32)
torch.randint(3, 3, (2,))
torch.randperm(5, generator=g).sort().values
torch.randperm(5).dtype
torch.randperm(0)
p = torch.tensor([0.2, 0.0, 0.8])
torch.multinomial(p, num_samples=20, replacement=True, generator=g).shape
bool((torch.multinomial(p, 50, True, generator=g) == 1).any())
torch.multinomial(p, 2, generator=g).sort().values
torch.multinomial(p, 4, generator=g)
torch.multinomial(p[None].repeat(3, 1), 5, replacement=True).shape
torch.multinomial(torch.tensor([0.0, 0.0]), 1)
torch.multinomial(torch.tensor([1.0, -1.0]), 1)
torch.multinomial(torch.tensor([1.0, float("nan")]), 1, replacement=True)
torch.multinomial(torch.tensor([1, 2]), 1)
torch.multinomial(p, 0)
torch.normal(0.0, 1.0, (2, 2), generator=g).shape
torch.normal(torch.arange(3.0), torch.zeros(3), generator=g)
torch.normal(torch.arange(3.0), 0.0)
torch.normal(2.0, torch.zeros(2))
torch.normal(0.0, -1.0, (2,))
torch.bernoulli(torch.tensor([0.0, 1.0]), generator=g)
torch.bernoulli(torch.ones(3), 0.0)
torch.bernoulli(torch.tensor([2.0]))
torch.bernoulli(torch.tensor([1, 0]))
torch.zeros(3).uniform_(2, 2, generator=g)
torch.zeros(3).normal_(1, 0, generator=g)
torch.zeros(3).bernoulli_(1.0, generator=g)
g.manual_seed(1) is g
order = [x.tolist() for x in DataLoader(range(6), 2, shuffle=True, generator=g)]
g.manual_seed(1) is g
order == [x.tolist() for x in DataLoader(range(6), 2, shuffle=True, generator=g)]
sorted(sum(order, []))
state = torch.get_rng_state()
a = torch.rand(2)
torch.set_rng_state(state)
torch.equal(a, torch.rand(2))
torch.set_rng_state(state)
with torch.random.fork_rng(): torch.rand(9)
torch.equal(a, torch.rand(2))
torch.rand(2, generator=torch.default_generator).shape
torch.rand(2, generator=5)
torch.manual_seed(3) is torch.default_generator
isinstance(g.seed(), int)
torch.rand(2, dtype=torch.int64)
torch.rand_like(torch.ones(2), requires_grad=True).requires_grad
