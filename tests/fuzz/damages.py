"""Damages to any text: functions of random numbers and the content of a file, which return other content."""

import random
import re
from collections.abc import Callable

Damage = Callable[[random.Random, bytes], bytes]
CONTROLS = [b"\x1b[31m", b"\x07", b"\x7f", b"\r", b"\x0b", b"\x1c", "\u202e".encode(), "\u2028".encode(), b"\xc2\x85"]
"""Characters that drive a terminal, are not seen, or end a line for some readers."""
OTHER_DIGITS = ["\u0663", "\uff13", "\u00b3", "\u0e53"]
"""Threes that are not the digit 3."""


def cut_off(rng: random.Random, content: bytes) -> bytes:
    return content[: rng.randrange(len(content))]


def emptied(rng: random.Random, content: bytes) -> bytes:
    return b""


def bad_utf8(rng: random.Random, content: bytes) -> bytes:
    place = rng.randrange(len(content))
    return content[:place] + rng.choice([b"\xff", b"\xc3", b"\xed\xa0\x80"]) + b"\n" + content[place:]


def zeros(rng: random.Random, content: bytes) -> bytes:
    place = rng.randrange(len(content))
    return content[:place] + b"\0" * 40 + content[place + 40 :]


def on_a_line(change: Callable[[random.Random, bytes], bytes]) -> Damage:
    """The change on one line of the file."""

    def damage(rng: random.Random, content: bytes) -> bytes:
        lines = content.splitlines()
        chosen = rng.randrange(len(lines))
        lines[chosen] = change(rng, lines[chosen])
        return b"\n".join(lines) + b"\n"

    damage.__name__ = change.__name__
    return damage


@on_a_line
def line_twice(rng: random.Random, line: bytes) -> bytes:
    return line + b"\n" + line


@on_a_line
def line_blank(rng: random.Random, line: bytes) -> bytes:
    return b""


@on_a_line
def line_half(rng: random.Random, line: bytes) -> bytes:
    return line[: rng.randrange(1, max(2, len(line)))]


@on_a_line
def line_of_rubbish(rng: random.Random, line: bytes) -> bytes:
    return bytes(rng.randrange(256) for _ in range(50)).replace(b"\n", b" ")


def marked(rng: random.Random, content: bytes) -> bytes:
    """Return the content behind the byte-order mark of UTF-8."""
    return b"\xef\xbb\xbf" + content


def utf_16(rng: random.Random, content: bytes) -> bytes:
    return content.decode("latin-1").encode(rng.choice(["utf-16", "utf-16-le", "utf-16-be"]))


def line_ends(rng: random.Random, content: bytes) -> bytes:
    return content.replace(b"\n", rng.choice([b"\r\n", b"\r", b"\n\r", b"\r\r\n", b"\n\n"]))


@on_a_line
def control_characters(rng: random.Random, line: bytes) -> bytes:
    place = rng.randrange(len(line) + 1)
    return line[:place] + rng.choice([*CONTROLS, b"\xef\xbb\xbf"]) + line[place:]


@on_a_line
def odd_number(rng: random.Random, line: bytes) -> bytes:
    """Write a number of the line, or the beginning of the line, as int() and float() read it, and no format does."""
    numbers = list(re.finditer(rb"[0-9]+", line))
    start, end = rng.choice(numbers).span() if numbers else (0, 0)
    digits = line[start:end]
    other = rng.choice(OTHER_DIGITS).encode()
    odd = rng.choice([
        digits + b"_0", b"0_" + digits, b"+" + digits, b"-" + digits, b" " + digits, digits + b" ", b"\t" + digits,
        digits[:1] + b" " + digits[1:], other, digits + other, b"0" + digits, digits + b"e0", b"0x" + digits,
        digits * 5000, b"9" * 5000, digits + b"." + b"0" * 5000, digits + b".", b"." + digits, b"infinity",
    ])  # fmt: skip
    return line[:start] + odd + line[end:]


def first_line(rng: random.Random, content: bytes) -> bytes:
    """Change the name of a column in the first line, lose it, repeat it, or exchange it with another."""
    head, end, body = content.partition(b"\n")
    names = head.split(b"\t")
    first, second = rng.randrange(len(names)), rng.randrange(len(names))
    names = rng.choice([
        [*names[:first], names[first].swapcase(), *names[first + 1 :]],
        [*names[:first], names[first] + rng.choice([b" ", b"s", b"\x07", b""]), *names[first + 1 :]],
        [*names[:first], *names[first + 1 :]],
        [*names, names[first]],
        [names[second] if at == first else names[first] if at == second else name for at, name in enumerate(names)],
    ])  # fmt: skip
    return b"\t".join(names) + end + body


def letters(rng: random.Random, content: bytes) -> bytes:
    """Lose, add, replace, double or move letters; added ones are such that formats use."""
    alphabet = b"()[]{}<>&;!/\\\"'%,.:_-+ \t\n\r0123456789eEuxaN#"
    place, letter = rng.randrange(len(content) + 1), bytes([rng.choice(alphabet)])
    before, after = content[:place], content[place:]
    return rng.choice([
        before + after[1:], before + letter + after, before + letter + after[1:], before + after[:1] + after,
        after + before, before + after[rng.randrange(80) :],
    ])  # fmt: skip


def bit_flipped(rng: random.Random, content: bytes) -> bytes:
    changed = bytearray(content)
    changed[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    return bytes(changed)


ANY_TEXT: list[Damage] = [cut_off, emptied, bad_utf8, zeros, line_twice, line_blank, line_half, line_of_rubbish]
ODD_TEXT: list[Damage] = [marked, utf_16, line_ends, control_characters, odd_number, first_line]
ANY_BYTES: list[Damage] = [letters, bit_flipped]
