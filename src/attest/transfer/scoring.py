"""Metrics of a task, computed from the vectors of its sentences.

Legend: N examples, W features.
"""

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from attest.errors import EncodingError
from attest.runs.observers import ObserveWork, no_observers
from attest.system.correlation import pearson, spearman
from attest.transfer import relatedness
from attest.transfer.classifiers import LabelledVectors
from attest.transfer.cross_validation import (
    Problem,
    Solution,
    check_classes,
    job_count,
    k_fold_problems,
    nested_problems,
    solve,
    split_problems,
)
from attest.transfer.outcomes import Outcome
from attest.transfer.parallel import run_jobs
from attest.transfer.settings import Transfer
from attest.transfer.task_data import SplitExamples, TaskExamples
from attest.transfer.tasks import TASKS, Task
from attest.transfer.vector_cache import SentenceVectors


def score_task(
    name: str,
    examples: TaskExamples,
    sentence_vectors: SentenceVectors,
    settings: Transfer,
    observe: ObserveWork = no_observers,
) -> Outcome:
    """Encode the sentences of a task, compute its metrics by the task's design, and return the outcome."""
    task, sentences = TASKS[name], list(examples.sentences())
    began = time.perf_counter()
    if new := sentence_vectors.missing(sentences):
        with observe(f"{name}: encoding", len(new)) as observers:
            sentence_vectors.encode_missing(new, observers)
    encoded = time.perf_counter()
    if task.design == "similarity":
        facts = similarity_metrics(examples, sentence_vectors)
    elif task.design == "relatedness":
        facts = relatedness_metrics(name, examples, sentence_vectors, settings.seed, observe)
    else:
        facts = classification_metrics(name, examples, sentence_vectors, settings, observe)
    return Outcome(
        task=name,
        examples={split: len(samples) for split, samples in examples.splits.items()},
        expected=examples.expected,
        fingerprint=examples.fingerprint,
        width=sentence_vectors.width or 0,
        encoding_seconds=encoded - began,
        seconds=time.perf_counter() - encoded,
        **facts,
    )


def features(samples: SplitExamples, sentence_vectors: SentenceVectors) -> np.ndarray:
    """Return the features of examples: u (N, W) for sentences, [|u - v|; u * v] (N, 2 W) for pairs.

    Raise EncodingError if the product of two vectors is too large for their type.
    """
    if len(samples.sentences) == 1:
        return sentence_vectors(samples.sentences[0])
    u_NW, v_NW = (sentence_vectors(side) for side in samples.sentences)
    with np.errstate(over="ignore"):
        features_NW = np.concatenate([np.abs(u_NW - v_NW), u_NW * v_NW], axis=1)
    if not np.isfinite(features_NW).all():
        largest = max(np.abs(u_NW).max(), np.abs(v_NW).max())
        raise EncodingError(f"the encoder's vectors hold numbers up to {largest:.2g}, whose products are infinite; "
                            "scale the vectors down")  # fmt: skip
    return features_NW


def classification_metrics(
    name: str, examples: TaskExamples, sentence_vectors: SentenceVectors, settings: Transfer, observe: ObserveWork
) -> dict[str, Any]:
    """Return `metrics`, `strengths` and `cut_off` (see `Outcome`) of a task that predicts a class."""
    task = TASKS[name]
    samples = [examples.splits[split] for split in ("all", "train", "dev", "test") if split in examples.splits]
    data = LabelledVectors(
        np.concatenate([features(split, sentence_vectors) for split in samples]),
        np.concatenate([split.labels for split in samples]),
    )
    problems = problems_of(task, data.y_N, [len(split) for split in samples], settings)
    check_classes(name, problems, data.y_N)
    grid = settings.classifier.grid(task.design)
    with observe(f"{name}: fitting", job_count(problems, settings.classifier, grid)) as observers:
        solutions, cut_off = solve(
            problems, data, examples.classes, settings.classifier, grid, settings.seed, settings.jobs, observers
        )
    metrics = {"test": accuracy(problems, solutions, data.y_N), "dev": mean([solution.dev for solution in solutions])}
    if task.f1:
        metrics["f1"] = f1(data.y_N[problems[0].test], solutions[0].predictions)
    return {"metrics": metrics, "strengths": [solution.regularisation for solution in solutions], "cut_off": cut_off}


def problems_of(task: Task, y_N: np.ndarray, sizes: Sequence[int], settings: Transfer) -> list[Problem]:
    """Return the problems of cross-validation of a task, for its design (nested, k-fold or split).

    `sizes` are the numbers of examples in each split of the task, in the order of `y_N`.
    """
    if task.design == "nested":
        return nested_problems(y_N, settings.folds)
    if task.design == "k-fold":
        return k_fold_problems(y_N, sizes[0], settings.folds, settings.seed)
    return split_problems(y_N, sizes[0], sizes[1])


def accuracy(problems: Sequence[Problem], solutions: Sequence[Solution], y_N: np.ndarray) -> float:
    """Return the mean over problems of the test accuracy in percent, each rounded to two decimals as in SentEval."""
    return mean([
        round(100 * float((solution.predictions == y_N[problem.test]).mean()), 2)
        for problem, solution in zip(problems, solutions, strict=True)
    ])  # fmt: skip


def mean(percents: Sequence[float]) -> float:
    """Return the mean of percentages, rounded to two decimals."""
    return round(float(np.mean(percents)), 2)


def f1(gold_N: np.ndarray, predicted_N: np.ndarray) -> float:
    """Return F1 of class 1, in percent."""
    right = int(((gold_N == 1) & (predicted_N == 1)).sum())
    return round(200 * right / max(1, int((gold_N == 1).sum() + (predicted_N == 1).sum())), 2)


def relatedness_metrics(
    name: str, examples: TaskExamples, sentence_vectors: SentenceVectors, seed: int, observe: ObserveWork
) -> dict[str, Any]:
    """Return `metrics` of a task that predicts the grade of a pair by a trained model."""
    splits = [examples.splits[split] for split in ("train", "dev", "test")]
    train, dev, test = (LabelledVectors(features(split, sentence_vectors), split.labels) for split in splits)
    with observe(f"{name}: fitting", 1) as observers:
        job = (train, dev, test.x_NW, seed)
        ((dev_r, predicted_N),) = run_jobs(relatedness.predict_scores, [job], 1, observers)
    metrics = {
        "pearson": pearson(predicted_N, test.y_N),
        "spearman": spearman(predicted_N, test.y_N),
        "mse": float(np.square(predicted_N - test.y_N).mean()),
        "dev/pearson": dev_r,
    }
    return {"metrics": metrics}


def similarity_metrics(examples: TaskExamples, sentence_vectors: SentenceVectors) -> dict[str, Any]:
    """Return `metrics` of a task that predicts the grade of a pair by the cosine of its two vectors."""
    similarities = {
        split: cosines(*(sentence_vectors(side) for side in samples.sentences))
        for split, samples in examples.splits.items()
    }
    return {
        "metrics": correlations(similarities, {split: samples.labels for split, samples in examples.splits.items()})
    }


def cosines(u_NW: np.ndarray, v_NW: np.ndarray) -> np.ndarray:
    """Return the cosine (N,) of the two vectors of each pair, 0 if either vector is zero."""
    u_NW, v_NW = u_NW.astype(np.float64), v_NW.astype(np.float64)
    lengths_N = np.linalg.norm(u_NW, axis=1) * np.linalg.norm(v_NW, axis=1)
    return np.divide((u_NW * v_NW).sum(1), lengths_N, out=np.zeros(len(u_NW)), where=lengths_N > 0)


def correlations(predicted: Mapping[str, np.ndarray], gold: Mapping[str, np.ndarray]) -> dict[str, float]:
    """Return Pearson's and Spearman's coefficients by names such as pearson/headlines.

    Each coefficient has a value for each set, the mean over sets, and the mean weighted by the sizes of the sets.
    """
    sizes = [len(gold[name]) for name in gold]
    metrics: dict[str, float] = {}
    for measure, function in (("pearson", pearson), ("spearman", spearman)):
        of_set = {name: function(predicted[name], gold[name]) for name in gold}
        metrics[f"{measure}/mean"] = float(np.mean(list(of_set.values())))
        metrics[f"{measure}/weighted"] = float(np.average(list(of_set.values()), weights=sizes))
        metrics |= {f"{measure}/{name}": value for name, value in of_set.items()}
    return metrics
