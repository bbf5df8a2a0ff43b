import pytest

from attest.data.readers import find_source
from attest.data.readers.example import Phrase
from attest.data.readers.sst import read_sst, read_sst_in_two
from attest.data.text.tokens import tree_leaves
from attest.errors import DataError

LABELS = ("--", "-", "0", "+", "++")
TREE = "(3 (2 we) (3 (3 (1 (2 do) (1 n't)) (2 mind)) (2 .)))"


def read(tmp_path, *lines):
    (tmp_path / "train.txt").write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return list(read_sst(find_source(tmp_path, "train.txt"), LABELS))


def test_a_tree_by_hand(tmp_path):
    (example,) = read(tmp_path, TREE)
    assert (example.row, example.label, example.sentences) == (0, "+", ("we do n't mind .",))
    assert example.parses == ("( we ( ( ( do n't ) mind ) . ) )",)
    assert example.phrases == (
        Phrase(0, 1, "0"), Phrase(1, 2, "0"), Phrase(2, 3, "-"), Phrase(1, 3, "-"), Phrase(3, 4, "0"),
        Phrase(1, 4, "+"), Phrase(4, 5, "0"), Phrase(1, 5, "+"),
    )  # fmt: skip


def test_the_leaves_are_the_tokens_with_their_escapes(tmp_path):
    (example,) = read(tmp_path, "(2 (2 (2 -LRB-) (2 2\u00a01\\/2)) (2 (2 ``) (2 é)))")
    assert (
        tree_leaves(str(example.parses[0])) == ["-LRB-", "2\u00a01\\/2", "``", "é"] == example.sentences[0].split(" ")
    )


def test_a_sentence_of_one_word_has_no_other_phrase(tmp_path):
    (example,) = read(tmp_path, "(4 splendid)")
    assert (example.label, example.sentences, example.phrases) == ("++", ("splendid",), ())


def test_of_two_classes_what_is_neither_bad_nor_good_has_no_label_and_its_parts_may(tmp_path):
    lines = (TREE, "(2 (0 (1 so) (2 dull)) (4 fun))", "(0 (2 no) (2 song))")
    read(tmp_path, *lines)
    found = list(read_sst_in_two(find_source(tmp_path, "train.txt"), ("bad", "good")))
    assert [(one.row, one.label) for one in found] == [(0, "good"), (1, None), (2, "bad")]
    assert [[(p.start, p.end, p.label) for p in one.phrases] for one in found] == [
        [(2, 3, "bad"), (1, 3, "bad"), (1, 4, "good"), (1, 5, "good")],
        [(0, 1, "bad"), (0, 2, "bad"), (2, 3, "good")],
        [],
    ]
    with pytest.raises(DataError, match="class '5' is not one of 0, 1, 2, 3, 4"):
        (tmp_path / "train.txt").write_text("(5 splendid)\n")
        list(read_sst_in_two(find_source(tmp_path, "train.txt"), ("bad", "good")))


def test_trees_may_be_of_any_depth(tmp_path):
    depth = 50_000
    left = "(2 " * depth + "(2 a)" + " (3 b))" * depth
    right = "(2 (3 b) " * depth + "(2 a)" + ")" * depth
    for example in read(tmp_path, left, right):
        assert example.sentences[0].count("b") == depth
        assert len(example.phrases) == 2 * depth


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "the line holds no tree"),
        ("()", "a node is empty"),
        ("(2 )", "a node is empty"),
        ("(2 (2 a))", "a node holds 1 nodes instead of one word or two nodes"),
        ("(2 (2 a) (2 b) (2 c))", "a node holds 3 nodes"),
        ("(2 (2 a) (2 b)", "the line ends before the tree does"),
        ("(2 a))", r"'\)' at character 6 follows the end of the tree"),
        (") (2 a)", "a closing bracket has no opening bracket"),
        ("(2 a) (2 b)", r"'\(' at character 7 follows"),
        ("(2 a b)", "'b' at character 6 is not alone in brackets"),
        ("(2 a (2 b))", "the node '2' holds a word and other nodes"),
        ("(x a)", "class 'x' is not one of 0, 1, 2, 3, 4"),
        ("(5 a)", "class '5' is not one of 0, 1, 2, 3, 4"),
        ("( a)", "class '' is not one of 0, 1, 2, 3, 4"),
        ("(2 (-NONE- a) (2 b))", "class '-NONE-' is not one of"),
        ("(2 (9999999999 a) (2 b))", "class '9999999999' is not one of"),
        (f"(2 ({'9' * 5000} a) (2 b))", "class '9{40}' is not one of"),
        ("(2 (\uff12 a) (2 b))", "class '\uff12' is not one of"),
        ("(2 (02 a) (2 b))", "class '02' is not one of"),
        ("two words", "'two' at character 1 is not alone"),
    ],
)
def test_malformed_trees_name_file_and_line(tmp_path, line, message):
    with pytest.raises(DataError, match=rf"train.txt:2: {message}.*; a tree looks like \(3 \(2 a\)") as caught:
        read(tmp_path, TREE, line)
    assert "\n" not in str(caught.value)
