"""Learning, with its progress, and the report of what is weak."""

from __future__ import annotations

from flask import Blueprint, Response

from companion.web.castelli.calibrating.making import making, show_step, spoken, workshop
from companion.web.castelli.calibrating.pictures import faces
from companion.web.castelli.tongue import lazy
from companion.web.page import check_house, done

DOING = {
    "photos": lazy("The photos are being opened."),
    "prints": lazy("The board pieces are laid over each other."),
    "looks": lazy("Tiles, castles and markers are learnt."),
    "saving": lazy("It is being kept."),
}


def add_to(pages: Blueprint) -> None:
    pages.get("/make/<id>/learn")(learn)
    pages.post("/make/<id>/learn")(start_learning)


def learn(id: str) -> Response:
    made = making(id)
    progress = workshop().progress(id)
    running = progress is not None and not progress.is_over
    failure = progress.failure if progress else None
    report = workshop().report(id)
    shown = faces(made.draft)
    return show_step(
        "learn",
        made,
        "learn",
        running=running,
        progress=progress,
        doing=DOING.get(progress.doing, "") if progress else "",
        failure=spoken((failure,))[0] if failure else "",
        report=report,
        weak=[(spoken((one.told,))[0], [shown[t] for t in one.tiles if t in shown]) for one in report.weak],
        advice=spoken(report.advice),
        missing=[(one, spoken(one.open)) for one in made.steps[:-2] if not one.is_done],
    )


def start_learning(id: str) -> Response:
    check_house()
    workshop().learn(id)
    return done("calibrating.learn", id=id)
