# Narrow whole numbers beside the others: what they hold, how they wrap, what becomes of two of them.
u = torch.tensor([0, 1, 200, 255], dtype=torch.uint8)
i = torch.tensor([-128, -1, 0, 127], dtype=torch.int8)
s = torch.tensor([-32768, -1, 0, 32767], dtype=torch.int16)
torch.arange(3, dtype=torch.uint8), torch.arange(-2, 2, dtype=torch.int16), torch.eye(2, dtype=torch.int8)
w = u.clone()
w += 1
w
w[1:] = torch.tensor([1, 2, 300])
u.view(2, 2).t(), i[1:3], s[s > 0], u[torch.tensor([0, 3])]
torch.can_cast(torch.int8, torch.float32), torch.can_cast(torch.float32, torch.int8)
F.one_hot(torch.tensor([0, 1])).byte()
brief = torch.tensor([1.0, 2.0], dtype=torch.bfloat16, requires_grad=True)
torch.cat([brief, torch.ones(1)]).mul(0.1234567).sum().backward()
# A gradient of a narrow float is one, too, whoever looks: 0.1234567 is 0.12347412109375 as a half
def beyond(g): return g.dtype, (g.float() - 0.1234567).mul(1e4)
def again(x): x.grad = None; return x
(again(brief) * 0.1234567).sum().backward(); beyond(brief.grad)
# Refused
torch.rand(2, dtype=torch.uint8)
torch.tensor([1, 2], dtype=torch.uint8, requires_grad=True)
torch.tensor([1, -300], dtype=torch.uint8)
torch.iinfo(torch.float32)
torch.finfo(torch.int8)
torch.tensor([3, 1, -1], dtype=torch.int8) ** 200
torch.tensor([44, 1, 255], dtype=torch.uint8) ** 256
