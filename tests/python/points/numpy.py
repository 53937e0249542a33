# NumPy's arrays and numbers.
a = np.arange(6, dtype=np.float32).reshape(2, 3)
x = torch.from_numpy(a)
np.concatenate([x.numpy(), a]).shape, np.argmax(x).item()
f = np.asfortranarray(np.zeros((2, 3, 2), np.float32)); x = torch.from_numpy(f); f[0, 1] = 5; x[1, 2] += 7; x, x.stride(), f.tolist()
torch.min(torch.tensor([0.0, 20.0]).log().to(torch.long) + 8, torch.tensor([15, 15])).clamp(min=0)
torch.tensor(range(1000, 1003)), torch.LongTensor(range(300, 303)), torch.tensor([np.float32([1, 2]), np.float32([3, 4])]), torch.tensor([np.arange(3), np.arange(3) + 5000]), torch.Tensor(2, 3).shape
i = torch.arange(4); i[np.array([2, 0])], i[np.array([True, False, True, False])], i[np.int64(2)]
g = torch.ones(2, 2, requires_grad=True); np.sqrt(4.) * g + np.float32(2) - g / np.int64(2), np.float32(3) < g, torch.ones(2) * np.float32([1, 2]), np.exp(torch.zeros(2)), tried(lambda: np.float32([1, 2]) * torch.ones(2))
a = torch.zeros(2, 3) + torch.arange(6.).view(2, 3); v, t, row, part, old = a.view(-1), a.t(), a[0], a.split(1)[1], a.data
a.data = torch.zeros(1, 2); a, v, t, row, part, old
v[0] = 9; t.add_(1), part.mul_(2); a, v, t, row, part, old, v.numpy(), row.data_ptr() == old.data_ptr()
m = nn.Module(); [setattr(m, name, nn.Parameter(torch.ones(3))) for name in "aba"], [name for name, _ in m.named_parameters()]
[torch.nn.functional.softmax(torch.arange(24.)[:math.prod(sizes)].view(sizes)).sum(0) + 9 for sizes in ((4,), (2, 2), (2, 2, 3), (2, 2, 3, 2))], torch.einsum("ij,jk->ik", [g, g])
[torch.tensor([torch.tensor(1).to(d), torch.tensor(2).to(e)]) for d, e in itertools.product((torch.bool, torch.uint8, torch.int8, torch.int32, torch.half, torch.bfloat16, torch.float32), repeat=2)], torch.tensor([[np.float16(1.5)], [np.float16(2)]]), torch.tensor([np.bool_(True), np.int8(3), np.uint8(4)])
[tried(lambda: torch.from_numpy(a)) for a in ([1.0], np.array(["a"]), np.zeros(2, np.longdouble))]
x = torch.arange(12.).reshape(3, 4)
y = x.clone()
y[0] = torch.ones(1)
y[:2] = torch.ones(4)
y[:2] = torch.ones(1, 1, 2, 4)
y[0, 0] = torch.ones(1, 1)
# Refused
y[0] = torch.ones(3)
y[:2] = torch.ones(2, 2, 4)
y[0, 0] = torch.ones(2)
y[y > 0] = torch.ones(3)
y[0] = np.float32([1, 2, 3, 4])
y[0] = None
y[0] = "a"
# Not refused
# NumPy's numbers
[torch.tensor(v(2)) for v in (np.int8, np.uint8, np.int16, np.int32, np.int64, np.float16, np.float32)]
torch.tensor([np.int8(1), np.uint8(2)]), torch.tensor([np.int16(1), True]), torch.tensor([np.uint8(1)]), torch.tensor([np.int8(1), 3])
torch.full([2], np.int32(3)), torch.full([2], np.float32(3)), torch.arange(np.int32(1), np.int8(4)), torch.arange(0, 3, np.float32(1))
