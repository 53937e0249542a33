# The names of arguments: torch's, NumPy's, and wrong ones.
x = torch.arange(6.).reshape(2, 3)
o = torch.zeros(2, 3)
torch.mm(x, x.t(), out=torch.zeros(2, 2)), torch.pow(x, 2, out=o), torch.eq(x, x, out=torch.zeros(2, 3).bool())
# Refused
torch.exp(x, out=x[0])
# Not refused
x = leaf([[1.0, -2.5, 3.5], [4.0, 5.0, -6.0]])
torch.sum(input=x, dim=0)
torch.std(x, axis=1, keepdims=True)
x.max(axis=1, keepdims=True).values
# Refused
x.sum(axis=5)
# Not refused
x = torch.arange(6.).reshape(2, 3)
torch.reshape(input=x, shape=(-1,)), torch.permute(input=x, dims=(1, 0)), torch.zeros_like(input=x, dtype=torch.int64), torch.is_floating_point(input=x)
def names_itself(call):
    try: return eval(call)
    except TypeError as error: return call.partition("(")[0].rpartition(".")[2] in str(error)
table(names_itself, """torch.zeros(2, wrong=1)
torch.rand_like(x, wrong=1)
torch.arange(3, wrong=1)
torch.mm(x, x.t(), wrong=1)
x.addmm(x, x, wrong=1)
x.sum(wrong=1)
x.index_add(0, torch.tensor([0]), x[:1], wrong=1)
torch.cat([x], wrong=1)
torch.hstack([x], wrong=1)
F.elu(x, wrong=1)
F.mse_loss(x, x, wrong=1)
nn.ReLU(wrong=1)
optim.AdamW([x], wrong=1)""")
