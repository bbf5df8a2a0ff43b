"""What the vectors of a task's sentences are worth.

Legend: N examples, W features.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from attest.runs.metrics import pearson, spearman
from attest.transfer import relatedness
from attest.transfer.classifiers import Labelled
from attest.transfer.cross_validation import Problem, Solution, fits, k_fold, nested, solve, split
from attest.transfer.outcomes import Outcome
from attest.transfer.parallel import Advance, nobody, run
from attest.transfer.settings import Transfer
from attest.transfer.task_data import Samples, Sets
from attest.transfer.tasks import TASKS, Task
from attest.transfer.vector_cache import Encodings

Watch = Callable[[str, int], AbstractContextManager[Advance]]
"""What is done, and in how many pieces -> who is told of each piece."""


def silent(name: str, pieces: int) -> AbstractContextManager[Advance]:
    return nullcontext(nobody)


def judge(name: str, sets: Sets, encodings: Encodings, settings: Transfer, watch: Watch = silent) -> Outcome:
    """Encode the sentences of a task, and do with their vectors what the task asks for."""
    task, sentences = TASKS[name], list(sets.sentences())
    began = time.perf_counter()
    if new := len(encodings.missing(sentences)):
        with watch(f"{name}: encoding", new) as advance:
            encodings.make(sentences, advance)
    encoded = time.perf_counter()
    found = JUDGES.get(task.design, classified)(name, task, sets, encodings, settings, watch)
    return Outcome(
        task=name,
        examples={split: len(samples) for split, samples in sets.splits.items()},
        expected=sets.expected,
        fingerprint=sets.fingerprint,
        width=encodings.width or 0,
        encoding_seconds=encoded - began,
        seconds=time.perf_counter() - encoded,
        **found,
    )


def features(samples: Samples, encodings: Encodings) -> np.ndarray:
    """u of a sentence, [|u - v|; u * v] of a pair."""
    if len(samples.sentences) == 1:
        return encodings(samples.sentences[0])
    u_NW, v_NW = (encodings(side) for side in samples.sentences)
    return np.concatenate([np.abs(u_NW - v_NW), u_NW * v_NW], axis=1)


def classified(
    name: str, task: Task, sets: Sets, encodings: Encodings, settings: Transfer, watch: Watch
) -> dict[str, Any]:
    parts = [sets.splits[split] for split in ("all", "train", "dev", "test") if split in sets.splits]
    data = Labelled(
        np.concatenate([features(part, encodings) for part in parts]), np.concatenate([part.labels for part in parts])
    )
    problems = problems_of(task, data.y_N, [len(part) for part in parts], settings)
    grid = settings.classifier.grid(task.design)
    with watch(f"{name}: fitting", fits(problems, settings.classifier, grid)) as advance:
        solved, cut_off = solve(
            problems, data, sets.classes, settings.classifier, grid, settings.seed, settings.jobs, advance
        )
    metrics = {"test": accuracy(problems, solved, data.y_N), "dev": mean([solution.dev for solution in solved])}
    if task.f1:
        metrics["f1"] = f1(data.y_N[problems[0].test], solved[0].predictions)
    return {"metrics": metrics, "strengths": [solution.strength for solution in solved], "cut_off": cut_off}


def problems_of(task: Task, y_N: np.ndarray, sizes: Sequence[int], settings: Transfer) -> list[Problem]:
    if task.design == "nested":
        return nested(y_N, settings.folds)
    if task.design == "k-fold":
        return k_fold(y_N, sizes[0], settings.folds, settings.seed)
    return split(y_N, sizes[0], sizes[1])


def accuracy(problems: Sequence[Problem], solved: Sequence[Solution], y_N: np.ndarray) -> float:
    """Each fold's counts to two decimals, as in SentEval."""
    return mean([
        round(100 * float((solution.predictions == y_N[problem.test]).mean()), 2)
        for problem, solution in zip(problems, solved, strict=True)
    ])  # fmt: skip


def mean(percents: Sequence[float]) -> float:
    return round(float(np.mean(percents)), 2)


def f1(gold_N: np.ndarray, said_N: np.ndarray) -> float:
    """Of class 1, in percent."""
    right = int(((gold_N == 1) & (said_N == 1)).sum())
    return round(200 * right / max(1, int((gold_N == 1).sum() + (said_N == 1).sum())), 2)


def related(
    name: str, task: Task, sets: Sets, encodings: Encodings, settings: Transfer, watch: Watch
) -> dict[str, Any]:
    train, dev, test = (Labelled(features(sets.splits[split], encodings), sets.splits[split].labels)
                        for split in ("train", "dev", "test"))  # fmt: skip
    with watch(f"{name}: fitting", 1) as advance:
        ((dev_r, said_N),) = run(relatedness.grades, [(train, dev, test.x_NW, settings.seed)], 1, advance)
    metrics = {
        "pearson": pearson(said_N, test.y_N),
        "spearman": spearman(said_N, test.y_N),
        "mse": float(np.square(said_N - test.y_N).mean()),
        "dev/pearson": dev_r,
    }
    return {"metrics": metrics}


def alike(name: str, task: Task, sets: Sets, encodings: Encodings, settings: Transfer, watch: Watch) -> dict[str, Any]:
    said = {split: cosines(*(encodings(side) for side in samples.sentences)) for split, samples in sets.splits.items()}
    return {"metrics": correlations(said, {split: samples.labels for split, samples in sets.splits.items()})}


JUDGES = {"relatedness": related, "similarity": alike}


def cosines(u_NW: np.ndarray, v_NW: np.ndarray) -> np.ndarray:
    """(N,) A zero vector is like no other."""
    u_NW, v_NW = u_NW.astype(np.float64), v_NW.astype(np.float64)
    lengths_N = np.linalg.norm(u_NW, axis=1) * np.linalg.norm(v_NW, axis=1)
    return np.divide((u_NW * v_NW).sum(1), lengths_N, out=np.zeros(len(u_NW)), where=lengths_N > 0)


def correlations(said: Mapping[str, np.ndarray], gold: Mapping[str, np.ndarray]) -> dict[str, float]:
    """Pearson's and Spearman's coefficient of each set, their mean, and their mean weighted by the size of the set."""
    sizes = [len(gold[name]) for name in gold]
    found: dict[str, float] = {}
    for measure, function in (("pearson", pearson), ("spearman", spearman)):
        of_set = {name: function(said[name], gold[name]) for name in gold}
        found[f"{measure}/mean"] = float(np.mean(list(of_set.values())))
        found[f"{measure}/weighted"] = float(np.average(list(of_set.values()), weights=sizes))
        found |= {f"{measure}/{name}": value for name, value in of_set.items()}
    return found
