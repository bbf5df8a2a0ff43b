"""Damages to packed files: .xz and zip."""

import io
import lzma
import random
import struct
import warnings
import zipfile
from collections.abc import Iterable

from fuzz.damages import Damage, cut_off

CENTRAL = b"PK\x01\x02"
"""The beginning of an entry in the directory of a zip."""
END = b"PK\x05\x06"
"""The beginning of the end of the directory."""


def xz(content: bytes) -> bytes:
    """Return the content as .xz, by the setting that takes the least time and memory."""
    return lzma.compress(content, preset=0)


def xz_cut(rng: random.Random, content: bytes) -> bytes:
    packed = xz(content)
    return packed[: rng.randrange(1, len(packed) - 1)]


def xz_flipped(rng: random.Random, content: bytes) -> bytes:
    packed = bytearray(xz(content))
    packed[rng.randrange(len(packed))] ^= 1 << rng.randrange(8)
    return bytes(packed)


def xz_bomb(rng: random.Random, content: bytes) -> bytes:
    return xz(content + (b"0" * 999 + b"\n") * 3000)


def no_xz(rng: random.Random, content: bytes) -> bytes:
    return content


PACKED = [xz_cut, xz_flipped, xz_bomb, no_xz]


def zipped(members: Iterable[tuple[str, bytes]]) -> bytes:
    """Return a zip of members, of which several may have one name."""
    buffer = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        warnings.simplefilter("ignore", UserWarning)  # zipfile's, about a name that occurs twice
        for name, content in members:
            archive.writestr(name, content)
    return buffer.getvalue()


def members_of(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zip_flipped(rng: random.Random, content: bytes) -> bytes:
    damaged = bytearray(content)
    for _ in range(40):
        damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
    return bytes(damaged)


def member_missing(rng: random.Random, content: bytes) -> bytes:
    members = members_of(content)
    del members[rng.choice(sorted(members))]
    return zipped(members.items())


def member_outside(rng: random.Random, content: bytes) -> bytes:
    return zipped({**members_of(content), rng.choice(["../../evil", "/etc/evil", "a/../../b"]): b"x"}.items())


def zip_bomb(rng: random.Random, content: bytes) -> bytes:
    members = members_of(content)
    name = rng.choice(sorted(members))
    return zipped({**members, name: members[name] + (b"0" * 999 + b"\n") * 3000}.items())


def in_directory(rng: random.Random, content: bytes, offset: int, value: bytes) -> bytes:
    """Return the zip with `value` at `offset` of one of the entries in its directory."""
    entries = [place for place in range(len(content)) if content.startswith(CENTRAL, place)]
    start = rng.choice(entries) + offset
    return content[:start] + value + content[start + len(value) :]


def names_not_text(rng: random.Random, content: bytes) -> bytes:
    """Return the zip whose directory says that all names are UTF-8, and lets all begin with a byte that is not."""
    changed = bytearray(content)
    for start in [place for place in range(len(content)) if content.startswith(CENTRAL, place)]:
        changed[start + 8 : start + 10] = struct.pack("<H", 0x800)
        changed[start + 46] = 0xFF
    return bytes(changed)


def unknown_version(rng: random.Random, content: bytes) -> bytes:
    return in_directory(rng, content, 6, struct.pack("<H", rng.choice([64, 90, 255, 65535])))


def unknown_method(rng: random.Random, content: bytes) -> bytes:
    return in_directory(rng, content, 10, struct.pack("<H", rng.choice([1, 9, 12, 14, 97, 99])))


def encrypted(rng: random.Random, content: bytes) -> bytes:
    return in_directory(rng, content, 8, struct.pack("<H", 1))


def wrong_sizes(rng: random.Random, content: bytes) -> bytes:
    """Change a size, an offset or a length in the directory or at its end."""
    value = struct.pack("<I", rng.choice([0, 1, 2**16, 2**31, 2**32 - 1]))
    if rng.random() < 0.5:
        return in_directory(rng, content, rng.choice([16, 20, 24, 28, 30, 42]), value)
    start = content.rindex(END) + rng.choice([8, 10, 12, 16])
    return content[:start] + value + content[start + 4 :]


def member_twice(rng: random.Random, content: bytes) -> bytes:
    members = [*members_of(content).items()] * 2
    return zipped(members)


ZIPPED: list[Damage] = [
    cut_off, zip_flipped, member_missing, member_outside, zip_bomb, names_not_text, unknown_version, unknown_method,
    encrypted, wrong_sizes, member_twice,
]  # fmt: skip
