# torch.distributions.
w = leaf([2., -1., 3.])
d = torch.distributions
n, c, b = d.Normal(torch.tensor([0., 1.]), torch.tensor([1., 2.])), d.Categorical(torch.tensor([[.2, .3, .5], [1., 1., 2.]])), d.Bernoulli(torch.tensor([.2, .9]))
n.log_prob(torch.tensor([.5, -1.])), n.entropy(), n.mean, n.stddev, n.variance, n.cdf(torch.tensor([0., 2.])), n.sample((3,)).shape, n.rsample().shape
c.log_prob(torch.tensor([2, 0])), c.entropy(), c.probs, c.sample().shape, c.sample((4,)).shape, c.log_prob(c.sample((4,))).shape, d.Categorical(logits=torch.tensor([0., 1.])).probs
b.log_prob(torch.tensor([1., 0.])), b.entropy(), b.mean, b.variance, b.sample((3,)).shape, d.Bernoulli(logits=torch.tensor([0., 2.])).probs
d.Categorical(logits=w).log_prob(torch.tensor(1))
u = d.Multinomial(10, torch.tensor([[.2, .3, .5], [1., 1., 2.]]))
u.mean, u.sample((4,)).shape, u.sample().sum(-1)
c.mode
# Draws of which there is one
sure = torch.tensor([[0., 1., 0.], [0., 0., 1.]])
d.Categorical(sure).sample((2,)), d.Categorical(sure[None].expand(4, 2, 3)).sample().shape, d.Multinomial(4, sure).sample((3,)), d.Bernoulli(sure).sample((2,))
d.Normal(sure, 1e-30).sample((2,)), d.Normal(sure, 1e-30).rsample((1,)).dtype, grad(d.Normal(w, 1e-30).rsample((2,)).sum(), w)
d.Normal(w, w * w).log_prob(torch.tensor([1., 2., 3.]))
# Refused
d.Normal(0., 0.)
d.Categorical(torch.tensor([-1., 2.]))
