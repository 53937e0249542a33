"""torch.testing.assert_close."""

from _stepgrad import Tensor, bfloat16, float16

from .creation import as_tensor

_DIGITS = {float16: (1e-3, 1e-5), bfloat16: (1.6e-2, 1e-5)}


def assert_close(actual, expected, *, rtol=None, atol=None, equal_nan=False, check_dtype=True, msg=None,
                 allow_subclasses=True, check_device=True, check_layout=True, check_stride=False):
    """AssertionError unless both are tensors, numbers, or lists or dicts of them, that agree."""
    if (rtol is None) != (atol is None):
        raise ValueError("rtol and atol must both be specified or both be unspecified")
    options = {"rtol": rtol, "atol": atol, "equal_nan": equal_nan, "check_dtype": check_dtype, "msg": msg}
    if isinstance(expected, (dict, list, tuple)):
        keys = expected if isinstance(expected, dict) else range(len(expected))
        if len(actual) != len(expected) or isinstance(expected, dict) and actual.keys() != expected.keys():
            raise AssertionError(msg or f"assert_close: {actual!r} and {expected!r} do not have the same keys or length")
        for key in keys:
            assert_close(actual[key], expected[key], **options)
        return
    if isinstance(actual, Tensor) != isinstance(expected, Tensor):
        raise AssertionError(msg or f"assert_close: {type(actual).__name__} and {type(expected).__name__} do not compare")
    a, b = as_tensor(actual).detach(), as_tensor(expected).detach()
    if a.shape != b.shape:
        raise AssertionError(msg or f"The values for attribute 'shape' do not match: {a.shape} != {b.shape}.")
    if check_dtype and a.dtype != b.dtype:
        raise AssertionError(msg or f"The values for attribute 'dtype' do not match: {a.dtype} != {b.dtype}.")
    floats = [x.dtype for x in (a, b) if x.is_floating_point()]
    usual = [max(digits) for digits in zip(*(_DIGITS.get(d, (1.3e-6, 1e-5)) for d in floats))] or (0.0, 0.0)
    rtol, atol = usual if rtol is None else (rtol, atol)
    apart = ~a.float().isclose(b.float(), rtol, atol, equal_nan)
    if bool(apart.any()):
        off = (a.float() - b.float()).abs()
        raise AssertionError(msg or f"Tensor-likes are not close!\n\nMismatched elements: {int(apart.sum())} / "
                             f"{a.numel()}\nGreatest absolute difference: {off.max().item()} (up to {atol} allowed)\n"
                             f"Greatest relative difference: {(off / b.float().abs()).max().item()} (up to {rtol} allowed)")
