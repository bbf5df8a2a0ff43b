import hashlib
import lzma
import random
import zipfile
import zlib
from pathlib import Path

import pytest
from fuzz.packed import encrypted, member_twice, names_not_text, unknown_method, unknown_version

from attest.config.settings import Archive
from attest.data.files.find_files import find_source
from attest.data.files.source import MAX_LINE_BYTES, Source
from attest.data.readers.fields import split_columns
from attest.errors import DataError

TEXT = b"one\ntwo\r\nthree \xc2\x85 still three\n"
LINES = [(1, "one"), (2, "two"), (3, "three \x85 still three")]
ARCHIVE = Archive(url="https://example.org/a.zip", sha256="0" * 64, size=1, path="set/a.zip", folder="inner")


def put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def put_zip(path: Path, members: dict[str, bytes]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)


def test_loose_packed_and_zipped_files_read_alike(tmp_path):
    put(tmp_path / "1/set/a.txt", TEXT)
    put(tmp_path / "2/set/a.txt.xz", lzma.compress(TEXT))
    put_zip(tmp_path / "3/set/a.zip", {"inner/a.txt": TEXT})
    sources = [find_source(tmp_path / number, "set/a.txt", ARCHIVE) for number in "123"]
    for source in sources:
        assert list(source.lines()) == LINES
    assert len({source.sha256 for source in sources}) == 1


@pytest.mark.parametrize("way", ["lines", "blocks", "chunks"])
def test_the_hash_is_known_once_the_file_was_read_to_its_end(tmp_path, way):
    """A hash of what was read so far would be that of no bytes for every file that nobody has read."""
    put(tmp_path / "a.txt", TEXT * 20_000)
    source = Source(tmp_path / "a.txt")
    unknown = pytest.raises(RuntimeError, match=r"a.txt: the hash is not known yet; read the file to its end first")
    with unknown:
        _ = source.sha256
    pieces = getattr(source, way)()
    next(pieces)
    with unknown:
        _ = source.sha256
    for _ in pieces:
        pass
    assert source.sha256 == hashlib.sha256(TEXT * 20_000).hexdigest()
    pieces = getattr(source, way)()
    next(pieces)
    pieces.close()
    with unknown:
        _ = source.sha256


def test_a_file_that_cannot_be_read_to_its_end_has_no_hash(tmp_path):
    put(tmp_path / "a.txt", b"good\nb\xffd\n")
    source = Source(tmp_path / "a.txt")
    with pytest.raises(DataError, match=r"a.txt:2: byte 2"):
        list(source.lines())
    with pytest.raises(RuntimeError, match=r"the hash is not known yet"):
        _ = source.sha256


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(DataError, match=r"nowhere.txt: cannot read the file: .*No such file"):
        list(Source(tmp_path / "nowhere.txt").lines())


def test_a_member_that_points_outside_is_refused(tmp_path):
    for name in ("../evil.txt", "/etc/evil.txt", "a/../../evil.txt"):
        put_zip(tmp_path / "set/a.zip", {"inner/a.txt": TEXT, name: b"x"})
        with pytest.raises(DataError, match="points outside"):
            find_source(tmp_path, "set/a.txt", ARCHIVE)
    assert not list(tmp_path.rglob("evil.txt"))


def test_a_missing_file_says_where_it_belongs_and_where_from(tmp_path):
    with pytest.raises(
        DataError, match=r"none of a.txt, a.txt.xz and a.zip is there.*https://example.org/a.zip at .*set/a.zip"
    ):
        find_source(tmp_path, "set/a.txt", ARCHIVE)
    with pytest.raises(DataError, match="`attest data list` says where to get it"):
        find_source(tmp_path, "set/a.txt")
    with pytest.raises(DataError, match=f"^{tmp_path}/other/: neither a.txt nor a.txt.xz is there"):
        find_source(tmp_path / "data", str(tmp_path / "other/a.txt"))


def test_an_archive_without_the_file_is_an_error(tmp_path):
    put_zip(tmp_path / "set/a.zip", {"other/a.txt": TEXT})
    with pytest.raises(DataError, match="not the official archive, since inner/a.txt is missing in it"):
        find_source(tmp_path, "set/a.txt", ARCHIVE)
    put(tmp_path / "set/a.zip", b"no zip at all")
    with pytest.raises(DataError, match="not a readable zip"):
        find_source(tmp_path, "set/a.txt", ARCHIVE)


def test_bytes_that_are_not_text_name_file_and_line(tmp_path):
    put(tmp_path / "a.txt", b"good\nb\xffd\n")
    with pytest.raises(DataError, match=r"a.txt:2: byte 2 of the line is not utf-8"):
        list(find_source(tmp_path, "a.txt").lines())
    assert [line for _, line in find_source(tmp_path, "a.txt", encoding="latin-1").lines()] == ["good", "bÿd"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_file_in_utf_16_says_so(tmp_path, encoding):
    """Excel's "Unicode text" begins with a mark, which not all programs write."""
    put(tmp_path / "a.txt", "good\r\nbäd\r\n".encode(encoding))
    with pytest.raises(DataError, match=r"a.txt:1: the file looks like UTF-16; save it as UTF-8"):
        list(find_source(tmp_path, "a.txt").lines())


@pytest.mark.parametrize("cut", [1, 40, 90])
def test_a_file_that_is_cut_off_names_the_line(tmp_path, cut):
    packed = lzma.compress(b"".join(b"line %d\n" % i for i in range(1000)))
    put(tmp_path / "a.txt.xz", packed[: len(packed) * cut // 100])
    with pytest.raises(DataError, match=r"a.txt.xz:\d+: the file is damaged or incomplete"):
        list(find_source(tmp_path, "a.txt").lines())


def test_a_damaged_member_names_the_line(tmp_path):
    put_zip(tmp_path / "set/a.zip", {"inner/a.txt": b"".join(b"line %d\n" % i for i in range(1000))})
    content = bytearray((tmp_path / "set/a.zip").read_bytes())
    content[200:240] = b"\0" * 40
    (tmp_path / "set/a.zip").write_bytes(content)
    with pytest.raises(DataError, match=r"a.zip\[inner/a.txt\]:\d+: the file is damaged"):
        list(find_source(tmp_path, "set/a.txt", ARCHIVE).lines())


@pytest.mark.parametrize("damage", [names_not_text, unknown_version, unknown_method, encrypted, member_twice])
def test_a_zip_with_a_directory_that_cannot_be_read_is_one_sentence(tmp_path, damage):
    put_zip(tmp_path / "set/a.zip", {"inner/a.txt": TEXT})
    content = (tmp_path / "set/a.zip").read_bytes()
    (tmp_path / "set/a.zip").write_bytes(damage(random.Random(0), content))
    with pytest.raises(
        DataError, match=r"a.zip.*(not a readable zip|not the official archive|cannot read the file|damaged)"
    ):
        list(find_source(tmp_path, "set/a.txt", ARCHIVE).lines())


def test_a_byte_order_mark_is_no_text_and_counts_into_the_checksum(tmp_path):
    put(tmp_path / "a.txt", b"\xef\xbb\xbf" + TEXT)
    source = find_source(tmp_path, "a.txt")
    assert list(source.lines()) == LINES
    assert source.sha256 == hashlib.sha256(b"\xef\xbb\xbf" + TEXT).hexdigest()
    put(tmp_path / "a.txt", b"\xef\xbb\xbf")
    assert list(source.lines()) == []
    with pytest.raises(DataError, match=r"a.txt:1: the file begins with a byte-order mark of UTF-8, but is latin-1"):
        list(find_source(tmp_path, "a.txt", encoding="latin-1").lines())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b"a" * (MAX_LINE_BYTES + 1),
            "a.txt:1: the line has over 16,777,216 bytes; shorten it in your own file, or use",
        ),
        (b"one\ntw\0o\n", "a.txt:2: the line holds a zero byte, .*; delete the byte in your own file, or use the off"),
    ],
    ids=["long line", "zero byte"],
)
def test_a_damaged_line_says_what_to_do_with_a_file_of_ones_own(content, message, tmp_path):
    put(tmp_path / "a.txt", content)
    with pytest.raises(DataError, match=message):
        list(find_source(tmp_path, "a.txt").lines())


def test_only_one_carriage_return_is_part_of_a_line_end(tmp_path):
    put(tmp_path / "a.txt", b"one\r\r\ntwo\r")
    assert list(find_source(tmp_path, "a.txt").lines()) == [(1, "one\r"), (2, "two")]


@pytest.mark.parametrize("target", ["nowhere", "a.txt", "."])
def test_a_link_that_leads_to_no_file_is_named(tmp_path, target):
    (tmp_path / "a.txt").symlink_to(target)
    with pytest.raises(
        DataError, match=r"a.txt: a folder or a link that leads to no file is there; put a file in its place"
    ):
        find_source(tmp_path, "a.txt")


@pytest.mark.parametrize("target", ["nowhere", "b.xml"])
def test_a_companion_that_is_a_link_to_no_file_is_named(tmp_path, target):
    put(tmp_path / "a.txt", TEXT)
    (tmp_path / "b.xml").symlink_to(target)
    with pytest.raises(DataError, match=r"b.xml: cannot read the file: "):
        _ = find_source(tmp_path, "a.txt", companions="*.xml").stamp


def test_control_characters_of_names_and_text_are_shown_as_escapes(tmp_path):
    put(tmp_path / "\x1b[2Ja\n.txt", b"a\x07b\t\xe2\x80\xae\n")
    source = find_source(tmp_path, "\x1b[2Ja\n.txt")
    for message in (str(source), str(source.error(1, "the \x9bword\r"))):
        assert message.isprintable()
        assert r"/\x1b[2Ja\n.txt" in message
    with pytest.raises(DataError, match=r"expected 3 columns separated by tabs, got 2"):
        split_columns(source, *next(source.lines()), (3,))
    with pytest.raises(DataError, match=r"got 'a\\x07b\\t\\u202e'"):
        split_columns(source, *next(source.lines()), (3,), "three words")


def test_bombs_are_refused_while_reading(tmp_path):
    zeros = b"0" * 1000 + b"\n"
    put(tmp_path / "bomb.txt.xz", lzma.compress(zeros * 20_000))
    with pytest.raises(DataError, match="unpacks to over 100 times its size"):
        list(find_source(tmp_path, "bomb.txt").lines())
    put(tmp_path / "line.txt", b"0" * (2**24 + 1))
    with pytest.raises(DataError, match="the line has over"):
        list(find_source(tmp_path, "line.txt").lines())
    assert len(zlib.compress(zeros * 20_000)) < 2**20


def test_the_stamp_changes_with_the_file(tmp_path):
    put(tmp_path / "a.txt", TEXT)
    before = find_source(tmp_path, "a.txt").stamp
    put(tmp_path / "a.txt", TEXT + b"more\n")
    assert find_source(tmp_path, "a.txt").stamp != before
