# torch.nn.init.
nn.init.calculate_gain("leaky_relu", 0.2), nn.init.calculate_gain("tanh")
# Refused
nn.init.xavier_uniform_(torch.ones(3))
nn.init.calculate_gain("foo")
nn.init.kaiming_uniform_(torch.ones(2, 3), mode="foo")
# Not refused
bool(nn.init.kaiming_uniform_(torch.empty(8, 6), nonlinearity="relu").abs().max() <= 1)
# Refused
nn.init.xavier_normal_(torch.empty(3))
# Not refused
NUMBERS = (1e9, -1e9, 65504., 65519., 65520., 1e39, -1e39, 3.4028235e38, math.inf, -math.inf, math.nan, 256, -256, 128, -128, 1.5, -.5, True)
FLOATS, WHOLE = (torch.float16, torch.bfloat16, torch.float32), (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.bool)
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
torch.normal(0., x * v); STDS
torch.normal(x, torch.tensor([1., v])); STDS
x.normal_(0, v); STDS
nn.init.normal_(x, 0, v); STDS
torch.bernoulli(x * v); SHARES
torch.bernoulli(x, v); SHARES
x.bernoulli(v); SHARES
F.dropout(x, v); SHARES[:5]
F.dropout(x, v, False); SHARES[:5]
nn.Dropout(v)(x); SHARES[:5]
x.uniform_(*v); BOUNDS; FLOATS
x.long().uniform_()
nn.init.uniform_(x, *v); BOUNDS
torch.randint(*v, (2,), dtype=x.dtype); RANGES; FLOATS + WHOLE
x.random_(*v); RANGES; FLOATS + WHOLE
x.random_(); ; FLOATS + WHOLE
torch.randint(2**24, (2,))
torch.randint(3, size=(2,))
torch.randint(high=3, size=(2,))
torch.randint(0, high=3, size=(2,))
torch.randint(low=1, high=3, size=[2])
torch.randint(3)
torch.randint(0, 3)
torch.randint(size=(2,))
torch.randint((2,))
torch.randint(3, (2,), size=(2,))
torch.randint(1.5, 3, (2,))
torch.randint(0, 3, 2)
torch.randint(3, (-1,))
torch.randint(np.int64(3), torch.Size([2, 2]))
torch.randint(3, ())
torch.randint(3, (2,), device="cpu")
torch.LongTensor([[1]], device="cpu")
torch.FloatTensor(2, device="cpu")
x.exponential_(v); (0, 1, -1, math.nan)
x.long().exponential_()
torch.randperm(-1)
torch.randperm(300, dtype=torch.uint8)
torch.randperm(256, dtype=torch.uint8)
torch.multinomial(torch.tensor([v, 2.]), 1); (-1., math.nan, math.inf, 0.)
torch.multinomial(x, v); (3, 0, -1)
torch.multinomial(x * 0, 1)""")
abs(nn.init.kaiming_normal_(torch.empty(400, 100), mode="fan_out").std() - math.sqrt(2 / 400)) < 0.005
# Refused
nn.init.orthogonal_(torch.ones(3))
