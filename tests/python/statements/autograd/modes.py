# no_grad and the like, autocast, anomalies.
a = torch.ones(3, requires_grad=True)
a.device == "cpu", a.is_contiguous()
# Refused
a += 1
# Not refused
# Mixed precision of a GPU that is not there: disabled, and said
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    s = torch.cuda.amp.GradScaler()
    with torch.cuda.amp.autocast(), torch.autocast("cuda", torch.float16): y = (a @ a).dtype
    with torch.autocast("cpu"), torch.autocast("cuda"): q = (a @ a).dtype
len(told), y, q, s.scale(a) is a, s.get_scale(), s.is_enabled(), s.state_dict(), tried(torch.autocast, "up"), tried(torch.autocast)
# Modes, and what throws within them
def thrown(context):
    inside = None
    try:
        with context: inside = torch.is_grad_enabled(); raise KeyError
    except KeyError: return inside, torch.is_grad_enabled()
@torch.no_grad()
def values():
    try:
        for i in range(3):
            got = yield (i, torch.is_grad_enabled())
            if got: yield ("got", got, torch.is_grad_enabled())
    except ValueError: yield ("thrown", torch.is_grad_enabled())
v = values(); next(v), torch.is_grad_enabled(), v.send(5), next(v), torch.is_grad_enabled(), v.throw(ValueError()), torch.is_grad_enabled(), tried(lambda: next(v)), torch.is_grad_enabled()
z = torch.zeros(2, requires_grad=True)
# Anomalies are looked for as long as one asks for it
def anomaly(): return tried(lambda: (z * 1).sqrt().mul(z / z).sum().backward())
with torch.autograd.detect_anomaly(): y = anomaly()
thrown(torch.autograd.detect_anomaly()), y, anomaly(); z.grad = None
with torch.autograd.set_detect_anomaly(True):
    with torch.autograd.set_detect_anomaly(False): y = [anomaly()]
    y.append(anomaly())
y, anomaly(); z.grad = None
@torch.set_grad_enabled(False)
def none():
    for _ in range(2): yield torch.is_grad_enabled()
torch.is_grad_enabled() is True  # here: True (as in torch 2)
torch.set_grad_enabled(True) and None
[(inside, torch.is_grad_enabled()) for inside in none()]
