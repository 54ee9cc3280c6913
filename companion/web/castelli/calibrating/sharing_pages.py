"""One file out, one file in: a finished set to pass on, and a friend's with a preview before it is kept."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass

from flask import Blueprint, Response, make_response, request

from companion.table.castelli.calibrating.pack import Preview
from companion.table.errors import NotFound, sentence
from companion.web.castelli.calibrating.making import spoken, workshop
from companion.web.page import check_house, done, form_key, show
from companion.web.upload import uploaded
from companion.web.views_games import jpeg

MOST_WAITING = 3
"""Files that were looked at and neither kept nor left: the oldest goes."""


@dataclass(frozen=True, slots=True)
class Waiting:
    data: bytes
    preview: Preview


class Inbox:
    """Files that wait for a yes, in memory: nothing of them is on the disk before."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._files: OrderedDict[str, Waiting] = OrderedDict()

    def put(self, waiting: Waiting) -> str:
        token = secrets.token_hex(8)
        with self._lock:
            self._files[token] = waiting
            while len(self._files) > MOST_WAITING:
                self._files.popitem(last=False)
        return token

    def get(self, token: str) -> Waiting:
        waiting = self._files.get(token)
        if waiting is None:
            raise NotFound(sentence("This file is not waiting any more; choose it again."))
        return waiting

    def drop(self, token: str) -> None:
        with self._lock:
            self._files.pop(token, None)


inbox = Inbox()


def add_to(pages: Blueprint) -> None:
    pages.get("/<name>.companion-set")(export)
    pages.post("/import")(receive)
    pages.get("/import/<token>")(look)
    pages.get("/import/<token>/<int:number>.jpg")(sheet)
    pages.post("/import/<token>")(keep)


def export(name: str) -> Response:
    check_house()
    filename, data = workshop().export(name)
    response = make_response(data)
    response.mimetype = "application/octet-stream"
    response.headers["Content-Disposition"] = f'attachment; filename="{filename}"'
    return response


def receive() -> Response:
    check_house()
    data = uploaded("file")
    return done("calibrating.look", token=inbox.put(Waiting(data, workshop().preview(data))))


def look(token: str) -> Response:
    check_house()
    preview = inbox.get(token).preview
    return show("castelli/calibrating/import.html", token=token, preview=preview, weak=spoken(preview.weak))


def sheet(token: str, number: int) -> Response:
    """The sheets one after another, then all faces."""
    check_house()
    preview = inbox.get(token).preview
    pictures = [picture for _, picture in preview.sheets] + ([preview.faces] if preview.faces else [])
    if number >= len(pictures):
        raise NotFound(sentence("There is nothing at this address. Go back to the start page."))
    return jpeg(pictures[number])


def keep(token: str) -> Response:
    check_house()
    form_key()
    waiting = inbox.get(token)
    if request.form.get("do") != "leave":
        workshop().import_set(waiting.data, request.form.get("name", "").strip())
    inbox.drop(token)
    return done("start.calibrations")
