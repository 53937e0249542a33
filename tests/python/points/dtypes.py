# Narrow whole numbers beside the others: what they hold, how they wrap, what becomes of two of them.
brief = torch.tensor([1.0, 2.0], dtype=torch.bfloat16, requires_grad=True)
# A gradient of a narrow float is one, too, whoever looks: 0.1234567 is 0.12347412109375 as a half
def beyond(g): return g.dtype, (g.float() - 0.1234567).mul(1e4)
def again(x): x.grad = None; return x
(again(brief) * 0.1234567).sum().backward(); beyond(brief.grad)
# Refused
torch.finfo(torch.int8)
torch.tensor([3, 1, -1], dtype=torch.int8) ** 200
