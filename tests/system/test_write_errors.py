"""Failed writes as errors of one sentence."""

import errno

import pytest

from attest.errors import StorageError
from attest.system.write_errors import make_folder, translate_write_errors


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    make_folder(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()
    (tmp_path / "link").symlink_to("nowhere")
    with pytest.raises(StorageError, match=r"^cannot make the folder .*link/y: .*choose another with ATTEST_HOME="):
        make_folder(tmp_path / "link/y")
    (tmp_path / "file").touch()
    with pytest.raises(StorageError, match=r"^cannot make the folder .*file: none can be made there"):
        make_folder(tmp_path / "file")


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOTDIR])
def test_the_advice_on_a_folder_fits_those_that_a_command_names(number, tmp_path):
    advice = r"name another folder in the command \(for Attest's own files, with paths.home=...\), then run"
    with pytest.raises(StorageError, match=advice), translate_write_errors(tmp_path / "export"):
        raise OSError(number, "refused")


def test_a_missing_file_that_was_to_be_read_is_no_failed_write(tmp_path):
    with pytest.raises(FileNotFoundError), translate_write_errors(tmp_path / "to.json"):
        (tmp_path / "missing").read_text()
    with pytest.raises(FileNotFoundError), translate_write_errors(tmp_path / "no folder yet/to.json"):
        (tmp_path / "missing").read_text()
