"""The landscape spaces: each octagon large, its split, areas, castle sites, and village or city."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Response, request

from companion.table.castelli.calibrating.draft import EMPTY, Area, Draft, Space
from companion.table.castelli.calibrating.spaces import SpaceView
from companion.table.castelli.calibrating.splits import (
    SPLITS,
    area_polygons,
    place_site,
    split_space,
    turned_space,
)
from companion.table.errors import NotFound, sentence
from companion.web.castelli.calibrating.making import (
    making,
    misunderstood,
    number,
    order,
    show_step,
    spoken,
    whole,
    workshop,
)
from companion.web.castelli.calibrating.pictures import board_address, part_address
from companion.web.page import check_house, done, form_key

KINDS = ("wood", "grain", "rocks", "market", "mine")
TOWNS = ("village", "city")
LABELS_AT = 0.49, 0.555
"""How far from the middle, across and down, what is said of an area stands, in widths of the octagon."""
MOST_BUTTONS = 4
"""Counts of symbols that have a button of their own; more are reached by +."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A place on an overview that leads to its own page."""

    points: str
    name: str
    label: str
    state: str
    """`done`, `open`, `wrong`, or `bare`: nothing seems to lie there."""


@dataclass(frozen=True, slots=True)
class AreaDrawing:
    polygons: tuple[str, ...]
    at: tuple[float, float]


def add_to(pages: Blueprint) -> None:
    pages.get("/make/<id>/spaces")(spaces)
    pages.get("/make/<id>/spaces/<piece>/<cell>")(space)
    pages.post("/make/<id>/spaces/<piece>/<cell>")(say_space)


def spaces(id: str) -> Response:
    made = making(id)
    draft = made.draft
    views = workshop().spaces(id)
    check = workshop().space_check(id)
    wrong = {str(told.values.get("cell")) for told in check.problems}
    marks = [
        Mark(
            " ".join(f"{x:.1f},{y:.1f}" for x, y in draft.octagon_outline(view.board_cell)),
            view.key,
            view.board_cell,
            "open" if view.space is None else "wrong" if view.board_cell in wrong else "done",
        )
        for view in views
    ]
    return show_step(
        "spaces",
        made,
        "spaces",
        marks=marks,
        picture=board_address(draft, EMPTY),
        check=check,
        problems=spoken(check.problems),
        following=_following(views, ""),
    )


def _following(views: tuple[SpaceView, ...], after: str) -> str:
    """The next one that nothing was said of, round the board."""
    keys = [view.key for view in views]
    start = keys.index(after) + 1 if after in keys else 0
    around = views[start:] + views[:start]
    return next((view.key for view in around if view.space is None), "")


def _view(id: str, piece: str, cell: str) -> SpaceView:
    key = f"{piece}/{cell}"
    found = next((view for view in workshop().spaces(id) if view.key == key), None)
    if found is None:
        raise NotFound(sentence("There is no such landscape space."))
    return found


def space(id: str, piece: str, cell: str) -> Response:
    made = making(id)
    view = _view(id, piece, cell)
    octagon = made.draft.grid.octagon
    check = workshop().space_check(id)
    said = view.space or view.proposal
    keys = [one.key for one in workshop().spaces(id)]
    return show_step(
        "space",
        made,
        "spaces",
        view=view,
        space=said,
        keys=keys,
        place=keys.index(view.key),
        reach=round((view.rect[2] - view.rect[0]) / 2, 2),
        picture=part_address(made.draft, EMPTY, view.rect, size=760),
        drawings=[_drawing(octagon, area) for area in said.areas],
        splits=[(split, [_drawing(octagon, Area(sides=sides)) for sides in split]) for split in SPLITS],
        octagon=octagon,
        kinds=KINDS,
        most=MOST_BUTTONS,
        check=check,
        problems=spoken(tuple(one for one in check.problems if one.values.get("cell") == view.board_cell)),
        similar=[(key, _part(made.draft, key)) for key in view.similar[:3]],
    )


def _part(draft: Draft, key: str) -> str:
    cell = draft.keys_of_spaces()[key]
    return part_address(draft, EMPTY, draft.around(cell, draft.grid.octagon / 2), size=160)


def _drawing(octagon: float, area: Area) -> AreaDrawing:
    polygons = area_polygons(octagon, area.sides)
    points = tuple(" ".join(f"{x:.1f},{y:.1f}" for x, y in polygon) for polygon in polygons)
    return AreaDrawing(points, _label_spot(octagon, area.sides))


def _label_spot(octagon: float, sides: str) -> tuple[float, float]:
    """Outside of the area, beside the first of its sides or between two: inside symbols are counted."""
    towards = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
    x, y = (sum(towards[side][axis] for side in sides) for axis in (0, 1))
    if x == y == 0:
        x, y = towards[sides[0]]
    return round(x * LABELS_AT[0] * octagon, 1), round(y * LABELS_AT[1] * octagon, 1)


def say_space(id: str, piece: str, cell: str) -> Response:
    check_house()
    view = _view(id, piece, cell)
    draft = workshop().get(id)
    words = order()
    if words == ["clear"]:
        workshop().clear_space(id, view.key, form_key())
        return done("calibrating.space", id=id, piece=piece, cell=cell)
    fresh = _said(draft, view.space or view.proposal, words)
    workshop().set_space(id, view.key, fresh, form_key())
    if words == ["confirm"]:
        following = _following(workshop().spaces(id), view.key)
        if not following:
            return done("calibrating.spaces", id=id)
        piece, _, cell = following.partition("/")
    return done("calibrating.space", id=id, piece=piece, cell=cell)


def _said(draft: Draft, space: Space, words: list[str]) -> Space:
    octagon = draft.grid.octagon
    match words:
        case ["confirm"]:
            return space
        case ["split", split] if tuple(split.split(",")) in SPLITS:
            return split_space(space, split.split(","), octagon)
        case ["kind", at, kind] if kind in KINDS:
            return _with(space, at, kind=kind, **({} if kind == "rocks" else {"sites": ()}),
                         **({"symbols": 0} if kind == "mine" else {}))  # fmt: skip
        case ["symbols", at, count]:
            return _with(space, at, symbols=whole(count, 0, 9))
        case ["printed", town] if town in ("none", *TOWNS):
            return Space.model_validate({**space.model_dump(), "printed": None if town == "none" else town})
        case ["site"]:
            return _moved(space, request.form.get("pin", ""), (number("x"), number("y")), octagon)
        case ["copy", other] if other in draft.spaces:
            return draft.spaces[other]
        case ["turn"]:
            return turned_space(space, 1)
    raise misunderstood()


def _with(space: Space, at: str, **said: object) -> Space:
    index = whole(at, 0, len(space.areas) - 1)
    area = space.areas[index].model_copy(update=said)
    return space.model_copy(update={"areas": (*space.areas[:index], area, *space.areas[index + 1 :])})


def _moved(space: Space, pin: str, to: tuple[float, float], octagon: float) -> Space:
    """A new castle site, one that is put elsewhere, or, outside the octagon, one that is taken away."""
    if pin and pin != "new":
        area, _, site = pin.partition("-")
        index = whole(area, 0, len(space.areas) - 1)
        sites = space.areas[index].sites
        gone = whole(site, 0, len(sites) - 1)
        kept = tuple(spot for at, spot in enumerate(sites) if at != gone)
        space = _with(space, area, sites=kept)
    if max(abs(to[0]), abs(to[1])) > octagon / 2:
        return space
    return place_site(space, to, octagon)
