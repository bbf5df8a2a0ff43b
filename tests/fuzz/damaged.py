"""One damage: how it is drawn, what the package's reader makes of it, and whether that is right."""

import io
import lzma
import os
import random
import re
import traceback
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from fuzz.damages import ANY_BYTES
from fuzz.format import Format, Rows
from fuzz.package_readers import ARCHIVE
from fuzz.packed import PACKED, ZIPPED, xz, zipped
from fuzz.right_lines import Malformed

from attest.data.files.source import MAX_UNPACKED_RATIO, PIECE_BYTES
from attest.errors import AttestError
from attest.system.files import remove

FOLDER = "da\x1b[2Jta\x07"
"""The name of the folder that is read: no message may print it as it is."""
PLACE = re.compile(r":\d+: |: byte [\d,]+: ")
WITHOUT_PLACE = re.compile(
    "not a readable zip|not the official archive|cannot read the file|that leads to no file is there|is there; run"
)
"""The words in errors of files that are missing or cannot be opened, and so have no lines."""
MAX_MESSAGE = 1200


@dataclass(frozen=True)
class Outcome:
    """What became of one damage."""

    kind: str
    """refused, read, or wrong."""
    story: str
    """The damage, and what is wrong."""


def run(name: str, form: Format, rng: random.Random, home: Path) -> Outcome:
    """Draw a damage, read the damaged files, and compare what comes of it with the right reader."""
    folder = home / FOLDER
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():  # deleting the folder itself would wait for the disk
        remove(path)
    story, expected = draw_damage(form, rng, folder)
    return judged(f"{name}: {story}", form, folder, expected)


def judged(story: str, form: Format, folder: Path, expected: Rows | Malformed) -> Outcome:
    """Return whether the package's reader says of a folder what it should."""
    try:
        rows = form.read(folder)
    except AttestError as error:
        problem = problem_of_message(str(error), expected)
        return Outcome("wrong" if problem else "refused", f"{story}: {problem}: {error}" if problem else story)
    except Exception:
        return Outcome("wrong", f"{story}: {traceback.format_exc()}")
    if isinstance(expected, Malformed):
        return Outcome("wrong", f"{story}: was read, but is malformed in line {expected.line}")
    return Outcome("read", story) if rows == expected else Outcome("wrong", f"{story}: was read as something else")


def problem_of_message(message: str, expected: Rows | Malformed) -> str | None:
    """Return what is wrong with an error; None if it is one printable sentence with the right file and line."""
    if not isinstance(expected, Malformed):
        return "is right, but was refused"
    if not message.isprintable() or len(message) > MAX_MESSAGE:
        return "the message is not one printable sentence"
    if not PLACE.search(message) and not WITHOUT_PLACE.search(message):
        return "the message names no line"
    file, line = re.escape(expected.file), r"\d+" if expected.line is None else f"{expected.line}"
    wanted = rf"/{file}(\.xz)?:{line}: " if file else rf":{line}: "
    if (file or expected.line is not None) and not re.search(wanted, message):
        return f"the message does not name {expected.file or 'the file'}:{line}"
    return None


def draw_damage(form: Format, rng: random.Random, folder: Path) -> tuple[str, Rows | Malformed]:
    """Write files of which one is damaged, and return the damage's name and what the right reader says."""
    files = dict(form.files)
    name = rng.choice(list(files))
    kind = rng.choice(["text", "text", "text", "text", "xz", "zip", "file"])
    if kind == "zip" and len(files) > 1:
        kind = "text"
    if kind == "file":
        return damage_file(form, rng, folder, name)
    names = []
    if kind == "text" or rng.random() < 0.3:
        for choices in [form.damages_of(name)] if rng.random() < 0.8 else [form.damages_of(name), ANY_BYTES]:
            if files[name]:
                damage = rng.choice(choices)
                names.append(damage.__name__)
                files[name] = damage(rng, files[name])
    for other, content in files.items():
        (folder / other).write_bytes(content)
    if kind != "text":
        damage = rng.choice(PACKED if kind == "xz" else ZIPPED)
        sound = rng.random() < 0.3
        names.append(kind if sound else damage.__name__)
        (folder / name).unlink()
        if kind == "xz":
            packed = xz(files[name]) if sound else damage(rng, files[name])
            (folder / f"{name}.xz").write_bytes(packed)
        else:
            packed = zipped([(f"inner/{name}", files[name]), ("inner/other", b"other\n")])
            packed = packed if sound else damage(rng, packed)
            (folder / ARCHIVE.path).write_bytes(packed)
        try:
            files[name] = unpacked(packed, kind, name)
        except Malformed as malformed:
            return " and ".join(names), malformed
    return " and ".join(names), said_by(form, files)


def said_by(form: Format, files: Mapping[str, bytes]) -> Rows | Malformed:
    """Return what the right reader says of files."""
    try:
        return form.right(files)
    except Malformed as malformed:
        return malformed


def unpacked(packed: bytes, kind: str, name: str) -> bytes:
    """Return the content of a packed file by Python's own modules, within the limits of the package."""
    try:
        if kind == "xz":
            content = lzma.decompress(packed)
        else:
            with zipfile.ZipFile(io.BytesIO(packed)) as archive:
                names = archive.namelist()
                if any(member.startswith("/") or ".." in member.split("/") for member in names):
                    raise Malformed
                if names.count(f"inner/{name}") != 1:
                    raise Malformed
                content = archive.read(f"inner/{name}")
    except Exception:
        raise Malformed from None
    if len(content) > max(PIECE_BYTES, MAX_UNPACKED_RATIO * len(packed)):
        raise Malformed
    return content


def damage_file(form: Format, rng: random.Random, folder: Path, name: str) -> tuple[str, Malformed]:
    """Replace a file by something that is no file, or put one beside it that is none of the data set."""
    for other, content in form.files.items():
        (folder / other).write_bytes(content)
    path, kind = folder / name, rng.choice(["dangling link", "looping link", "folder", "link to a folder", "renamed"])
    if name.endswith(".xml") and rng.random() < 0.5:
        path = folder / rng.choice(["stray.xml", "str\x1bay\n.xml", "stray\udcff.xml"])
    path.unlink(missing_ok=True)
    if kind == "dangling link":
        path.symlink_to("nowhere")
    elif kind == "looping link":
        path.symlink_to(path.name)
    elif kind == "folder":
        path.mkdir()
    elif kind == "link to a folder":
        path.symlink_to(os.curdir)
    else:
        path.with_name(f"\x1b{path.name}").write_bytes(b"")
    return f"{kind} {path.name!r}", Malformed()
