# The names of arguments: torch's, NumPy's, and wrong ones.
x = torch.arange(6.).reshape(2, 3)
# Refused
torch.exp(x, out=x[0])
x.topk(True)
x.sum(0, True, torch.float32)
x.isclose(x, rtol=torch.ones(1))
torch.eq(2, x)
x.view(3, 2, size=(2, 3))
x.narrow(torch.tensor([0]), 0, 1)
torch.full((2,), torch.ones(1))
F.huber_loss(x, x, delta=torch.ones(1))
# Not refused
def names_itself(call):
    try: return eval(call)
    except TypeError as error: return call.partition("(")[0].rpartition(".")[2] in str(error)
table(names_itself, """torch.zeros(2, wrong=1)
torch.rand_like(x, wrong=1)
x.addmm(x, x, wrong=1)
x.index_add(0, torch.tensor([0]), x[:1], wrong=1)
torch.cat([x], wrong=1)
F.mse_loss(x, x, wrong=1)
nn.ReLU(wrong=1)
optim.AdamW([x], wrong=1)""")
