"""torch.testing.assert_close."""

from _stepgrad import Tensor, bfloat16, float16

from .creation import as_tensor

_DIGITS = {float16: (1e-3, 1e-5), bfloat16: (1.6e-2, 1e-5)}


def assert_close(actual, expected, *, rtol=None, atol=None, equal_nan=False, check_dtype=True, msg=None, **options):
    """AssertionError unless both are tensors, numbers, or lists or dicts of them, that agree."""
    if (rtol is None) != (atol is None):
        raise ValueError("rtol and atol must both be specified or both be unspecified")

    def refuse(text):
        raise AssertionError(msg or text)

    if isinstance(expected, (dict, list, tuple)):
        keys = expected if isinstance(expected, dict) else range(len(expected))
        if set(actual if isinstance(actual, dict) else range(len(actual))) != set(keys):
            refuse(f"assert_close: {actual!r} and {expected!r} do not have the same keys or length")
        for key in keys:
            assert_close(actual[key], expected[key], rtol=rtol, atol=atol, equal_nan=equal_nan, check_dtype=check_dtype, msg=msg)
        return
    if isinstance(actual, Tensor) != isinstance(expected, Tensor):
        refuse(f"assert_close: {type(actual).__name__} and {type(expected).__name__} do not compare")
    a, b = as_tensor(actual).detach(), as_tensor(expected).detach()
    for name in ("shape", "dtype")[:2 if check_dtype else 1]:
        if getattr(a, name) != getattr(b, name):
            refuse(f"The values for attribute '{name}' do not match.")
    floats = [x.dtype for x in (a, b) if x.is_floating_point()]
    usual = [max(digits) for digits in zip(*(_DIGITS.get(d, (1.3e-6, 1e-5)) for d in floats))] or (0.0, 0.0)
    rtol, atol = usual if rtol is None else (rtol, atol)
    apart = ~a.float().isclose(b.float(), rtol, atol, equal_nan)
    if apart.any():
        refuse(f"Tensor-likes are not close!\n\nMismatched elements: {int(apart.sum())} / {a.numel()}\n"
            f"{a} is not {b} up to {atol} and {rtol} times the expected")
