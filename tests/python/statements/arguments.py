# The names of arguments: torch's, NumPy's, and wrong ones.
x = torch.arange(6.).reshape(2, 3)
# Refused
torch.exp(x, out=x[0])
x.add(x, alpha=x)
x.view(3, 2, size=(2, 3))
torch.full((2,), torch.ones(1))
# Not refused
def into(code):
    """What is written to tensors of the results' shapes, which are returned."""
    y = eval("torch." + code)
    several = not isinstance(y, torch.Tensor)
    out = tuple(torch.zeros_like(part) - 1 for part in y) if several else torch.zeros_like(y) - 1
    z = eval(f"torch.{code[:-1]}, out=out)", {**globals(), "out": out})
    return out, [a is b for a, b in zip(z, out)] if several else z is out
table(into, """
max(x, 1)
min(x, 0, True)
sort(x, 1, True)
topk(x, 2, 1)
matmul(x, x.t())
cat([x, x])
clamp(x, 1, 3)
cumsum(x, 1)""")
def names_itself(call):
    try: return eval(call)
    except TypeError as error: return call.partition("(")[0].rpartition(".")[2] in str(error)
table(names_itself, """torch.zeros(2, wrong=1)
torch.rand_like(x, wrong=1)
nn.ReLU(wrong=1)
optim.AdamW([x], wrong=1)""")
