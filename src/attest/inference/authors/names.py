"""The weights of a task under the names of public code, and back.

Legend: V words, E features of a word vector.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from attest.errors import DataError, SettingsError
from attest.inference.authors import dam, disan, fast_disan, structured
from attest.inference.authors.code import AuthorsCode, ModuleWeight
from attest.training.tasks import SentenceTask

CODES = (disan.CODE, fast_disan.CODE, structured.CODE, dam.CODE)
LEFT_OUT = re.compile(
    r"(^|[/.])(global_step|extra_emb_mat|beta[12]_power|(Adadelta|Adam|RMSProp|Momentum)(_\d+)?"
    r"|ExponentialMovingAverage|num_batches_tracked)(:0)?$"
)
"""The names of what a checkpoint holds besides weights: the state of the optimiser, averages and counters."""


@dataclass(frozen=True, eq=False)
class MatchedWeights:
    """The weights of a file under the names of Attest."""

    tensors: Mapping[str, Tensor]
    """The weights of the encoder and, if the file holds it, of the head, as in the state dict of a task."""
    has_head: bool
    embedding_VE: Tensor | None
    """The table of word vectors, or None if the file holds none."""


def code_of(encoder: nn.Module) -> AuthorsCode:
    """Return the public code of an encoder; raise SettingsError if there is none."""
    for code in CODES:
        if type(encoder) is code.encoder:
            return code
    known = ", ".join(code.encoder.__name__ for code in CODES)
    raise SettingsError(
        f"model: {type(encoder).__name__} has no public code whose names are known; choose one of {known}"
    )


def weights_of(task: SentenceTask) -> list[ModuleWeight]:
    """Return the weights of the encoder and of the head.

    Raise SettingsError if one of them has weights that the other code has not, or the reverse.
    """
    code = code_of(task.encoder)
    encoder, head = code.encoder_weights(task.encoder), code.head_weights(task.head)
    for part, module, weights in (("model", task.encoder, encoder), ("head", task.head, head)):
        ours, named = {*module.state_dict()}, {weight.ours for weight in weights}
        if named and ours != named:
            extra, missing = sorted(ours - named), sorted(named - ours)
            problem = f"has no {extra[0]}" if extra else f"has {missing[0]} besides"
            raise SettingsError(
                f"{part}: {code.title} {problem}, so these settings describe another {part}; change the settings of "
                f"{part}"
            )
    return [
        *(ModuleWeight("encoder", task.encoder, weight) for weight in encoder),
        *(ModuleWeight("head", task.head, weight) for weight in head),
    ]


def match_weights(
    path: Path, tensors: Mapping[str, Tensor], task: SentenceTask, sizes: Mapping[str, int] | None = None
) -> MatchedWeights:
    """Return the weights of a file, whose tensors are given, for a task of their architecture.

    `sizes` are the settings that give the task its sizes, which an error then names with the numbers of the file. Raise
    DataError if a weight is missing, has another shape or is not finite, or if the file holds anything else.
    """
    code, weights = code_of(task.encoder), weights_of(task)
    has_head = any(matching_name(path, tensors, w.names.theirs) for w in weights if w.prefix == "head")
    found: dict[str, Tensor] = {}
    used: set[str] = set()
    for weight in weights:
        if weight.prefix == "head" and not has_head:
            continue
        name = matching_name(path, tensors, weight.names.theirs)
        if name is None:
            raise DataError(
                f"{path}: lacks {weight.names.theirs}, the weight {weight.name} by the names of {code.title}"
            )
        used.add(name)
        tensor, shape = weight.names.to_ours(tensors[name]), weight.tensor.shape
        if tensor.shape != shape:
            raise DataError(
                f"{path}: {name} has the shape {tuple(tensor.shape)} where these settings need {tuple(shape)} for "
                f"{weight.name}; type the sizes of the file{sizes_hint(tensor.shape, shape, sizes or {})}"
            )
        found[weight.name] = checked_fp32(path, name, tensor)
    embedding = matching_name(path, tensors, code.embedding) if code.embedding else None
    unknown = sorted(name for name in tensors if name not in {*used, embedding} and not LEFT_OUT.search(name))
    if unknown:
        raise DataError(f"{path}: {unknown[0]} is not a name of {code.title} for this model; remove it from the file")
    return MatchedWeights(
        found, has_head, None if embedding is None else checked_fp32(path, embedding, tensors[embedding])
    )


def sizes_hint(theirs: Sequence[int], ours: Sequence[int], sizes: Mapping[str, int]) -> str:
    """Return the settings that would give a weight the shape that it has in the file, as ", such as hidden_size=24".

    Each dimension that differs is taken to be that of the first setting with its number that no other dimension has.
    The text is empty if there is none.
    """
    hints: dict[str, int] = {}
    for wanted, given in zip(theirs, ours, strict=False):
        named = [key for key, size in sizes.items() if size == given and key not in hints]
        if wanted != given and named:
            hints[named[0]] = wanted
    return f", such as {' '.join(f'{key}={size}' for key, size in hints.items())}" if hints else ""


def matching_name(path: Path, tensors: Mapping[str, Tensor], theirs: str) -> str | None:
    """Return the name in the file that ends in a name of the other code, after any outer scopes, or None.

    Raise DataError if there are several.
    """
    names = [name for name in tensors if re.search(rf"(^|[/.]){re.escape(theirs)}(:0)?$", name)]
    if len(names) > 1:
        raise DataError(f"{path}: {names[0]} and {names[1]} both end in {theirs}; keep the weights of one model")
    return names[0] if names else None


def checked_fp32(path: Path, name: str, tensor: Tensor) -> Tensor:
    """Return a tensor in fp32; raise DataError if it holds no numbers, NaN or infinity."""
    if not tensor.dtype.is_floating_point or not tensor.isfinite().all():
        raise DataError(f"{path}: {name} holds values that are not finite floating-point numbers")
    return tensor.float().contiguous()


def authors_tensors(task: SentenceTask, words: Sequence[str]) -> dict[str, Tensor]:
    """Return the weights of a task by the names of the other code.

    If that code names the table of word vectors, the vectors of `words`, one for each row of the table, are included.
    """
    code = code_of(task.encoder)
    named = {w.names.theirs: w.names.to_theirs(w.tensor).contiguous() for w in weights_of(task)}
    if code.embedding:
        rows = torch.arange(task.words.reserved, len(words))
        with torch.no_grad():
            named[code.embedding] = task.words(rows)
    return named
