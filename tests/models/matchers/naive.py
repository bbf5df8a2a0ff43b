"""The equations of the paper, one pair, one item and one pair of items at a time, with the weights of a DAM."""

import torch


def items_of(model, words_TD):
    context = model.context
    name = type(context).__name__
    if name == "Words":
        return words_TD
    if name == "Convolution":
        before = context.span // 2
        padded = torch.cat(
            [words_TD.new_zeros(before, words_TD.shape[1]), words_TD, words_TD.new_zeros(9, words_TD.shape[1])]
        )
        maps = [context.filters(padded[t : t + context.span].flatten()) for t in range(len(words_TD))]
        return torch.cat([words_TD, torch.stack(maps)], dim=-1)
    if name == "Recurrence":
        return context.gru(words_TD)[0]
    return torch.stack([both_ends(context.gru, words_TD[x:y]) for x, y in spans(len(words_TD), context.span)])


def spans(length, longest):
    return [(x, y) for x in range(length) for y in range(x + 1, min(x + longest, length) + 1)]


def both_ends(gru, words_TD):
    """The forward state at the last word and the backward state at the first."""
    states = gru(words_TD)[0]
    return torch.cat([states[-1, : gru.hidden_size], states[0, gru.hidden_size :]])


def score(model, one, other):
    attention = model.attention
    name = type(attention).__name__
    if name == "Dot":
        return one @ other
    if name == "General":
        return one @ attention.weight.weight @ other
    found = attention.output(attention.hidden(torch.cat([one, other])).relu()).squeeze()
    return found.relu() if attention.activation == "relu" else found


def join_vectors(one, other, features):
    return {
        "vectors": torch.cat([one, other]),
        "differences": torch.cat([(one - other).abs(), one * other]),
        "all": torch.cat([one, other, (one - other).abs(), one * other]),
    }[features]


def match(model, first_TE, second_TE):
    """V_1 and V_2 of one pair."""
    zero = torch.zeros(model.width, dtype=first_TE.dtype)
    sides, scored = [], []
    for x_TE in (first_TE, second_TE):
        if not len(x_TE):
            sides, scored = [*sides, []], [*scored, []]
            continue
        words = x_TE if isinstance(model.projection, torch.nn.Identity) else x_TE @ model.projection.weight.T
        items = items_of(model, model.transform(words) if model.transforms_words else words)
        sides.append(list(items))
        scored.append(list(model.transform(items) if model.transforms_items else items))
    sums = []
    for own, other in ((0, 1), (1, 0)):
        total = zero
        for item, as_scored in zip(sides[own], scored[own], strict=True):
            aligned = torch.zeros_like(item)
            if sides[other]:
                pairs = [(as_scored, away) if own == 0 else (away, as_scored) for away in scored[other]]
                weights = torch.stack([score(model, *pair) for pair in pairs]).softmax(0)
                aligned = sum(weight * away for weight, away in zip(weights, sides[other], strict=True))
            total = total + model.compare(join_vectors(item, aligned, model.features))
        sums.append(total)
    return sums[0], sums[1]
