"""attest data: which settings it takes, and what it does if one of several files is wrong."""

import pytest

from attest.cli import main


@pytest.mark.parametrize("action", ["list", "fetch", "verify"])
def test_the_scale_is_refused(action, capsys):
    """At scale mini, the data folder is the place of the built-in corpora."""
    assert main(["data", action, "glove_6b", "scale=mini"]) == 2
    assert capsys.readouterr().err == "attest: scale: not used by this command, which takes paths\n"


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
