"""The addresses at which processes listen, read from Linux's /proc."""

import socket
import time
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path

LISTENING = "0A"
"""The state of a socket that waits for connections, in /proc/net/tcp."""


def listening_addresses(home: Path) -> set[str]:
    """Return the addresses at which the processes of commands with this home wait for connections."""
    sockets = set[str]()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # the process has ended
            if f"ATTEST_HOME={home}\0" in (process / "environ").read_text(errors="replace"):
                sockets |= {str(file.readlink()) for file in (process / "fd").iterdir()}
    entries = [line.split() for name in ("tcp", "tcp6") for line in Path("/proc/net", name).read_text().splitlines()]
    return {
        address_of(entry[1].partition(":")[0])
        for entry in entries
        if entry[3] == LISTENING and f"socket:[{entry[9]}]" in sockets
    }


def address_of(digits: str) -> str:
    """Return an address from its hexadecimal digits, which stand in words of four reversed bytes."""
    raw = bytes.fromhex(digits)
    ordered = b"".join(raw[start : start + 4][::-1] for start in range(0, len(raw), 4))
    if len(ordered) == 4:
        return str(IPv4Address(ordered))
    address = IPv6Address(ordered)
    return str(address.ipv4_mapped or address)


def free_ports(count: int) -> list[int]:
    """Return numbers of ports that no program listens on."""
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def wait_until_listening(host: str, port: int, seconds: float = 60) -> None:
    """Wait until something listens at a port."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            socket.create_connection((host, port), 1).close()
            return
        except OSError:
            assert time.monotonic() < deadline, f"nothing listens at {host}:{port}"
            time.sleep(0.2)
