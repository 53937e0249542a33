# Arithmetic, and operators in place.
def whole(row):
    """OPERATOR NUMBER; DTYPE: of whole numbers, by default of int64."""
    row, _, dtype = row.partition("; ")
    x = y = torch.arange(6).to(getattr(torch, dtype or "int64"))
    exec(f"x {row}", globals(), env := {"x": x})
    return y, env["x"] is y, y._version
table(lambda row: tried(whole, row), """
//= 2
|= x
<<= x
//= np.int64(2)
+= True; bool
%= 2; float16
/= 2
**= -1
%= torch.ones(6)
+= 0.5
&= 1.0
//= 2; bool""")
x = leaf([[1.0, -2.5, 3.5], [4.0, 0.5, -6.0]])
x.detach().clone().addcmul_(0.1, x.detach(), x.detach()), x.detach().clone().add_(0.1, x.detach())
# Refused
x.div(2, rounding_mode="up")
torch.tensor([1]).div(0, rounding_mode="trunc")
# Not refused
hex(torch.tensor(10))
torch.einsum("ii", torch.arange(4.0).view(2, 2)), torch.einsum("ij,kj->jki", x.detach(), x.detach())
torch.Size([2, 3]) * 2
i = torch.tensor([[1, -2, 3], [4, 5, -6]])
i.type("torch.FloatTensor")
isinstance(x, torch.FloatTensor), isinstance(x, torch.LongTensor), torch.BoolTensor([2, 0]), torch.IntTensor([1])
torch.logical_or(i, x > 1), i.logical_or(i * 0), i.short(), torch.short
# Refused
torch.Tensor(1.5)
torch.pow(2., 3.)
# Not refused
hash(torch.device("cpu")) == hash(torch.device("cpu")), torch.device("cpu") in {torch.device("cpu"): 1}
# Refused
torch.trace(torch.ones(3))
