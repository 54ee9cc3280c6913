"""The event stream: tells a page that the table has changed; the page then fetches itself again."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from flask import Blueprint, Response, request

from companion.table.errors import NotAllowed, sentence
from companion.table.live import Viewer
from companion.web.rooms import rooms
from companion.web.security import session

pages = Blueprint("stream", __name__)

LOOK_ROUND = 2.0
"""Seconds after which a silent stream looks whether its phone is still there, to free the place soon."""
SIGNS_OF_LIFE = 7
"""After so many silent looks a comment is sent: routers drop connections that are silent for longer."""


@pages.get("/g/<game>/stream")
def stream(game: str) -> Response:
    if rooms().seats.seat(game, session()) is None:
        raise NotAllowed(sentence("You have not joined this game. Scan the QR code that its host shows."))
    viewer = rooms().live.subscribe(game, last_seen(), LOOK_ROUND)
    gone: Callable[[], bool] = request.environ.get("waitress.client_disconnected", lambda: False)
    return Response(
        told(viewer, gone),
        mimetype="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


def last_seen() -> int:
    """The version that the page shows, or the last one it was told before the connection broke."""
    for text in (request.headers.get("Last-Event-ID", ""), request.args.get("seen", "")):
        if text.isascii() and text.isdigit() and len(text) < 16:
            return int(text)
    return 0


def told(viewer: Viewer, gone: Callable[[], bool]) -> Iterator[str]:
    with viewer:
        yield "retry: 2000\n\n"
        silent = 0
        for version in viewer:
            if gone():
                return
            silent += 1
            if version is not None:
                silent = 0
                yield f"id: {version}\ndata: {version}\n\n"
            elif silent % SIGNS_OF_LIFE == 0:
                yield ": still here\n\n"
