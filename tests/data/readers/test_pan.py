import pytest

from attest.data.readers import COMPANIONS, find_source
from attest.data.readers.pan import read_pan
from attest.errors import DataError

AGES = ("18-24", "25-34")
TWEETS = """<author lang="en">
\t<documents>
\t\t<document id="1"><![CDATA[soup & bread <3]]></document>
\t\t<document>one &amp; two</document>
\t\t<document/>
\t</documents>
</author>"""


def source(tmp_path, truth="a:::MALE:::18-24\nb:::FEMALE:::25-34\n", **texts):
    for author, text in (texts or {"a": TWEETS, "b": TWEETS}).items():
        (tmp_path / f"{author}.xml").write_text(text, encoding="utf-8")
    (tmp_path / "truth.txt").write_text(truth, encoding="utf-8")
    return find_source(tmp_path, "truth.txt", companions=COMPANIONS["pan"])


def test_tweets_with_the_age_of_their_author(tmp_path):
    found = list(read_pan(source(tmp_path), AGES))
    assert [example.label for example in found] == ["18-24"] * 3 + ["25-34"] * 3
    assert [example.row for example in found] == list(range(6))
    assert [example.sentences[0] for example in found[:3]] == ["soup & bread <3", "one & two", ""]


def test_the_texts_count_into_checksum_and_stamp(tmp_path):
    first = source(tmp_path)
    list(read_pan(first, AGES))
    second = source(tmp_path, a=TWEETS.replace("soup", "stew"), b=TWEETS)
    list(read_pan(second, AGES))
    assert first.sha256 != second.sha256
    stamp = second.stamp
    (tmp_path / "b.xml").write_text(TWEETS.replace("bread", "dough and more"), encoding="utf-8")
    assert second.stamp != stamp


def test_a_folder_without_its_list_is_named(tmp_path):
    (tmp_path / "a.xml").write_text(TWEETS)
    with pytest.raises(DataError, match=r"neither truth.txt nor truth.txt.xz is there"):
        find_source(tmp_path, "truth.txt")


@pytest.mark.parametrize(
    ("truth", "texts", "message"),
    [
        ("a:::MALE", {"a": TWEETS}, "truth.txt:1: expected 'author:::gender:::age', got 'a:::MALE'"),
        ("a", {"a": TWEETS}, "truth.txt:1: expected 'author:::gender:::age', got 'a'"),
        ("a:::MALE:::99-xx", {"a": TWEETS}, "truth.txt:1: age '99-xx' is not one of"),
        ("../a:::MALE:::18-24", {"a": TWEETS}, "truth.txt:1: expected .*, got the author '../a'"),
        ("a:::MALE:::18-24\n" * 2, {"a": TWEETS}, "truth.txt:2: author a is listed twice"),
        ("a:::MALE:::18-24:::x", {"a": TWEETS}, "truth.txt:1: expected"),
        (
            "a:::MALE:::18-24",
            {"b": TWEETS},
            "truth.txt:1: the tweets of author a are missing: .*neither a.xml nor a.xml.xz is there",
        ),
        ("\u00e4" * 100 + ":::MALE:::18-24", {"a": TWEETS}, "truth.txt:1: expected"),
        ("\x1ba:::MALE:::18-24", {"a": TWEETS}, r"truth.txt:1: expected .*, got the author '\\x1ba'"),
        (f"{'a' * 101}:::MALE:::18-24", {"a": TWEETS}, "truth.txt:1: expected"),
        ("a:::MALE:::18-24", {"a": TWEETS, "b": TWEETS}, "author b of b.xml is missing in the list"),
        ("a:::MALE:::18-24", {"a": TWEETS[:-5]}, r"a.xml:\d: not well-formed XML"),
        ("a:::MALE:::18-24", {"a": ""}, "a.xml:1: not well-formed XML"),
        (
            "a:::MALE:::18-24",
            {"a": '<!DOCTYPE a [<!ENTITY x "y">]>\n' + TWEETS},
            "a.xml:1: the file has a document type definition",
        ),
        (
            "a:::MALE:::18-24",
            {"a": TWEETS.replace("one", "</document>one<document>")},
            "a.xml:4: the text 'one' is outside of any document",
        ),
        (
            "a:::MALE:::18-24",
            {"a": TWEETS.replace("<document/>", "<tweet/>")},
            "a.xml:5: the element author/documents/tweet is not part",
        ),
        (
            "a:::MALE:::18-24",
            {"a": TWEETS.replace("one", "<b>one</b>")},
            "a.xml:4: the element author/documents/document/b is not part",
        ),
        (
            "a:::MALE:::18-24",
            {"a": "<document>one</document>"},
            "a.xml:1: the element document is not part of author/documents",
        ),
    ],
)
def test_damage_names_file_and_line(tmp_path, truth, texts, message):
    with pytest.raises(DataError, match=message):
        list(read_pan(source(tmp_path, truth, **texts), AGES))
