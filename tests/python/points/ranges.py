# Numbers beyond what a dtype holds, wherever one is taken; and shares, spreads and bounds out of their range.
NUMBERS = (1e9, -1e9, 65504., 65519., 65520., 1e39, -1e39, 3.4028235e38, math.inf, -math.inf, math.nan, 256, -256, 128, -128, 1.5, -.5, True)
FLOATS, WHOLE = (torch.float16, torch.bfloat16, torch.float32), (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.bool)
def held(line):
    """CODE; DTYPES; NUMBERS: what becomes of two ones x of each dtype and each number v."""
    code, dtypes, numbers = (*line.split("; "), "", "")[:3]
    f, dtypes = eval("lambda x, v: " + code, globals()), eval(dtypes or "FLOATS + WHOLE", globals())
    def of(d): return eval(numbers, globals()) if numbers else NUMBERS if d.is_floating_point else NUMBERS[2:]
    return {str(d)[6:]: [tried(lambda v: digits(f(torch.ones(2).to(d), v).tolist()), v) for v in of(d)] for d in dtypes}
m, i0 = torch.tensor([True, False]), torch.tensor([0])
table(held, """
x.masked_fill(m, v)
torch.where(m, x, v); FLOATS
torch.where(m, v, x); WHOLE[:5]; (256, -256, 128, -128, 1.5, True)
x.fill_(v)
torch.full_like(x, v)
torch.tensor([v], dtype=x.dtype)
torch.tensor([v, 2.5], dtype=x.dtype)
torch.tensor([[v, -1], [1., True]], dtype=x.dtype)
x.__setitem__(0, v) or x
x.index_fill(0, i0, v)
x.scatter(0, i0, v)
torch.linspace(0, v, 2, dtype=x.dtype) if x.dtype != torch.bool else v
x.fill_(torch.tensor(v))
x.masked_fill(m, torch.tensor(v))
x.index_fill(0, i0, torch.tensor(v))
x.pow(v); FLOATS
torch.xlogy(x, v); FLOATS[1:]; (2, .3, 1.5)
v ** x; WHOLE[:5]; (2, 200, 256, 40000)
x.clamp(max=torch.tensor(v)); WHOLE[:5]; (256, -1, -129)
x.index_add(0, i0, x[:1], alpha=v); FLOATS
(x / 0 * 0).nan_to_num(v); FLOATS
F.pad(x, (1, 1), value=v); FLOATS
nn.utils.rnn.pad_sequence([x, x[:1]], padding_value=v); FLOATS
x + v; FLOATS + WHOLE; NUMBERS
x - v; FLOATS + WHOLE[:5]; NUMBERS
x * v; FLOATS + WHOLE; NUMBERS
v / x; FLOATS
x.add_(v); FLOATS + WHOLE[:5]; NUMBERS
x.mul_(v); FLOATS + WHOLE[:5]; NUMBERS
x > v; FLOATS + WHOLE; NUMBERS
x == v; FLOATS + WHOLE; NUMBERS
x.clamp(max=v); FLOATS[1:] + WHOLE[:5]; NUMBERS[:7] + (256, 128, 1.5)
x.clamp(min=v); FLOATS[1:] + WHOLE[1:5]; NUMBERS[:7] + (128, -128, 1.5)
x.add(x, alpha=v); FLOATS + WHOLE[:5]; NUMBERS
x.sub_(x, alpha=v); FLOATS
x.addcmul(x, x, value=v); FLOATS[2:]
torch.tensor([v]).to(x.dtype); FLOATS + WHOLE; (300., -1., 1e9, 65520., 3e9)""")
# Dtypes that differ: each is computed as the result is
OTHER = torch.uint8, torch.int8, torch.int16, torch.int64, torch.bool, torch.float32
def mixed(line):
    code, *starts = line.split("; ")
    f = eval("lambda a, b: " + code, globals())
    a, b = (torch.tensor(eval(start)) for start in starts or ("[3., 200, 0, -100]", "[-3., 100, 1, 5]"))
    return [tried(f, a.to(c), b.to(d)) for c in OTHER for d in OTHER]
table(mixed, """
a.add(b, alpha=-1)
a.add(b, alpha=2)
a.sub(b, alpha=2)
a.add(b, alpha=True)
a.clone().add_(b, alpha=100)
a.clone().sub_(b, alpha=True)
a.add(b, alpha=-1); 3.; [-3., 100, 1, 5]
a.add(b, alpha=2); [3., 200, 0, -100]; -3.
a.clamp(max=b.int() if b.dtype == torch.bool else b)
a.clamp(max=b.int() if b.dtype == torch.bool else b); -2.; [4., 100]
a.clamp(min=b.int() if b.dtype == torch.bool else b); 200.; [4., -100]
a.clone().clamp_(min=b.int() if b.dtype == torch.bool else b)
torch.maximum(a, b); -2.; [4., 100]
torch.where(a > 0, a, b)
a.masked_fill(a > 0, b[0])
a.clone().copy_(b)
torch.xlogy(a.abs(), b.abs())
a.addcmul(b, b, value=-1)
a.addcmul(b[1], b, value=2)
a.addcdiv(b, b[:1], value=2)
torch.zeros(4).addcmul(b.half(), b.half() * 300) if a.dtype == torch.float32 else 0
torch.zeros(4).addcdiv(b.half() * 400, torch.tensor(.5).half()) if a.dtype == torch.float32 else 0
(a > 0).index_add(0, torch.arange(4), a > 0).float()
(a > 0).scatter_add(0, torch.zeros(4).long(), a > 0).float()
a.cumsum(0, dtype=b.dtype).float()
a[:2].prod(dtype=b.dtype) if b.dtype != torch.bool else 0
a.index_add(0, torch.arange(4), b, alpha=-1)
a.index_fill(0, i0, b[0])
1 / (a * 0 * b)
1 / (-a.abs() // 1000 + 1).to(b.dtype)""")
QUOTIENTS = ((1., .1), (6., .1), (-1., 1e9), (1., 0.), (-1., 0.), (math.inf, 1.), (1., math.inf), (-1., math.inf), (5., -2.),
             (-0., 1.))
def quotients(code): return [eval(code, {"torch": torch, "a": torch.tensor(a), "b": b}).item() for a, b in QUOTIENTS]
table(quotients, """
a // b
a % b
a.div(b, rounding_mode="floor")
a.div(b, rounding_mode="trunc")""")
[torch.tensor(5000, dtype=d).div(4000, rounding_mode=r) for d in (torch.int16, torch.int64) for r in ("floor", "trunc")]
[x.mul(x / 0).nan_to_num() for x in (torch.tensor([-1., 0, 1]).to(d) for d in FLOATS)]
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
tried(lambda: torch.randint(-2**24, 1, (2,)).shape)  # here: 'RuntimeError' (a range of more than 2^24)
SEEDS = -1, 0, 2**63, 2**64 - 1, 2**64, 2**65, -2**63, -2**63 - 1
x, z = torch.ones(2), torch.zeros(1, 2)
def at(line):
    """CODE; NUMBERS: what comes of each number v."""
    code, numbers = line.split("; ")
    return [tried(eval("lambda v: " + code, globals()), v) for v in eval(numbers, globals())]
table(at, """
torch.manual_seed(v) and 0; SEEDS
torch.Generator().manual_seed(v) and 0; SEEDS
F.cross_entropy(z, torch.tensor([v])); (-1, 0, 1, 2)
F.nll_loss(z, torch.tensor([v])); (-1, 0, 2)
F.cross_entropy(z, i0, label_smoothing=v); (0., 1., 1.5)
F.binary_cross_entropy(torch.tensor([v]), x[:1]); SHARES
F.smooth_l1_loss(x, x + 2, beta=v); (0., 1., -1.)
F.one_hot(torch.tensor([v]), 3); (3, -1)
F.one_hot(i0, v); (-2,)
F.embedding(torch.tensor([v]), torch.ones(3, 2)); (3, -1)
x.quantile(v); SHARES
x.topk(v); (-1, 0, 2, 3)""")
