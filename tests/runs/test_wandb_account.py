"""The account on W&B: its server, whether it has an API key here, and the mode that follows."""

import pytest
import wandb

from attest.config.settings import Logger
from attest.errors import MirrorError, SettingsError
from attest.runs.wandb.account import has_api_key, wandb_mode, why_offline
from attest.runs.wandb.errors import log_wandb_errors


@pytest.fixture(autouse=True)
def clean_wandb(tmp_path, monkeypatch):
    """A current folder of its own, in which W&B's client reads its settings anew."""
    monkeypatch.chdir(tmp_path)
    wandb.teardown()
    yield tmp_path
    wandb.teardown()


def test_where_a_key_is_looked_for(tmp_path, monkeypatch):
    assert not has_api_key()
    (tmp_path / "netrc").write_text("machine api.wandb.ai login user password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    assert has_api_key()
    (tmp_path / "netrc").write_text("machine wandb.example.org:8080 login user password secret\n")
    assert not has_api_key()
    monkeypatch.setenv("WANDB_BASE_URL", "http://wandb.example.org:8080")
    assert has_api_key()


def test_an_entry_without_a_key_and_a_file_that_is_no_text_have_no_key(tmp_path, monkeypatch):
    monkeypatch.setenv("NETRC", "~/netrc")
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "netrc").write_text("machine api.wandb.ai login user\n")
    assert not has_api_key()
    (tmp_path / "netrc").write_bytes(b"machine api.wandb.ai login user password \xff\n")
    assert not has_api_key()
    (tmp_path / "netrc").write_text("machine api.wandb.ai login user password secret\n")
    assert has_api_key()
    monkeypatch.delenv("NETRC")
    assert not has_api_key()
    (tmp_path / "netrc").rename(tmp_path / "_netrc")
    assert has_api_key(), "the name on Windows"


def test_the_environment_decides_what_the_settings_leave_open(monkeypatch):
    monkeypatch.setenv("WANDB_API_KEY", "x" * 40)
    assert wandb_mode(Logger()) == "online"
    monkeypatch.setenv("WANDB_MODE", "disabled")
    assert wandb_mode(Logger()) == "disabled"
    assert wandb_mode(Logger(online=False)) == "offline"
    monkeypatch.setenv("WANDB_MODE", "dryrun")
    assert wandb_mode(Logger()) == "offline", "its name in earlier versions"
    monkeypatch.setenv("WANDB_MODE", "ofline")
    with pytest.raises(SettingsError, match="WANDB_MODE=ofline: no such mode; choose one of online, offline"):
        wandb_mode(Logger())


@pytest.mark.parametrize(("written", "mode"), [("offline", "offline"), ("disabled", "disabled"), ("online", "online")])
def test_the_mode_that_w_and_bs_program_has_set(tmp_path, monkeypatch, written, mode):
    """`wandb offline` writes the file into the current folder."""
    monkeypatch.setenv("WANDB_API_KEY", "x" * 40)
    (tmp_path / "wandb").mkdir()
    (tmp_path / "wandb/settings").write_text(f"[default]\nmode = {written}\n")
    assert wandb_mode(Logger()) == mode
    assert wandb_mode(Logger(online=True)) == "online"
    monkeypatch.setenv("WANDB_MODE", "online")
    assert wandb_mode(Logger()) == "online"


@pytest.mark.parametrize(("name", "value"), [("CONSOLE", "foo"), ("SILENT", "maybe")])
def test_settings_of_w_and_b_that_are_wrong_are_one_sentence(home, monkeypatch, cli, name, value):
    monkeypatch.setenv(f"WANDB_{name}", value)
    with pytest.raises(MirrorError, match=f"W&B's setting {name.lower()} is not valid .Input.*WANDB_{name}"):
        wandb_mode(Logger())
    (line,) = [line for line in cli.error("wandb", "sync", code=1).splitlines() if line.startswith("attest")]
    assert "https" not in line


def test_a_password_in_the_address_of_the_server_is_not_printed(home, monkeypatch, cli):
    monkeypatch.setenv("WANDB_BASE_URL", "https://user:s3cret@wandb.example.com:8080")
    printed = cli.error("wandb", "sync")
    assert "no API key for wandb.example.com:8080" in printed
    assert "s3cret" not in printed


@pytest.mark.parametrize(
    ("address", "fault"),
    [
        ("ftp://user:s3cret@host.example", "URL scheme should be 'http' or 'https'"),
        ("https://user:s3cret@wandb.ai", "https://wandb.ai is not a valid server address"),
    ],
)
def test_a_password_in_an_address_that_is_not_valid_is_not_printed(monkeypatch, caplog, address, fault):
    monkeypatch.setenv("WANDB_BASE_URL", address)
    with pytest.raises(MirrorError, match="W&B's setting base_url is not valid .*WANDB_BASE_URL") as raised:
        wandb_mode(Logger())
    with log_wandb_errors("starting a run"):
        wandb.Settings(base_url=address)
    for text in (str(raised.value), caplog.text):
        assert fault in text
        assert "s3cret" not in text


@pytest.mark.parametrize("ends", [" ", "\n"])
def test_a_key_that_ends_in_a_space_or_a_line_end_is_one_sentence(home, monkeypatch, cli, ends):
    monkeypatch.setenv("WANDB_API_KEY", f"{'s3cret' * 7}{ends}")
    printed = cli.error("wandb", "sync", code=1)
    assert "W&B's settings are not valid (API key cannot start or end with whitespace); correct the variable" in printed
    assert "Traceback" not in printed
    assert "s3cret" not in printed


def test_why_nothing_is_uploaded_is_one_reason(home, monkeypatch):
    monkeypatch.setenv("WANDB_BASE_URL", "http://wandb.example.org")
    assert why_offline(Logger()) == "no API key for wandb.example.org; type wandb login, or set WANDB_API_KEY"
    monkeypatch.setenv("WANDB_MODE", "offline")
    assert why_offline(Logger()).startswith("WANDB_MODE=offline: nothing is uploaded; unset it")
    assert why_offline(Logger(online=False)).startswith("logger.online=false: nothing is uploaded; leave it out")
    assert why_offline(Logger(online=True)) == ""
