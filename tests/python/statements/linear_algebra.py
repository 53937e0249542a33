# Products of matrices and vectors.
torch.einsum("ii", torch.arange(4.0).view(2, 2))
x = leaf([[1.0, -2.5, 3.5], [4.0, 0.5, -6.0]])
# Refused
torch.bmm(x, x)
torch.mm(x, x)
# Not refused
i = torch.arange(6).reshape(2, 3)
# Refused
i @ x
# Not refused
u = torch.tensor([1, 2, 3], dtype=torch.uint8)
(u * 100).dot(u), u.int().dot(u.int()), torch.xlogy(u, 300), torch.xlogy(u, 0.5), torch.xlogy(u, u)
