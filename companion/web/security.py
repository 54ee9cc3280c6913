"""Who may ask: the Host and Origin of a request, the browser's cookie, and the headers of every answer.

The pages are served in a home network, to phones, in plain http more often than not. What can be
done there is done: a page of another site can neither read nor write ours, and nothing that opens a
door stands in an address that people pass on.
"""

from __future__ import annotations

import re
import secrets
from urllib.parse import urlsplit

from flask import Flask, Response, g, request

from companion.table.errors import NotAllowed, TableError, sentence
from companion.web.config import WebConfig

COOKIE = "companion"
COOKIE_LIFE = 180 * 24 * 3600
"""Half a year: a campaign of evenings at the same table, not a browser remembered for ever."""
SESSION = re.compile(r"[A-Za-z0-9_-]{43}")
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

CONTENT_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "media-src 'self' blob:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    # not "no-referrer": a browser then sends "Origin: null" with our own forms
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), screen-wake-lock=(self), microphone=(), geolocation=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}


class WrongHost(TableError):
    """The page was asked for under a name that is not this machine's."""

    status = 421
    code = "wrong_host"


class ForeignOrigin(NotAllowed):
    """A page of another site tried to write here."""

    code = "foreign_origin"


def guard(app: Flask, config: WebConfig) -> None:
    """Every request passes these checks before a view sees it."""

    @app.before_request
    def check_host_and_origin() -> None:
        check_host(config)
        if request.method not in SAFE_METHODS:
            check_origin()

    @app.after_request
    def close_up(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        response.headers.setdefault("Cache-Control", "no-store")
        if "fresh_session" in g:
            keep_session(response, g.fresh_session, config)
        return response


def check_host(config: WebConfig) -> None:
    """A name of another site that points at this machine (DNS rebinding) gets nothing."""
    if host_name(request.host) not in config.hosts:
        raise WrongHost(
            sentence(
                "This page does not answer to the name “%(host)s”. Open the address that stands in the "
                "window where Companion was started, or start it with --name %(host)s."
            ),
            host=host_name(request.host)[:80],
        )


def host_name(host: str) -> str:
    """The name without its port: `"[::1]:8000"` is `"::1"`."""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def check_origin() -> None:
    """A form of another site may not write here, even with our cookie."""
    origin = request.headers.get("Origin")
    site = request.headers.get("Sec-Fetch-Site", "same-origin")
    if origin is None:
        allowed = site in ("same-origin", "none")
    else:
        allowed = origin == f"{request.scheme}://{request.host}"
    if not allowed:
        raise ForeignOrigin(
            sentence(
                "This was sent from a page of another site, so nothing was changed. Do it on the page itself."
            ),
        )


def session() -> str | None:
    """The browser's random name; the table room keeps only a hash of it."""
    fresh: str | None = g.get("fresh_session")
    given = request.cookies.get(COOKIE, "")
    return fresh or (given if SESSION.fullmatch(given) else None)


def own_session() -> str:
    """The same, made where the browser has none yet."""
    name = session()
    if name is None:
        name = g.fresh_session = secrets.token_urlsafe(32)
    return name


def keep_session(response: Response, name: str, config: WebConfig) -> None:
    response.set_cookie(COOKIE, name, max_age=COOKIE_LIFE, httponly=True, samesite="Lax", secure=config.https)


def client_address() -> str:
    """For limits on tries. Behind our own TLS front the server writes the phone's address here."""
    return request.remote_addr or ""
