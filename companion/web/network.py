"""Under which names and addresses phones reach this machine."""

from __future__ import annotations

import contextlib
import re
import socket
from ipaddress import ip_address
from urllib.parse import urlsplit, urlunsplit

ANYWHERE = ("0.0.0.0", "::", "")
LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
"""What stands between the dots of a computer's name."""


def lan_address() -> str | None:
    """The address that other devices of the network use; nothing is sent to find it."""
    for family, outside in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((outside, 9))
                return str(probe.getsockname()[0])
            except OSError:
                continue
    return None


def asked_as(name: str) -> str:
    """A name as browsers send it: "Küche" is "xn--kche-0ra". `ValueError` where no browser could."""
    with contextlib.suppress(ValueError):
        return str(ip_address(name))
    sent = name.rstrip(".").encode("idna").decode().lower()
    if not all(map(LABEL.fullmatch, sent.split("."))):
        raise ValueError(name)
    return sent


def own_hosts(host: str, names: tuple[str, ...] = ()) -> frozenset[str]:
    """Everything a browser may rightly call this machine; `names` as they are `asked_as`."""
    own = socket.gethostname().lower()
    hosts = {
        "localhost",
        "127.0.0.1",
        "::1",
        own,
        f"{own.removesuffix('.local')}.local",
        *names,
    }
    if host not in ANYWHERE:
        hosts.add(host.lower())
    if address := lan_address():
        hosts.add(address)
    with contextlib.suppress(OSError):  # a machine whose own name is in no table still has its address
        hosts.update(str(info[4][0]).split("%")[0] for info in socket.getaddrinfo(own, None))
    return frozenset(hosts)


def page_address(host: str, port: int, https: bool) -> str:
    """The address to show: one that works from a phone, where there is one."""
    shown = (lan_address() or "127.0.0.1") if host in ANYWHERE else host
    standard = 443 if https else 80
    return f"{'https' if https else 'http'}://{_literal(shown)}{'' if port == standard else f':{port}'}"


def phones_ask(host: str) -> str | None:
    """The host that a phone asks for; None where the server listens to this computer alone."""
    reached = lan_address() if host in ANYWHERE else host
    return None if reached is None or _is_own(reached) else reached


def from_a_phone(link: str, phones: str | None) -> str:
    """The link as a phone can follow it: "localhost" would lead the phone to itself."""
    asked = urlsplit(link)
    if phones is None or not _is_own(asked.hostname or ""):
        return link
    port = "" if asked.port is None else f":{asked.port}"
    return urlunsplit(asked._replace(netloc=_literal(phones) + port))


def _is_own(host: str) -> bool:
    """Whether every machine means itself by it."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _literal(host: str) -> str:
    return f"[{host}]" if ":" in host else host
