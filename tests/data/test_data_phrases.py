"""Phrases beside the tokens of a corpus, by hand on files of our own."""

import json
import time

import numpy as np
import pytest
from kept_phrases import phrases_of
from write_file import write_file

from attest.config.compose import compose
from attest.data.batches.batch import gather
from attest.data.phrases import check_tree_words, common_length
from attest.data.prepare import cache_key_settings, prepare
from attest.data.text.tokens import tree_leaves
from attest.errors import DataError, SettingsError

FIRST = "( ( The ( old man ) ) ( ( walks ( his ( small dog ) ) ) . ) )"
LABELLED = "(ROOT (S (NP (DT The) (JJ old) (NN man)) (VP (VBZ walks) (NP (PRP$ his) (JJ small) (NN dog))) (. .)))"
SECOND = "( ( A dog ) ( walks . ) )"
COARSEST = {"syntax": [3, 5], "right": [1, 7], "balanced": [4, 4]}
SICK = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"


def row(first=FIRST, second=SECOND, **others):
    sentences = {f"sentence{side}": " ".join(tree_leaves(parse)) for side, parse in ((1, first), (2, second))}
    fields = {**sentences, "sentence1_binary_parse": first, "sentence2_binary_parse": second}
    return json.dumps({"gold_label": "neutral", **fields, **others})


@pytest.fixture
def prepared(tmp_path):
    def make(files, *overrides):
        vectors = {"glove/glove.42B.300d.txt": "dog 1 1\n"}
        for name, content in {**vectors, **files}.items():
            write_file(tmp_path / "data" / name, content)
        places = (f"paths.data={tmp_path / 'data'}", f"paths.cache={tmp_path / 'cache'}")
        return prepare(compose(["scale=paper", "experiment=psan/snli", "vectors.size=2", *places, *overrides]))

    return make


def snli(*lines):
    return {f"snli/snli_1.0_{split}.jsonl": "\n".join(lines) + "\n" for split in ("train", "dev", "test")}


def lengths(corpus, number=0, side=0, split="train"):
    """Of the phrases of a sentence, level by level."""
    ragged = corpus.splits[split].sentences[side]
    begin, end = ragged.offsets[number : number + 2]
    return [[last - first for first, last in level] for level in phrases_of(ragged.phrases[begin:end], 3)]


def test_the_trees_of_the_data(prepared):
    corpus = prepared(snli(row(), row(SECOND, "Dogs")))
    assert lengths(corpus) == [[3, 5], [3, 4, 1], [3, 1, 3, 1]]
    assert lengths(corpus, side=1) == [[2, 2]] * 3
    assert lengths(corpus, number=1, side=1) == [[1]] * 3
    facts = corpus.facts["splits"]["train"]["divided"]
    assert facts == {"sentences": 4, "words": 8 + 4 + 4 + 1, "phrases": [2 + 2 + 2 + 1, 3 + 2 + 2 + 1, 4 + 2 + 2 + 1]}


def test_trees_with_more_than_two_parts(prepared):
    labelled = {"sentence1_parse": LABELLED, "sentence2_parse": "(S (NP (DT A) (NN dog)) (VP (VBZ walks)) (. .))"}
    corpus = prepared(snli(row(**labelled)), "phrases.branching=nary")
    assert lengths(corpus) == [[3, 4, 1], [3, 1, 3, 1], [3, 1, 3, 1]]


def test_where_rows_have_trees_of_the_penn_treebank_alone_those_are_made_binary(prepared):
    fields = {"sentence1_parse": LABELLED, "sentence2_parse": "(S (NP (DT A) (NN dog)) (VP (VBZ walks)) (. .))"}
    alone = json.loads(row(**fields))
    del alone["sentence1_binary_parse"], alone["sentence2_binary_parse"]
    binary = row("( ( The ( old man ) ) ( ( walks ( his ( small dog ) ) ) . ) )", "( ( A dog ) ( walks . ) )")
    assert lengths(prepared(snli(json.dumps(alone)))) == lengths(prepared(snli(binary)))
    for branching in ("binary", "nary"):
        with pytest.raises(DataError, match=r"train.jsonl:1: the words of the tree"):
            other = {**alone, "sentence1": "Three women swim !"}
            prepared(snli(json.dumps(other)), f"phrases.branching={branching}")
    with pytest.raises(DataError, match=r"train.jsonl:2: field 'sentence2_parse': the line ends before the tree does"):
        prepared(snli(json.dumps(alone), json.dumps({**alone, "sentence2_parse": "(S (NP"})))


def test_two_trees_of_a_sentence_have_the_same_words(prepared):
    second = "(S (NP (DT A) (NN dog)) (VP (VBZ walks)) (. .))"
    labelled = {"sentence1_parse": LABELLED.replace("small", "old"), "sentence2_parse": second}
    with pytest.raises(DataError, match=r"train.jsonl:1: the two trees have different words: 'old' in one is 'sma"):
        prepared(snli(row(**labelled)), "phrases.branching=nary")


@pytest.mark.parametrize(
    ("sentence", "parse"),
    [
        ("The old man (a baker) walks his small dog.", FIRST),
        ("The old man walks his dog.", FIRST),
        ("A dog walks.", "( ( A dog ) ( ( sleeps well ) . ) )"),
    ],
)
def test_a_tree_of_other_words_is_an_error(prepared, sentence, parse):
    with pytest.raises(DataError, match=r"snli_1.0_train.jsonl:2: the words of the tree, '(The|A) "):
        prepared(snli(row(), row(parse, sentence1=sentence)))


def test_what_a_tokeniser_rewrites_is_no_other_word(prepared):
    parse = "( ( `` ( ( My color ) '' ) ) ( -LRB- ( ( is -RRB- ) ( ( the ( gray one ) ) ... ) ) ) )"
    corpus = prepared(snli(row(parse, sentence1="\u201cMy colour\u201d (is) the gray one \u2026")))
    assert corpus.splits["train"].sentences[0].lengths.tolist() == [len(tree_leaves(parse))] == [11]
    prepared(snli(row("( ( It is ) ( gray . ) )", sentence1="It is grey.")))
    prepared(snli(row("( ( A theater ) . )", sentence1="A theatre.")))


def plain_common_length(first, second):
    """The table of all pairs of beginnings, by the definition."""
    above = [0] * (len(second) + 1)
    for letter in first:
        row = [0]
        for place, other in enumerate(second):
            row.append(above[place] + 1 if letter == other else max(row[-1], above[place + 1]))
        above = row
    return above[-1]


def test_common_letters_are_those_of_the_definition():
    rng = np.random.default_rng(0)
    for _ in range(200):
        first, second = ("".join(rng.choice(list("abcd"), size=rng.integers(0, 40))) for _ in range(2))
        assert common_length(first, second) == common_length(second, first) == plain_common_length(first, second)


@pytest.mark.parametrize(("every", "differ"), [(10, True), (100, False)])
def test_long_rows_are_compared_in_a_moment(every, differ):
    """10,000 words, of which every tenth or hundredth is another one: this took hours."""
    rng = np.random.default_rng(0)
    words = ["".join(rng.choice(list("etaoinshrdlu"), size=rng.integers(2, 8))) for _ in range(10_000)]
    leaves = [word[::-1] + "xyzxyz" if place % every == 0 else word for place, word in enumerate(words)]
    began = time.process_time()
    if differ:
        with pytest.raises(ValueError, match="are not those of the sentence"):
            check_tree_words(" ".join(words), leaves)
    else:
        check_tree_words(" ".join(words), leaves)
    assert time.process_time() - began < 10


def test_a_row_with_half_the_file_in_it_is_refused_in_a_moment():
    began = time.process_time()
    with pytest.raises(ValueError, match="the words of the tree, 'A dog walks', are not those"):
        check_tree_words("A dog walks " * 100_000, ["A", "dog", "walks"])
    assert time.process_time() - began < 10


@pytest.mark.parametrize("parser", ["right", "balanced"])
def test_trees_that_are_made(prepared, parser):
    corpus = prepared(snli(row()), f"phrases={parser}")
    assert lengths(corpus)[0] == COARSEST[parser]


def test_batches_carry_them_where_a_split_is_chosen_from(prepared):
    split = prepared(snli(row(), row(SECOND, "Dogs"))).splits["train"].select(np.array([1, 0]))
    first, second = gather(split, np.array([0, 1])).phrases
    assert first.tolist() == [[7, 0, 7, 0, 0, 0, 0, 0], [7, 0, 0, 7, 4, 0, 0, 6]]
    assert second.tolist() == [[7, 0, 0, 0], [7, 0, 7, 0]]


def test_without_a_parser_nothing_is_there(prepared):
    split = prepared(snli(row()), "model=disan", "mask=diagonal", "phrases=none").splits["train"]
    assert split.sentences[0].phrases is None
    assert gather(split, np.array([0])).phrases is None


def test_only_models_with_phrases_have_another_cache():
    plain = compose(["experiment=disan/snli", "phrases=none", "phrases.levels=5"])
    assert cache_key_settings(plain) == cache_key_settings(compose(["experiment=disan/snli"]))
    assert cache_key_settings(compose(["experiment=psan/snli"])) != cache_key_settings(
        compose(["experiment=psan/snli", "phrases=right"])
    )


def test_parses_beside_the_set(prepared):
    sick = {
        f"sick/SICK_{name}.txt": SICK + "1\tIt isn't red\tA dog\t3\tNEUTRAL\n"
        for name in ("train", "trial", "test_annotated")
    }
    parses = {
        f"sick/parses/SICK_{name}_parsed.txt": "%label\tA\tB\nNEUTRAL\t( A dog )\t( It ( ( is n't ) red ) )\tmore\n"
        for name in ("train", "trial", "test_annotated_rearranged")
    }
    corpus = prepared({**sick, **parses}, "experiment=psan/sick_entailment")
    assert lengths(corpus) == [[1, 3]] * 3
    assert corpus.facts["splits"]["train"]["with_parse"] == 1
    with pytest.raises(DataError, match=r"SICK_train_parsed.txt:2: expected a label and 2 trees separated by tabs"):
        prepared({"sick/parses/SICK_train_parsed.txt": "%\nNEUTRAL\t( A dog )\n"}, "experiment=psan/sick_entailment")
    with pytest.raises(
        DataError, match=r"SICK_train_parsed.txt:1: the line ends before the tree does.*; a tree looks like"
    ):
        prepared({"sick/parses/SICK_train_parsed.txt": "x\t( A dog\tb\n"}, "experiment=psan/sick_entailment")
    with pytest.raises(DataError, match=r"SICK_train.txt:2: the sentence has no parse"):
        empty = dict.fromkeys(parses, "")
        prepared(empty, "experiment=psan/sick_entailment")


def test_parts_of_trees_have_trees(prepared):
    tree = "(3 (2 (2 a) (2 b)) (3 (2 c) (3 (2 d) (2 e))))\n"
    sst = {f"sst/trees/{split}.txt": tree for split in ("train", "dev", "test")}
    corpus = prepared(sst, "experiment=psan/sst5", "text.phrases=all")
    assert lengths(corpus) == [[2, 3]] * 3
    assert len(corpus.splits["train"]) == 9
    assert len(corpus.splits["dev"]) == 1


@pytest.mark.parametrize(("second", "message"), [
    ("( ( A dog ) walks", "snli_1.0_train.jsonl:2: the line ends before the tree does"),
    ("( A dog ) ( walks . )", r"snli_1.0_train.jsonl:2: '\(' at character 11 follows the end"),
])  # fmt: skip
def test_bad_trees_name_file_and_line(prepared, second, message):
    with pytest.raises(DataError, match=message) as caught:
        prepared(snli(row(), row(FIRST, second)))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("trees", [{}, {"sentence1_binary_parse": "", "sentence1_parse": ""}])
def test_a_sentence_without_a_tree_names_file_and_line(prepared, trees):
    without = json.dumps({"gold_label": "neutral", "sentence1": "A dog", "sentence2": "runs", **trees})
    with pytest.raises(DataError, match=r"snli_1.0_train.jsonl:2: the sentence has no parse; set phrases=learned"):
        prepared(snli(row(), without))


@pytest.mark.parametrize(("overrides", "message"), [
    (["text.tokens=treebank"], "phrases.source: the trees of the data set"),
    (["text.split_characters='-'"], "text.split_characters: '-' makes tokens that are not leaves"),
    (["text.deleted=['-']"], "text.deleted"),
    (["text.first='<null>'"], "text.first"),
    (["text.last='<end>'"], "text.last"),
    (["text.token_limit=5"], "text.token_limit"),
    (["text.stop_words=removed"], "text.stop_words"),
])  # fmt: skip
def test_tokens_that_are_no_leaves(prepared, overrides, message):
    with pytest.raises(SettingsError, match=message):
        prepared(snli(row()), *overrides)


@pytest.mark.parametrize(("overrides", "message"), [
    (["model=disan", "mask=diagonal", "phrases=corpus"], "phrases.source: DiSAN does not attend within phrases"),
    (["model=psan"], "phrases.source: PSAN attends within phrases; choose an experiment with phrases"),
    (["model=psan", "phrases=corpus", "phrases.levels=2"], "phrases.levels: 2 is too few for PSAN; type phrases"),
])  # fmt: skip
def test_models_and_parsers_that_do_not_fit(overrides, message):
    with pytest.raises(SettingsError, match=message):
        compose(["experiment=disan/snli", *overrides])
    compose(["experiment=disan/snli", "model=psan", "model.divisions=[0]"])


def test_a_parser_is_part_of_what_the_data_are(prepared):
    right, balanced, own = (prepared(snli(row()), *more) for more in (["phrases=right"], ["phrases=balanced"], []))
    assert len({corpus.fingerprint for corpus in (right, balanced, own)}) == 3
    assert right.facts["fingerprint_of_words"] == balanced.facts["fingerprint_of_words"] == own.fingerprint
