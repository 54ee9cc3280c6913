"""Trying it: a photo is read, the reading is drawn on it, and what is wrong is put right and taught."""

from __future__ import annotations

from flask import Blueprint, Response, request

from companion.table.castelli.calibrating.draft import Draft
from companion.table.castelli.calibrating.kitfiles import first_shown
from companion.web.castelli.calibrating.making import (
    draft_palette,
    making,
    misunderstood,
    show_step,
    spoken,
    whole,
    workshop,
)
from companion.web.castelli.calibrating.pictures import faces, part_address, photo_address
from companion.web.castelli.photo_view import photo_view
from companion.web.page import check_house, done, form_key
from companion.web.upload import uploaded

KINDS = {"slot": "tiles", "site": "castles", "space": "towns"}


def add_to(pages: Blueprint) -> None:
    pages.get("/make/<id>/try")(attempts)
    pages.post("/make/<id>/try")(attempt)
    pages.get("/make/<id>/try/<role>")(tried)
    pages.get("/make/<id>/try/<role>/<kind>/<path:where>")(place)
    pages.post("/make/<id>/try/<role>/<kind>/<path:where>")(put_right)
    pages.post("/make/<id>/try/<role>/teach")(teach)


def attempts(id: str) -> Response:
    made = making(id)
    read = {role: shot for role, shot in made.draft.shots.items() if shot.reading is not None}
    return show_step(
        "tries",
        made,
        "try",
        tries=[(role, photo_address(made.draft, role), shot.taught) for role, shot in read.items()],
        report=workshop().report(id),
        advice=spoken(workshop().report(id).advice),
    )


def attempt(id: str) -> Response:
    check_house()
    data = uploaded("photo")
    role, _ = workshop().try_photo(id, data, form_key())
    return done("calibrating.tried", id=id, role=role)


def tried(id: str, role: str) -> Response:
    made = making(id)
    reading = workshop().reading(id, role)
    view = photo_view(reading, workshop().read_board(id, role), draft_palette(made.draft))
    return show_step(
        "tried",
        made,
        "try",
        role=role,
        view=view,
        picture=photo_address(made.draft, role),
        taught=made.draft.shots[role].taught,
        markers=_markers(made.draft, reading),
        kinds=KINDS,
    )


def _markers(draft: Draft, reading: dict[str, object]) -> list[tuple[str, str, int | None, bool]]:
    """Each marker as it was read: its scale, its colour, its space, and whether that is in doubt."""
    doubts = reading.get("doubtful_markers", [])
    resources, track = reading.get("resources", {}), reading.get("track", {})
    assert isinstance(doubts, list) and isinstance(resources, dict) and isinstance(track, dict)
    found = []
    for colour in draft.colours:
        for name in ("wood", "grain", "rocks"):
            at = resources.get(colour, {}).get(name)
            found.append((name, colour, at, f"{name}/{colour}" in doubts))
        found.append(("track", colour, track.get(colour), f"track/{colour}" in doubts))
    return found


def place(id: str, role: str, kind: str, where: str) -> Response:
    """What may lie there instead."""
    made = making(id)
    draft = made.draft
    reading = workshop().reading(id, role)
    read = reading.get(kind, {}).get(where, {})
    shown = faces(draft) if kind == "tiles" else {}
    cell = where.partition("/")[0]
    around = draft.around(cell, draft.grid.pitch * (0.5 if kind == "tiles" else 0.75))
    return show_step(
        "place",
        made,
        "try",
        role=role,
        kind=kind,
        where=where,
        read=read,
        shown=shown,
        chosen=request.args.get("tile", ""),
        picture=part_address(draft, role, around, size=360),
        turned=[
            (turns, part_address(draft, *_face(draft, request.args.get("tile", "")), turns, 160))
            for turns in range(4)
        ]
        if request.args.get("tile") in shown
        else [],
    )


def _face(draft: Draft, tile: str) -> tuple[str, tuple[float, float, float, float]]:
    role, _, cell = first_shown(draft)[tile].partition("/")
    return role, draft.around(cell, draft.grid.tile / 2)


def put_right(id: str, role: str, kind: str, where: str) -> Response:
    check_house()
    workshop().fix(id, role, f"{kind}/{where}", _truth(kind), form_key())
    return done("calibrating.tried", id=id, role=role)


def _truth(kind: str) -> object:
    form = request.form
    match kind:
        case "tiles" if form.get("state") in ("none", "down"):
            return form["state"]
        case "tiles":
            return {"tile": form.get("tile", "")[:40], "turns": whole(form.get("turns", ""), 0, 3)}
        case "castles":
            return [colour for colour in form.get("stack", "").split(",") if colour]
        case "towns":
            return form.get("town") or None
        case "track" | "wood" | "grain" | "rocks":
            return whole(form.get("space", ""), 0, 999)
    raise misunderstood()


def teach(id: str, role: str) -> Response:
    check_house()
    workshop().teach(id, role, form_key())
    return done("calibrating.learn", id=id)
