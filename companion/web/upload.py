"""What comes in as a file: never more than the limit, and never half of it."""

from __future__ import annotations

from typing import IO

from flask import current_app, request
from werkzeug.exceptions import UnsupportedMediaType

from companion.table.errors import BadInput, sentence
from companion.web.config import WebConfig


class CutOff(BadInput):
    """The connection broke in the middle."""

    status = 400
    code = "cut_off"


class Tail:
    """Reads through to the request's body and remembers how it ended."""

    LENGTH = 256

    def __init__(self, body: IO[bytes]) -> None:
        self._body = body
        self.end = b""

    def read(self, size: int = -1) -> bytes:
        return self._seen(self._body.read(size))

    def readline(self, size: int = -1) -> bytes:
        return self._seen(self._body.readline(size))

    def _seen(self, data: bytes) -> bytes:
        self.end = (self.end + data[-self.LENGTH :])[-self.LENGTH :]
        return data


def uploaded(field: str, *, needed: bool = True) -> bytes:
    """The bytes of a file in the form.

    A form that stops in the middle parses without complaint, and half a photo would be read as a whole
    one. So the body has to end with the boundary's last line.
    """
    config: WebConfig = current_app.config["COMPANION"]
    request.max_content_length = config.largest_photo
    if request.mimetype != "multipart/form-data":
        raise UnsupportedMediaType
    tail = Tail(request.environ["wsgi.input"])
    request.environ["wsgi.input"] = tail
    file = request.files.get(field)
    boundary = request.mimetype_params.get("boundary", "").encode("latin-1", "replace")
    while request.stream.read(65536):
        pass  # what stands behind the last part
    if not tail.end.rstrip().endswith(b"--" + boundary + b"--"):
        raise CutOff(sentence("Only a part of it arrived. Check the connection and send it again."))
    if needed and (file is None or not file.filename):
        raise BadInput(sentence("No file arrived. Choose one and send it again."))
    return file.read() if file is not None else b""
