"""attest data: which settings it takes, what is listed, and what it does if a file is missing or wrong."""

import pytest

from attest.cli import main


@pytest.mark.parametrize("action", ["list", "fetch", "verify"])
def test_the_scale_is_refused(action, capsys):
    """At scale mini, the data folder is the place of the built-in corpora."""
    assert main(["data", action, "glove_6b", "scale=mini"]) == 2
    assert capsys.readouterr().err == "attest: scale: attest data accepts only these settings: paths.*\n"


def test_verify_goes_on_after_a_wrong_file(tmp_path, capsys):
    (tmp_path / "snli").mkdir()
    (tmp_path / "snli/snli_1.0.zip").write_bytes(b"another")
    for names, lines in (["snli", "glove_6b"], ["glove_6b: missing"]), (["glove_6b", "snli"], ["glove_6b: missing"]):
        assert main(["data", "verify", *names, f"paths.data={tmp_path}"]) == 1
        printed = capsys.readouterr()
        assert printed.out.splitlines() == lines
        assert "snli_1.0.zip: the checksum is not that of the official file; delete the file" in printed.err
        assert printed.err.count("\n") == 1
    assert main(["data", "verify", f"paths.data={tmp_path}"]) == 1
    assert "glove_6b: missing" in capsys.readouterr().out


def test_data_list_and_the_message_of_a_missing_file(home, here):
    listed = here("data", "list")
    for text in (
        "snli: 0 of 3 files here",
        "CC BY-SA 4.0",
        "https://nlp.stanford.edu/projects/snli/snli_1.0.zip",
        "sha256",
    ):
        assert text in listed.stdout
    verified = here("data", "verify", "snli")
    assert (verified.returncode, verified.stdout) == (1, "snli: missing\n")
    assert here("data", "verify").returncode == 0
    missing = here("train", "scale=paper")
    assert missing.returncode == 1
    assert "`attest data fetch snli`" in missing.stderr
    assert str(home / "data/snli/snli_1.0.zip") in missing.stderr
