"""Reading of YAML files."""

import pytest

from attest.config.yaml_files import check_name, read_yaml
from attest.errors import SettingsError


def test_an_alias_that_is_used_twice_is_read(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("one: &shared {x: [1, 2]}\ntwo: *shared\nthree: {<<: *shared, y: 3}\n")
    assert read_yaml(path) == {"one": {"x": [1, 2]}, "two": {"x": [1, 2]}, "three": {"x": [1, 2], "y": 3}}


@pytest.mark.parametrize("text", ["", "# a comment\n", "null\n"])
def test_an_empty_file_has_no_keys(text, tmp_path):
    (tmp_path / "a.yaml").write_text(text)
    assert read_yaml(tmp_path / "a.yaml") == {}


def test_lists_without_aliases_may_be_long(tmp_path):
    (tmp_path / "a.yaml").write_text(f"labels: [{', '.join(f'label{number}' for number in range(5000))}]\n")
    assert len(read_yaml(tmp_path / "a.yaml")["labels"]) == 5000


def test_aliases_that_make_a_chain_of_levels_are_refused(tmp_path):
    lines = ["a0: &a0 [1]", *(f"a{number}: &a{number} [*a{number - 1}]" for number in range(1, 60))]
    (tmp_path / "a.yaml").write_text("\n".join(lines))
    with pytest.raises(SettingsError, match=r"a\.yaml: over 50 lists and mappings stand in each other"):
        read_yaml(tmp_path / "a.yaml")


@pytest.mark.parametrize(
    ("name", "near"),
    [("disan", ""), ("dam/onw", " Did you mean dam/own?"), ("dma/own", " Did you mean dam/own?"), ("table1", "disan/")],
)
def test_a_guess_is_in_the_same_folder_or_has_the_same_last_part(name, near):
    """`attest tune disan` offered dam/own."""
    known = ["dam/ngram", "dam/own"] if name != "table1" else ["dam/own", "disan/table1"]
    with pytest.raises(SettingsError) as refused:
        check_name(name, known, "there is no such search")
    assert near in str(refused.value)
    assert bool(near) is ("Did you mean" in str(refused.value))
