# torch.nn.functional, without losses.
F.gumbel_softmax(torch.zeros(5, 3), hard=True).sum(-1), F.gumbel_softmax(leaf([0., 99., 0.]), hard=True), F.gumbel_softmax(torch.zeros(5, 3), tau=.5).sum(-1)
# Refused
F.dropout(torch.ones(2).long(), 0.5)
# Not refused
def dropped(inplace): torch.manual_seed(0); return F.dropout(torch.linspace(-1, 1, 999), 0.1, inplace=inplace)
torch.equal(dropped(False), dropped(True))
x = leaf([[1.0, 2], [3, 4]])
def cast(code, x=x):
    with torch.autocast("cpu", dtype=torch.bfloat16): return eval(code).dtype
table(cast, """
x @ x
F.linear(x, x)
x + 1
torch.addmm(torch.ones(2), x, x)""")
# Refused
nn.Conv1d(1, 1, 1, padding="bad")
torch.bincount(torch.tensor([1]), torch.ones(2))
F.prelu(torch.ones(2, 3), torch.ones(3, 1))
