# Embeddings and one_hot.
# Refused
F.one_hot(torch.tensor([0.5]))
F.embedding(torch.tensor([0.]), torch.ones(2, 3))
F.embedding(torch.tensor([0, 2]), torch.ones(3, 2, requires_grad=True), padding_idx=5)
nn.Embedding.from_pretrained(torch.ones(3))
