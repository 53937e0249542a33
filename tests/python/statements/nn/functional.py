# torch.nn.functional, without losses.
x = torch.arange(1., 7.).view(2, 3).requires_grad_()
F.gumbel_softmax(torch.zeros(5, 3), hard=True).sum(-1), F.gumbel_softmax(leaf([0., 99., 0.]), hard=True), F.gumbel_softmax(torch.zeros(5, 3), tau=.5).sum(-1), F.gumbel_softmax(x, hard=True).requires_grad
F.softmax(torch.full((2, 3), -float("inf"), requires_grad=True), 1)
x = torch.arange(6.).reshape(2, 3)
# Refused
F.dropout(torch.ones(2).long(), 0.5)
F.layer_norm(torch.ones(2, 3), 3)
F.pad(x, (1,))
# Not refused
# Operands that are none, and sequences that are no array
x = leaf([[1.0, 2], [3, 4]])
def cast(code, x=x):
    with torch.autocast("cpu", dtype=torch.bfloat16): return eval(code).dtype
table(cast, """
x @ x
x @ x.bfloat16()
F.linear(x, x)
F.linear(x, x.bfloat16())
x + 1
(x @ x).softmax(-1)
torch.addmm(torch.ones(2), x, x)""")
x = torch.linspace(-2, 2, 24).mul(5).sin().reshape(3, 2, 4).requires_grad_()
# Refused
F.conv1d(x, torch.ones(1, 3, 2))
F.conv1d(x, torch.ones(1, 2, 9))
F.group_norm(x, 3)
# Not refused
x = torch.arange(6.).view(2, 3)
F.silu(x.clone(), True), F.relu6(x.clone(), True), F.leaky_relu(x.clone(), 0.1, True), F.elu(x.clone(), 2.0, True)
# Refused
F.linear(x, x.half())
# Not refused
x = leaf([[1.0, -2.5, 3.5], [4.0, 5.0, -6.0]])
# Refused
F.prelu(x, torch.ones(2))
# Not refused
k = leaf([[1., 2., 3.], [3., 1., 2.]])
F.cosine_similarity(k, k[:, :1])
F.cosine_similarity(k, k[0]), F.cosine_similarity(k[0], k, -1), F.cosine_similarity(k[0], k[0, :1], 0)
x = torch.arange(6.).reshape(2, 3)
# Refused
F.layer_norm(x, (3,), torch.ones(2))
# Not refused
x = torch.arange(6.0).reshape(2, 3).requires_grad_()
