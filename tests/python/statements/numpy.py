# NumPy's arrays and numbers.
f = np.asfortranarray(np.zeros((2, 3, 2), np.float32)); x = torch.from_numpy(f); f[0, 1] = 5; x[1, 2] += 7; x, x.stride(), f.tolist()
torch.tensor(range(1000, 1003)), torch.LongTensor(range(300, 303)), torch.tensor([np.float32([1, 2]), np.float32([3, 4])]), torch.tensor([np.arange(3), np.arange(3) + 5000]), torch.Tensor(2, 3).shape
i = torch.arange(4); i[np.array([2, 0])], i[np.array([True, False, True, False])], i[np.int64(2)]
g = torch.ones(2, 2, requires_grad=True); np.sqrt(4.) * g + np.float32(2) - g / np.int64(2), np.float32(3) < g, torch.ones(2) * np.float32([1, 2]), np.exp(torch.zeros(2)), tried(lambda: np.float32([1, 2]) * torch.ones(2))
[torch.tensor([torch.tensor(1).to(d), torch.tensor(2).to(e)]) for d, e in itertools.product((torch.bool, torch.uint8, torch.int8, torch.int32, torch.half, torch.bfloat16, torch.float32), repeat=2)], torch.tensor([[np.float16(1.5)], [np.float16(2)]]), torch.tensor([np.bool_(True), np.int8(3), np.uint8(4)])
[tried(lambda: torch.from_numpy(a)) for a in ([1.0], np.array(["a"]), np.zeros(2, np.longdouble))]
x = torch.arange(12.).reshape(3, 4)
y = x.clone()
# Refused
y[y > 0] = torch.ones(3)
y[0] = np.float32([1, 2, 3, 4])
y[0] = None
y[0] = "a"
