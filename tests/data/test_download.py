"""Downloads from a server of our own: resumed, verified, refused."""

import hashlib
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pooch
import pytest

from attest.config.settings import Archive
from attest.data.files import resumable_download
from attest.data.files.download import OfficialData, fetch, verify
from attest.errors import DataError, LeaseLostError
from attest.system import leases
from attest.system.fences import current_fence

CONTENT = bytes(range(256)) * 1000
SHA256 = hashlib.sha256(CONTENT).hexdigest()


class Handler(BaseHTTPRequestHandler):
    ranges: list[str | None] = []
    breaks_after: int | None = None
    seconds = 0.0
    """The time between the two halves of a file."""
    says_length = True

    def do_GET(self) -> None:
        wanted = self.headers.get("Range")
        assert self.headers["Accept-Encoding"] == "identity"  # packed bytes could not be continued
        Handler.ranges.append(wanted)
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted else 0
        self.send_response(206 if wanted else 200)
        if Handler.says_length:
            self.send_header("Content-Length", str(len(CONTENT) - start))
        self.end_headers()
        end = len(CONTENT) if Handler.breaks_after is None else Handler.breaks_after
        half = (start + end) // 2
        self.wfile.write(CONTENT[start:half])
        time.sleep(Handler.seconds)
        self.wfile.write(CONTENT[half:end])

    def log_message(self, *arguments: object) -> None: ...


@pytest.fixture
def url():
    Handler.ranges, Handler.breaks_after, Handler.seconds, Handler.says_length = [], None, 0.0, True
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/set.zip"
    server.shutdown()
    server.server_close()
    thread.join()


def item(url: str, sha256: str = SHA256) -> OfficialData:
    archive = Archive(url=url, sha256=sha256, size=len(CONTENT), path="set/set.zip")
    return OfficialData("set", ("set/a.txt",), (archive,), "CC0", "Nobody 2026")


def test_a_broken_download_goes_on_where_it_stopped(tmp_path, url):
    Handler.breaks_after = 100_000
    with pytest.raises(DataError, match=r"cannot download .*repeat the command to resume.* put it at .*set/set.zip"):
        fetch(item(url), tmp_path)
    assert not (tmp_path / "set/set.zip").exists()
    Handler.breaks_after = None
    assert [path.read_bytes() for path in fetch(item(url), tmp_path)] == [CONTENT]
    assert Handler.ranges == [None, "bytes=65536-"]  # whole chunks are kept
    assert fetch(item(url), tmp_path)[0].is_file()
    assert len(Handler.ranges) == 2  # what is there and right is not fetched again
    assert [path.name for path in (tmp_path / "set").iterdir()] == ["set.zip"]
    assert verify(item(url), tmp_path) == "checksum right"


def test_a_download_of_unknown_length_that_ends_early_is_kept(tmp_path, url):
    Handler.says_length, Handler.breaks_after = False, 100_000
    with pytest.raises(DataError, match=r"\(ConnectionError\); 100,000 of 256,000 bytes are here and kept; repeat"):
        fetch(item(url), tmp_path)
    Handler.breaks_after = None
    assert [path.read_bytes() for path in fetch(item(url), tmp_path)] == [CONTENT]
    assert Handler.ranges == [None, "bytes=100000-"]


def test_of_two_commands_at_once_one_downloads_the_file(tmp_path, url, monkeypatch, caplog):
    monkeypatch.setattr(leases, "RETRY_SECONDS", 0.01)
    Handler.seconds = 0.3
    caplog.set_level("INFO", "attest")
    with ThreadPoolExecutor(2) as workers:
        first, second = workers.map(lambda _: fetch(item(url), tmp_path), range(2))
    assert first == second
    assert first[0].read_bytes() == CONTENT
    assert Handler.ranges == [None]
    assert "waiting: downloading" in caplog.text
    assert [path.name for path in (tmp_path / "set").iterdir()] == ["set.zip"]


def test_a_download_that_is_interrupted_while_it_is_verified_is_kept(tmp_path, url, monkeypatch):
    def stop(path):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(pooch, "file_hash", stop)
        fetch(item(url), tmp_path)
    assert fetch(item(url), tmp_path)[0].read_bytes() == CONTENT
    assert Handler.ranges == [None]
    assert [path.name for path in (tmp_path / "set").iterdir()] == ["set.zip"]


@pytest.mark.parametrize(("loss_is_known", "chunks"), [(False, 4), (True, 2)])
def test_a_download_that_was_taken_over_stays_right(loss_is_known, chunks, tmp_path, url, monkeypatch):
    """The first process is suspended after its first chunk, until the second has downloaded the rest."""
    (tmp_path / "set").mkdir()
    (tmp_path / "set/.set.zip.part").write_bytes(CONTENT[:1000])
    show, taken = resumable_download.show_progress, []

    def suspended(*arguments):
        for chunk in show(*arguments):
            taken.append(chunk)
            yield chunk
            if len(taken) == 1:
                monkeypatch.setattr(resumable_download, "show_progress", show)
                lease = current_fence.get()
                leases.remove_tree(lease.folder)
                lease.path.unlink()
                with ThreadPoolExecutor(1) as other_process:
                    other_process.submit(fetch, item(url), tmp_path).result()
                if loss_is_known:
                    lease.beat()

    monkeypatch.setattr(resumable_download, "show_progress", suspended)
    with pytest.raises(LeaseLostError, match=r"downloading .*set.zip was taken over by another process"):
        fetch(item(url), tmp_path)
    assert len(taken) == chunks
    assert [(path.name, path.read_bytes()) for path in (tmp_path / "set").iterdir()] == [("set.zip", CONTENT)]


def test_loose_files_are_fetched_one_by_one(tmp_path, url):
    loose = [Archive(url=url, sha256=SHA256, size=len(CONTENT), path=f"set/{name}") for name in ("a.txt", "b.txt")]
    files = OfficialData("set", ("set/a.txt", "set/b.txt"), tuple(loose), "CC0", "Nobody 2026")
    first, second = fetch(files, tmp_path)
    assert (first.read_bytes(), second.name) == (CONTENT, "b.txt")
    assert verify(files, tmp_path) == "checksum right"
    first.unlink()
    assert files.present_files(tmp_path) == ["set/b.txt"]
    assert verify(files, tmp_path) == "checksum right, 1 of 2 files missing"


def test_a_wrong_checksum_keeps_nothing(tmp_path, url):
    with pytest.raises(DataError, match="does not have the checksum sha256:1111"):
        fetch(item(url, "1" * 64), tmp_path)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_no_network_says_what_to_do(tmp_path):
    with pytest.raises(DataError, match=r"cannot download http://127.0.0.1:1/set.zip .*put it at"):
        fetch(item("http://127.0.0.1:1/set.zip"), tmp_path)


def test_verify_refuses_another_file(tmp_path, url):
    assert verify(item(url), tmp_path) == "missing"
    (tmp_path / "set").mkdir()
    (tmp_path / "set/a.txt").touch()
    assert verify(item(url), tmp_path) == "no archive to verify; 1 of 1 files are there"
    (tmp_path / "set/set.zip").write_bytes(b"another")
    with pytest.raises(DataError, match="the checksum is not that of the official file"):
        verify(item(url), tmp_path)
