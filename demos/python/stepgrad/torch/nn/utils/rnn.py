from stepgrad.calls import lenient as _lenient

from ...creation import full
from ...functions import cat, stack


def pad_sequence(sequences, batch_first=False, padding_value=0.0):
    """Sequences [n_i, ...] side by side, the shorter ones filled up to the longest."""
    sequences = list(sequences)
    if not sequences:
        raise RuntimeError("pad_sequence: received an empty list of sequences")
    longest = max(s.size(0) for s in sequences)

    def padded(s):
        n = longest - s.size(0)
        return cat([s, full((n, *s.shape[1:]), padding_value, dtype=s.dtype)]) if n else s

    return stack([padded(s) for s in sequences], 0 if batch_first else 1)


pad_sequence = _lenient(pad_sequence, False)
