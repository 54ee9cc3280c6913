"""Every failure becomes one sentence with the right status, in the reader's language, in this one place."""

from __future__ import annotations

import secrets

from flask import Flask, Response, current_app, jsonify, make_response, render_template, request
from werkzeug.exceptions import HTTPException

from companion.table.castelli.sitting import RuleRefused
from companion.table.errors import TableError, sentence
from companion.web.castelli.refusals import refusal
from companion.web.told import told

SENTENCES = {
    400: sentence("The request could not be understood. Load the page again and try once more."),
    403: sentence("You may not do this here."),
    404: sentence("There is nothing at this address. Go back to the start page."),
    405: sentence("This address cannot be used like that. Go back to the start page."),
    408: sentence("It took too long to arrive. Check the connection and try again."),
    411: sentence("The length of what was sent is missing. Load the page again and try once more."),
    413: sentence("That is too large to send. A photo may have up to 30 MB, a form far less."),
    415: sentence("This kind of file cannot be read. Send a photo as JPEG, PNG or WebP."),
    429: sentence("Too many tries. Wait a minute and try again."),
    431: sentence("The request could not be understood. Load the page again and try once more."),
    503: sentence("Too many are asking at once. Wait a moment and try again."),
}
FAILED = sentence("Something went wrong in the program, and nothing was changed. It was noted as %(number)s.")


def tell_failures(app: Flask) -> None:
    app.register_error_handler(TableError, table_error)
    app.register_error_handler(HTTPException, http_error)
    app.register_error_handler(Exception, unexpected)


def table_error(error: TableError) -> Response:
    problems = [told(problem.template, problem.values) for problem in error.problems]
    words = refusal(error.broken) if isinstance(error, RuleRefused) else told(error.template, error.values)
    return answer(error.status, error.code, words, problems)


def http_error(error: HTTPException) -> Response:
    status = error.code or 500
    if status < 400:
        return make_response(error.get_response())
    words = told(SENTENCES.get(status, SENTENCES[400]), {})
    response = answer(status, error.name.lower().replace(" ", "_"), words)
    if allowed := getattr(error, "valid_methods", None):
        response.headers["Allow"] = ", ".join(allowed)
    return response


def unexpected(error: Exception) -> Response:
    """The stack trace goes to the log under a number; the reader gets the number."""
    number = secrets.token_hex(3).upper()
    current_app.logger.error("failure %s at %s", number, request.path, exc_info=error)
    return answer(500, "failed", told(FAILED, {"number": number}))


def answer(status: int, code: str, words: str, problems: list[str] | None = None) -> Response:
    """As JSON for a program, as a page for a reader."""
    if request.accept_mimetypes.best_match(["text/html", "application/json"]) == "application/json":
        response = jsonify(error=code, sentence=words, problems=problems or [])
    else:
        layout = "sheet.html" if "X-Sheet" in request.headers else "base.html"
        response = make_response(
            render_template("error.html", layout=layout, status=status, words=words, problems=problems or [])
        )
    response.status_code = status
    if status in (429, 503):
        response.headers["Retry-After"] = "30"
    return response
