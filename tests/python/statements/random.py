# Random numbers: what can be said of them whatever they are.
# Refused
torch.rand(2, dtype=torch.int64)
# Not refused
g = torch.Generator().manual_seed(2147483647)
torch.equal(torch.rand(3, generator=g), torch.rand(3, generator=g)), g.initial_seed(), g.get_state().dtype
def same(draw): return torch.equal(*(draw(torch.Generator().manual_seed(3)) for _ in range(2)))
same(lambda g: torch.zeros(4).normal_(generator=g)), same(lambda g: torch.bernoulli(torch.ones(4) / 2, generator=g))
torch.randperm(5, generator=g).sort().values, isinstance(g.seed(), int), torch.rand_like(torch.ones(2), requires_grad=True).requires_grad
torch.ones(9).random_(1), torch.ones(9).random_(3, 4)
# Refused
g.set_state(torch.zeros(3))
torch.multinomial(torch.tensor([1, 2]), 1)
torch.bernoulli(torch.tensor([1, 0]))
torch.rand(2, generator=5)
# Not refused
STDS = -1., 0., 1., math.nan, math.inf
SHARES = -.5, 0., .5, 1., 1.5, math.nan
BOUNDS = (0, 1), (1, 0), (1, 1), (0, math.inf), (math.nan, 1), (-3e38, 3e38), (0, 1e39), (-1e9, 1e9), (-1, 65504)
RANGES = ((0, 1), (1, 1), (2, 1), (-1, 3), (0, 200), (0, 256), (0, 257), (-128, 128), (-129, 0), (0, 32768), (0, 32769),
    (0, 65505), (0, 70000))
def drawn(line):
    """CODE; NUMBERS; DTYPES: what is drawn with each number v for two ones x of each dtype, but for its numbers."""
    code, *options = line.split("; ")
    numbers, dtypes = (eval(o or n, globals()) for o, n in itertools.zip_longest(options, ("(0,)", "FLOATS[2:]")))
    def one(d, v): y = eval(code, {**globals(), "x": torch.ones(2).to(d), "v": v}); return y.shape, y.dtype
    return [tried(one, d, v) for d in dtypes for v in numbers]
table(drawn, """
torch.normal(0., v, (2,)); STDS
torch.normal(x, v); STDS
x.normal_(0, v); STDS
x.bernoulli_(v); SHARES; FLOATS[1:] + WHOLE
torch.bernoulli(x * v); SHARES
x.bernoulli(v); SHARES
x.bernoulli_(x.float() * v); SHARES
x.uniform_(*v); BOUNDS; FLOATS
x.long().uniform_()
torch.randint(*v, (2,), dtype=x.dtype); RANGES; FLOATS + WHOLE
x.random_(*v); RANGES; FLOATS + WHOLE
x.random_(); ; FLOATS + WHOLE
torch.randint(3, (2,), size=(2,))
torch.randint(3, (-1,))
torch.FloatTensor(2, device="cpu")
x.exponential_(v); (0, 1, -1, math.nan)
x.long().exponential_()
torch.randperm(-1)
torch.randperm(256, dtype=torch.uint8)
torch.multinomial(torch.tensor([v, 2.]), 1); (-1., math.nan, math.inf, 0.)
torch.multinomial(x, v); (3, 0, -1)
torch.multinomial(x * 0, 1)""")
tried(lambda: torch.randint(-2**24, 1, (2,)).shape)  # here: 'RuntimeError' (a range of more than 2^24)
# Refused
torch.ones(2).random_(a=2)
torch.randint()
