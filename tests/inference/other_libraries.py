"""Load an exported folder with Sentence Transformers, evaluate it with mteb, and print what they give as JSON.

Run as a process of its own with the folder and a file of sentences in JSON: both libraries take seconds to import.
"""

import json
import sys
import warnings

warnings.simplefilter("ignore")

import mteb  # noqa: E402
import pytest  # noqa: E402
from datasets import Dataset, DatasetDict  # noqa: E402
from mteb.abstasks import AbsTaskSTS  # noqa: E402
from mteb.abstasks.task_metadata import TaskMetadata  # noqa: E402
from sentence_transformers import SentenceTransformer  # noqa: E402

from attest.errors import SettingsError  # noqa: E402
from attest.inference.sentence_transformer import SentenceEncoder  # noqa: E402

folder, sentences = sys.argv[1], json.loads(sys.argv[2])
SCORES = [float(i) for i in range(len(sentences) - 1)]
ABSENT = (
    "reference",
    "date",
    "domains",
    "task_subtypes",
    "license",
    "annotations_creators",
    "dialect",
    "bibtex_citation",
)


class LocalSimilarity(AbsTaskSTS):
    """Similarity of each sentence to the first one, with made-up scores."""

    metadata = TaskMetadata(
        name="LocalSimilarity",
        description="Pairs of sentences of a test",
        dataset={"path": "local/none", "revision": "1"},
        type="STS",
        category="t2t",
        modalities=["text"],
        eval_splits=["test"],
        eval_langs=["eng-Latn"],
        main_score="cosine_spearman",
        sample_creation=None,
        **dict.fromkeys(ABSENT),
    )
    min_score, max_score = 0, len(SCORES)

    def load_data(self, **_: object) -> None:
        pairs = {"sentence1": [sentences[0]] * len(SCORES), "sentence2": sentences[1:], "score": SCORES}
        self.dataset, self.data_loaded = DatasetDict(test=Dataset.from_dict(pairs)), True


model = SentenceTransformer(folder, trust_remote_code=True)
vectors = model.encode([*sentences, "", "quixotic"], batch_size=3)
model.save(f"{folder}-saved")
for no_sentence in (None, ("a", "b"), {"text": "a"}, 1.5):
    with pytest.raises(SettingsError, match="sentence: expected a string, got "):
        model.encode([no_sentence])
imported = SentenceTransformer(modules=[SentenceEncoder.load(folder)])  # without trust_remote_code
assert (imported.encode(sentences) == model.encode(sentences)).all()
result = mteb.evaluate(model, LocalSimilarity(), cache=None, show_progress_bar=False)
print(json.dumps({"vectors": vectors.tolist(), "spearman": result.task_results[0].get_score()}))
