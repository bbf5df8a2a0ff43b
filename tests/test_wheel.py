"""The wheel holds everything: it works without the checkout, from any folder."""

import os
import subprocess
import sys
import zipfile


def test_the_wheel_works_from_any_folder(tmp_path, home):
    from conftest import ROOT

    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(tmp_path), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
        names = archive.namelist()
    assert "attest/conf/config.yaml" in names
    assert "attest/reproduce/disan/table1.yaml" in names
    assert "hydra_plugins/attest_sweepers/__init__.py" in names
    assert "hydra_plugins/attest_sweepers/_searching.py" in names
    assert "hydra_plugins/attest_own_folders.py" in names
    assert "attest/models/kernels/native/token2token.cpp" in names
    assert "attest/models/kernels/native/vectors.h" in names
    assert "attest/py.typed" in names
    assert not [name for name in names if name.startswith(("tests", "results"))]

    # The installed package stands in for the editable checkout: its path comes first and it must not look back.
    (tmp_path / "elsewhere").mkdir()
    code = "import sys; sys.path.insert(0, sys.argv.pop(1)); from attest.cli import main; sys.exit(main())"
    arguments = ["train", "model=s2t", "protocol.steps=2", "logger=none"]
    unset = ("ATTEST_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")
    environment = {key: value for key, value in os.environ.items() if key not in unset}
    user = tmp_path / "user"
    environment["HOME"] = str(user)
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "site"), *arguments],
        cwd=tmp_path / "elsewhere", env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    data, cache = user / ".local/share/attest", user / ".cache/attest"
    assert len(list((data / "results/mini/records").glob("*.json"))) == 1
    assert len(list((cache / "corpora").iterdir())) == 1
    assert not (data / "cache").exists()
    assert list((tmp_path / "elsewhere").iterdir()) == []
    said = done.stderr.splitlines()
    assert said[0].startswith(f"attest: runs, records and data go to {data}, caches to {cache}; set ATTEST_HOME")
    assert "set ATTEST_HOME" not in "".join(said[1:])
