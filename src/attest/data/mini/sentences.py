"""The files of all built-in data sets except SNLI and MultiNLI, in their official formats."""

import random
from collections.abc import Callable, Iterator

from attest.data.mini import grammar, opinions, paraphrases, profiles, questions, relatedness, trees
from attest.data.mini.vectors import SIZE, vector_lines

LATIN_1_SETS = ("trec", "mr", "cr", "subj", "mpqa")
"""The data sets whose files are in latin-1."""
VECTORS = "glove/glove.mini_sentences.24d.txt"
WORD2VEC = "word2vec/word2vec.mini.24d.txt"
# The number of lines of each file, by its split or its name
SST = {"train": 2_000, "dev": 300, "test": 500}
TREC = {"train_5500": 1_500, "TREC_10": 300}
SICK = {"TRAIN": 2_000, "TRIAL": 300, "TEST": 1_000}
SICK_FILES = {"TRAIN": "SICK_train", "TRIAL": "SICK_trial", "TEST": "SICK_test_annotated"}
PARSES = {"TRAIN": "SICK_train_parsed", "TRIAL": "SICK_trial_parsed", "TEST": "SICK_test_annotated_rearranged_parsed"}
SST2 = {"train": 1_200, "dev": 300, "test": 500}
MRPC = {"train": 600, "test": 300}
STSB = {"train": 1_500, "dev": 300, "test": 500}
STS14 = {"deft-forum": 60, "deft-news": 40, "headlines": 100, "images": 100, "OnWN": 100, "tweet-news": 100}
YELP = 2_000
AGE = "pan16/pan16-author-profiling-training-dataset-english-2016-04-25"
AUTHORS, TWEETS = 40, 50
"""The number of authors, and of the tweets of each author."""
SAMPLES_PER_CLASS = 400
"""The number of samples in each file of MR, CR, SUBJ and MPQA."""
NEXT_LINE = "\x85"
"""A character that occurs in MR and SUBJ and does not end a line there, unlike in str.splitlines."""


def sentence_files() -> Iterator[tuple[str, Iterator[str]]]:
    """Yield the path of each file below the data folder, and its lines."""
    for split, size in SST.items():
        yield f"sst/trees/{split}.txt", sst_lines(random.Random(f"sst {split}"), size)
    for split, size in TREC.items():
        rng = random.Random(f"trec {split}")
        yield f"trec/{split}.label", (questions.draw_question(rng) for _ in range(size))
    pairs = {split: sick_pairs(random.Random(f"sick {split}"), size) for split, size in SICK.items()}
    for split, name in SICK_FILES.items():
        yield f"sick/{name}.txt", relatedness.semeval_lines(pairs[split])
        yield f"sick/parses/{PARSES[split]}.txt", relatedness.parse_lines(pairs[split])
    yield "sick/SICK.txt", relatedness.sick_txt_lines(pairs)
    for split, size in SST2.items():
        yield f"sst/senteval-binary/sentiment-{split}", sst2_lines(random.Random(f"sst2 {split}"), size)
    for split, size in MRPC.items():
        yield f"mrpc/msr_paraphrase_{split}.txt", paraphrases.mrpc_lines(random.Random(f"mrpc {split}"), size)
    for split, size in STSB.items():
        yield f"stsbenchmark/sts-{split}.csv", paraphrases.stsb_lines(sick_pairs(random.Random(f"stsb {split}"), size))
    for name, size in STS14.items():
        similar = sick_pairs(random.Random(f"sts14 {name}"), size)
        yield f"sts14/STS.input.{name}.txt", paraphrases.sts_lines(similar)
        yield f"sts14/STS.gs.{name}.txt", paraphrases.sts_scores(similar)
    for name, path, draw in CLASS_FILES:
        yield path, class_lines(random.Random(path), SAMPLES_PER_CLASS, draw, has_empty=name in ("cr", "mpqa"))
    yield "yelp/train.csv", profiles.yelp_lines(random.Random("yelp"), YELP)
    yield f"{AGE}/truth.txt", profiles.truth_lines(AUTHORS)
    for author, age in profiles.authors(AUTHORS):
        yield f"{AGE}/{author}.xml", profiles.author_lines(random.Random(author), age, TWEETS)
    yield VECTORS, vector_lines(vector_groups(), without=opinions.NO_VECTOR)
    yield WORD2VEC, word2vec_lines()


def word2vec_lines() -> Iterator[str]:
    """Yield the lines of the vector file in word2vec's text format, which begins with the size of the table."""
    rows = list(vector_lines(vector_groups(), without=opinions.NO_VECTOR))
    yield f"{len(rows)} {SIZE}"
    yield from rows


def sst_lines(rng: random.Random, size: int) -> Iterator[str]:
    """Yield `size` sentiment trees."""
    for _ in range(size):
        yield trees.to_labelled_brackets(opinions.draw_opinion(rng))


def sst2_lines(rng: random.Random, size: int) -> Iterator[str]:
    """Yield phrases and sentences with two classes, as in SentEval: text, a space, a tab and the class."""
    for _ in range(size):
        sign = rng.choice((-1, 1))
        text = text_drawer(sign, rng.choice((opinions.draw_phrase, opinions.draw_opinion)))(rng)
        yield f"{text} \t{int(sign > 0)}"


def sick_pairs(rng: random.Random, size: int) -> list[relatedness.RelatedPair]:
    """Return `size` drawn pairs."""
    return [relatedness.draw_related_pair(rng) for _ in range(size)]


def class_lines(
    rng: random.Random, size: int, draw: Callable[[random.Random], str], *, has_empty: bool = False
) -> Iterator[str]:
    """Yield `size` lines of one class. Every 100th holds NEXT_LINE; if `has_empty`, the last is empty."""
    for number in range(size - has_empty):
        text = draw(rng)
        yield text.replace(" .", f" {NEXT_LINE} .") if number % 100 == 0 else text
    if has_empty:
        yield ""


def text_drawer(sign: int, draw: Callable[[random.Random], trees.Tree]) -> Callable[[random.Random], str]:
    """Return a function that draws the text of a tree with a positive (sign 1) or negative (sign -1) grade."""

    def draw_text(rng: random.Random) -> str:
        tree = draw(rng)
        while opinions.grade_of(tree) * sign <= 0:
            tree = draw(rng)
        return profiles.text_of(tree)

    return draw_text


def subjective_sentence(rng: random.Random) -> str:
    """Draw a sentence such as 'i found the soup very good .'."""
    return " ".join(
        ["i found", *trees.words(opinions.draw_subject(rng))[:2], *trees.words(opinions.draw_judgement(rng)), "."]
    )


def objective_sentence(rng: random.Random) -> str:
    """Draw a sentence such as 'the small dog sleeps in the park .'."""
    return " ".join(trees.words(grammar.draw_lexical_pair(rng, list(grammar.PLAYERS)).first))


CLASS_FILES: list[tuple[str, str, Callable[[random.Random], str]]] = [
    ("mr", "mr/rt-polarity.neg", text_drawer(-1, opinions.draw_opinion)),
    ("mr", "mr/rt-polarity.pos", text_drawer(1, opinions.draw_opinion)),
    ("cr", "cr/custrev.neg", text_drawer(-1, opinions.draw_clause)),
    ("cr", "cr/custrev.pos", text_drawer(1, opinions.draw_clause)),
    ("subj", "subj/subj.subjective", subjective_sentence),
    ("subj", "subj/subj.objective", objective_sentence),
    ("mpqa", "mpqa/mpqa.neg", text_drawer(-1, opinions.draw_phrase)),
    ("mpqa", "mpqa/mpqa.pos", text_drawer(1, opinions.draw_phrase)),
]
"""The data set, the file and the function that draws a sample, for each file with samples of one class."""


def vector_groups() -> dict[str, tuple[str, ...]]:
    """Return the groups of words whose vectors are similar, by the name of the group."""
    return {
        **{f"grade {grade}": words for grade, words in opinions.ADJECTIVES.items()},
        **{kind: (kind, *nouns) for kind, nouns in grammar.KINDS.items()},
        "thing": (*opinions.THINGS, *questions.FOODS),
        "deed": (*grammar.TRANSITIVE, *grammar.TRANSITIVE.values()),
        "state": (*grammar.INTRANSITIVE, *grammar.INTRANSITIVE.values()),
        "adjective": grammar.ADJECTIVES,
        "place": grammar.PLACES,
        "letters": questions.LETTERS,
        "function": (*opinions.WORDS, *questions.WORDS, "by", "in", "does"),
    }
