"""From a photo to the table: sending it, settling its questions one by one, confirming what changed."""

from __future__ import annotations

from flask import Blueprint, Response, request

from companion.table.castelli.scans import Taken
from companion.table.errors import NotFound, sentence
from companion.web.castelli.asked import answer_from
from companion.web.castelli.filters import proposed
from companion.web.castelli.tongue import _
from companion.web.page import Visit, check_may, done, show, visit, writing
from companion.web.rooms import rooms
from companion.web.upload import uploaded

pages = Blueprint("proposals", __name__)


@pages.post("/g/<game>/scan")
def scan(game: str) -> Response:
    visiting = visit(game)
    check_may(visiting, photograph=True)
    data = uploaded("photo")
    return read_photo(visiting, data)


@pages.post("/g/<game>/scan-sample")
def scan_sample(game: str) -> Response:
    """The photo that comes with the demo game."""
    visiting = visit(game)
    check_may(visiting, photograph=True)
    sample = rooms().samples.get(game)
    if sample is None:
        raise NotFound(sentence("There is no sample photo for this game."))
    return read_photo(visiting, sample)


def read_photo(visiting: Visit, data: bytes) -> Response:
    """Everybody sees that a photo is being read; then what it proposes."""
    game = visiting.game
    write = writing(visiting, photograph=True)
    live, scanning = rooms().live, rooms().scanning

    def at(stage: str) -> None:
        scanning[game] = (write.author, stage)
        live.publish(game)

    try:
        taken = rooms().table.take_photo(game, data, write.author, write.key, progress=at)
    finally:
        scanning.pop(game, None)
        live.publish(game)
    return done("games.table", what_came_of_it(taken), game=game)


def what_came_of_it(taken: Taken) -> str:
    """For whoever sent the photo, where nothing is asked that would tell."""
    if taken.applied:
        deeds = " ".join(deed.words for deed in proposed(taken.proposal) if not deed.is_routine)
        return _("Taken over: %(deeds)s", deeds=deeds)
    if taken.open is None:
        return _("The photo shows the table as the book has it. Nothing has changed.")
    return ""


@pages.get("/g/<game>/question/<path:question>")
def question(game: str, question: str) -> Response:
    """One question by itself, for instance tapped on the photo; once it is settled, the next one."""
    visiting = visit(game)
    proposal = rooms().table.proposal(game)
    if proposal is None:
        raise NotFound(sentence("This photo has been dealt with in the meantime."))
    asked = proposal.proposal.questions
    found = next((one for one in asked if one.id == question), asked[0] if asked else None)
    return show("question.html", visiting, proposal=proposal, question=found)


@pages.post("/g/<game>/answer")
def answer(game: str) -> Response:
    visiting = visit(game)
    check_may(visiting)
    form = request.form
    proposal, question = form.get("proposal", ""), form.get("question", "")
    if form.get("choice") == "again":
        rooms().table.unanswer(game, proposal, question)
    else:
        rooms().table.answer(game, proposal, question, answer_from(form, visiting.sitting))
    return done("games.table", game=game)


@pages.post("/g/<game>/confirm")
def confirm(game: str) -> Response:
    write = writing(visit(game))
    rooms().table.confirm(game, request.form.get("proposal", ""), write.author, write.key, write.expected)
    return done("games.table", game=game)


@pages.post("/g/<game>/dismiss")
def dismiss(game: str) -> Response:
    check_may(visit(game))
    rooms().table.dismiss(game, request.form.get("proposal", ""))
    return done("games.table", game=game)
