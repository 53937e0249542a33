# New tensors.
t = torch.zeros(3)
x = torch.arange(6.).reshape(2, 3)
v = leaf([0.5, 2.0, 1.5])
# Refused
torch.matmul(x, v, out=torch.zeros(2))
torch.autograd.gradcheck(lambda t: t * 2, (torch.ones(2),))
# Not refused
late = nn.LazyLinear(3); tried(late.weight.numel), tried(getattr, late.weight, "shape"), tried(nn.init.normal_, late.weight), repr(late.weight), late.has_uninitialized_params(), tried(lambda: late.weight + 1)
bool(late.load_state_dict({"weight": torch.ones(3, 2), "bias": torch.ones(3)})), late.weight, late(torch.ones(2)), type(late).__name__, bool(nn.LazyLinear(2).load_state_dict(nn.LazyLinear(2).state_dict())), tried(nn.LazyLinear(2).load_state_dict, {})
len(iter(DataLoader([1, 2, 3], 2))), type(torch.ones(1)), isinstance(torch.manual_seed(0), torch.Generator), torch.ones(2, 3)[[torch.tensor([0, 1]), torch.tensor([2, 0])]]
late = nn.LazyLinear(3, bias=False); o = optim.SGD(late.parameters(), 0.1)
late(torch.ones(2, 2)).shape, late, o.param_groups[0]["params"][0] is late.weight
torch.range(0, 10), torch.range(0, 1, 0.1).shape, torch.range(5, 1, -2), torch.range(1, 4, dtype=torch.int64)
# Refused
torch.ones(3).mT
torch.einsum("ii", torch.ones(2, 3))
torch.zeros()
# Not refused
t.note, t.require_grad = [1], False
t.note, list(t.__dict__), hasattr(t, "tag")
# Refused
(t + 0).note
late.register_buffer(3, torch.ones(1))
