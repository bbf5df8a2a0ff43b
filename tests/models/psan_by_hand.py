"""The sentence vectors of PSAN by its printed equations, word by word, for four sentences and an empty one."""

import torch
import torch.nn.functional as F

LENGTHS = torch.tensor([11, 5, 2, 1, 0])
MASK = torch.arange(11) < LENGTHS[:, None]
LEVELS = {
    3: [[2, 1, 3, 3, 2], [1, 1, 3], [2], [1], []],
    2: [[3, 6, 2], [2, 3], [2], [1], []],
    1: [[9, 2], [5], [2], [1], []],
}
"""Level -> lengths of the phrases of each sentence."""


def structure():
    bits = torch.zeros(5, 11, dtype=torch.long)
    for level, sentences in LEVELS.items():
        for row, lengths in enumerate(sentences):
            for end, length in zip(torch.tensor(lengths).cumsum(0).tolist(), lengths, strict=True):
                bits[row, end - length] |= 1 << (level - 1)
    return bits


def phrases(row, level):
    lengths = LEVELS[level][row] if level else [int(LENGTHS[row])]
    ends = torch.tensor(lengths).cumsum(0).tolist()
    return [range(end - length, end) for end, length in zip(ends, lengths, strict=True)]


def naive(encoder, x, row, factor=1):
    """The sentence vector by the printed equations, one word after the other.

    `factor` is that of the input of every dense layer.
    """
    memory, every_c = [x[row, place] for place in range(int(LENGTHS[row]))], []
    for step, level in enumerate(encoder.divisions):
        psa = encoder.attention[step]
        contextual = [torch.zeros(0)] * len(memory)
        for phrase in phrases(row, level):
            for i in phrase:
                attended = torch.zeros_like(memory[i])
                scores = {
                    j: F.elu(factor * (psa.query.weight @ memory[i] + psa.key.weight @ memory[j]) + psa.query.bias)
                    for j in phrase
                    if j != i
                }
                for j, score in scores.items():
                    share = score.exp() / sum(other.exp() for other in scores.values())
                    attended = attended + share * memory[j]
                compared = torch.cat([(memory[i] - attended).abs(), memory[i] * attended])
                contextual[i] = F.elu(factor * psa.compare.weight @ compared + psa.compare.bias)
        every_c.append(contextual)
        if encoder.join is None:
            memory = [remembered(encoder, *pair, factor) for pair in zip(memory, contextual, strict=True)]
    if encoder.join is not None:  # (6): the phrases of all levels are of the words
        memory = [
            F.elu(factor * encoder.join.weight @ torch.cat(all_c) + encoder.join.bias)
            for all_c in zip(*every_c, strict=True)
        ]
    pooling = encoder.pooling
    hidden = [F.elu(factor * pooling.hidden.weight @ m + pooling.hidden.bias) for m in memory]
    scores = [factor * pooling.score.weight @ h for h in hidden]
    total = sum(score.exp() for score in scores)
    return sum(score.exp() / total * m for score, m in zip(scores, memory, strict=True))


def remembered(encoder, m, c, factor):
    """M(t) of one word; `factor` is that of the input of both layers."""
    if not len(encoder.memory):
        return c
    memory = encoder.memory[0]
    both = factor * torch.cat([m, c])
    gated = torch.sigmoid(memory.gate.weight @ both + memory.gate.bias)
    new = gated * F.elu(memory.update.weight @ both + memory.update.bias)
    return new + (1 - gated) * m if memory.carry else new
