"""What a server of the pages is told at its start."""

from __future__ import annotations

from dataclasses import dataclass

MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class WebConfig:
    """The settings of one server."""

    hosts: frozenset[str] = frozenset({"localhost", "127.0.0.1", "::1"})
    """Names and addresses under which this machine may be asked; a page of another name is not ours."""
    phones_ask: str | None = None
    """The host by which phones reach this machine; None where only this machine itself can."""
    https: bool = False
    """Cookies are then sent over TLS only."""
    largest_photo: int = 32 * MEGABYTE
    """A phone's photo at full size has 3 to 15 MB; above 30 MB the table room says so itself."""
    largest_form: int = 256 * 1024
    """Names, choices and one game's corrections; an imported game file has the photo's limit."""
    most_viewers: int = 64
    """Each open page holds a thread of the server while it listens for changes."""
