"""attest data: which settings it takes, what is listed, and what it does if a file is missing or wrong."""

import re

import pytest


@pytest.mark.parametrize("action", ["list", "fetch", "verify"])
def test_the_scale_is_refused(action, cli):
    """At scale mini, the data folder is the place of the built-in corpora."""
    error = cli.error("data", action, "glove_6b", "scale=mini")
    assert error == "attest: scale: attest data accepts only these settings: paths.*\n"


def test_verify_goes_on_after_a_wrong_file(tmp_path, cli):
    (tmp_path / "snli").mkdir()
    (tmp_path / "snli/snli_1.0.zip").write_bytes(b"another")
    for names, lines in (["snli", "glove_6b"], ["glove_6b: missing"]), (["glove_6b", "snli"], ["glove_6b: missing"]):
        done = cli.run("data", "verify", *names, f"paths.data={tmp_path}")
        assert (done.returncode, done.stdout.splitlines()) == (1, lines)
        assert "snli_1.0.zip: the checksum is not that of the official file; delete the file" in done.stderr
        assert done.stderr.count("\n") == 1
    done = cli.run("data", "verify", f"paths.data={tmp_path}")
    assert (done.returncode, "glove_6b: missing" in done.stdout) == (1, True)


def test_data_list_and_the_message_of_a_missing_file(home, cli):
    listed = cli.output("data", "list")
    for text in (
        "snli: 0 of 3 files here",
        "CC BY-SA 4.0",
        "https://nlp.stanford.edu/projects/snli/snli_1.0.zip",
        "sha256",
    ):
        assert text in listed
    verified = cli.run("data", "verify", "snli")
    assert (verified.returncode, verified.stdout) == (1, "snli: missing\n")
    assert re.search(r"^0 of \d+ complete; ", cli.output("data", "verify"), re.MULTILINE)
    missing = cli.error("train", "scale=paper", code=1)
    assert "`attest data fetch snli`" in missing
    assert str(home / "data/snli/snli_1.0.zip") in missing
