"""Programs that once gave something else than torch: they run first, whatever is drawn."""

PROGRAMS = [
    # An op in place saved the very tensor that it was about to change.
    ["v0 = torch.tensor([1.0, -2.0]).requires_grad_()", "v1 = v0 * 2", "v1.clamp_(min=-1)",
     "v1.exp_()", "v1.sum().backward()"],
    ["v0 = torch.tensor([1.0, -2.0]).requires_grad_()", "v1 = v0 * 1", "v1.div_(v1)",
     "v1.sum().backward()"],
    # A NaN spread over the whole row, or was passed over.
    ["v0 = torch.tensor([1.0, float('nan'), 2.0])", "v1 = v0.cumsum(0)"],
    ["v0 = torch.tensor([[1.0, float('nan')], [float('inf'), 3.0]])", "v1 = v0.max(1)[0]",
     "v2 = v0.min(0)[0]"],
    # A standard deviation of 0, a number's sums, nothing put together, and the tensor itself.
    ["v0 = torch.tensor([[2.0, 2.0], [1.0, 3.0]]).requires_grad_()", "v1 = v0.std(1)",
     "v1.sum().backward()"],
    ["v0 = torch.tensor(3.0).requires_grad_()", "v1 = v0.cumsum(0)", "v1.backward()"],
    ["v0 = torch.ones(0).requires_grad_()", "v1 = torch.cat([v0, v0])", "v1.sum().backward()"],
    ["v0 = torch.tensor([1.0, 2.0]).requires_grad_()", "v1 = v0.flatten()", "v1.sum().backward()"],
    ["v0 = torch.linspace(0.5, 1.5, 1)"],
    # A gradient that had overflowed became NaN in every class.
    ["v0 = torch.tensor([[1.0, 2.0, 3.0]]).requires_grad_()",
     "v1 = F.cross_entropy(v0, torch.tensor([1]))", "(v1 / 0).backward()"],
]
