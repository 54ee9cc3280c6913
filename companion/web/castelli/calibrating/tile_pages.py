"""The heraldic tiles: their colours get names, then each tile is named, most of them by one tap."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from flask import Blueprint, Response, request

from companion.table.castelli.calibrating.draft import CASTLES, TILES, Draft, Tile
from companion.table.castelli.calibrating.tiles import PaletteView, TileView
from companion.table.errors import NotFound, sentence
from companion.web.castelli.calibrating.making import (
    making,
    misunderstood,
    order,
    show_step,
    spoken,
    whole,
    workshop,
)
from companion.web.castelli.calibrating.pictures import board_address, part_address
from companion.web.castelli.calibrating.space_pages import Mark
from companion.web.castelli.colour_names import NAMED
from companion.web.castelli.tinctures import TYPICAL, Hatching, Rgb, colour_distance
from companion.web.castelli.words import colour_called, colour_name
from companion.web.page import check_house, done, form_key

EVERYDAY = {
    "red": TYPICAL[Hatching.GULES],
    "blue": TYPICAL[Hatching.AZURE],
    "green": TYPICAL[Hatching.VERT],
    "yellow": TYPICAL[Hatching.OR],
    "purple": TYPICAL[Hatching.PURPURE],
    "black": TYPICAL[Hatching.SABLE],
    "white": TYPICAL[Hatching.ARGENT],
    "orange": TYPICAL[Hatching.TENNE],
    "brown": TYPICAL[Hatching.SANGUINE][:1],
    "pink": TYPICAL[Hatching.SANGUINE][1:],
    "turquoise": (NAMED["turquoise"],),
}
"""What people call which shades."""
COLOURFUL, MOST_VIVID = 180, 2.0
"""How far the parts of a colour are apart in paint, of 255; how much more vivid a print is taken to be."""
VALUES = range(1, 7)
MOST_SILVER = 2
SURE = 0.5
"""Proposals that are less sure are marked."""


def add_to(pages: Blueprint) -> None:
    pages.get("/make/<id>/tiles")(tiles)
    pages.post("/make/<id>/colours")(name_colours)
    pages.get("/make/<id>/tiles/<role>/<cell>")(tile)
    pages.post("/make/<id>/tiles/<role>/<cell>")(say_tile)
    pages.post("/make/<id>/tiles/<role>")(confirm_known)


def tiles(id: str) -> Response:
    made = making(id)
    draft = made.draft
    roles = _roles(draft)
    views = {role: workshop().tiles(id, role) for role in roles} if draft.colours else {}
    colours = workshop().palette(id) if TILES in draft.shots else ()
    return show_step(
        "tiles",
        made,
        "tiles",
        colours=[
            (
                view,
                colour_name(name) if name else "",
                part_address(draft, view.example.partition("/")[0], view.rect, view.turned, 160),
            )
            for view, name in zip(colours, _proposed_names(colours), strict=True)
        ],
        overviews=[
            (role, board_address(draft, role), [_mark(draft, view) for view in views[role]]) for role in views
        ],
        usual=[colour_name(name) for name in EVERYDAY],
        check=workshop().tile_check(id),
        problems=spoken(made.step("tiles").open),
        following=_following(id, "") if draft.colours else "",
    )


def _roles(draft: Draft) -> list[str]:
    """Photos that show faces, the first of all tiles first."""
    return sorted(
        (role for role in draft.shots if role.partition("-")[0] in (TILES, CASTLES)),
        key=lambda role: (role.startswith(CASTLES), role),
    )


def _mark(draft: Draft, view: TileView) -> Mark:
    left, top, right, bottom = (round(length, 1) for length in view.rect)
    if view.tile is None:
        state = "open" if view.lies else "bare"
    else:
        state = "done" if view.tile.is_whole else "wrong"
    return Mark(f"{left},{top} {right},{top} {right},{bottom} {left},{bottom}", view.key, view.cell, state)


def _proposed_names(views: Sequence[PaletteView]) -> list[str]:
    """Each colour an everyday name of its own, so that all together fit best."""
    if any(view.name for view in views) or not views:
        return [view.name or "" for view in views]
    off = [[_off(rgb, shades) for shades in EVERYDAY.values()] for rgb in _vivid([v.rgb for v in views])]
    near = [sorted(range(len(EVERYDAY)), key=row.__getitem__)[:5] for row in off]
    likely = sorted({index for row in near for index in row})
    if len(likely) < len(views):
        return [""] * len(views)
    best = min(permutations(likely, len(views)), key=lambda p: sum(off[k][p[k]] for k in range(len(views))))
    names = list(EVERYDAY)
    return [names[index] for index in best]


def _vivid(colours: Sequence[Rgb]) -> list[Rgb]:
    """As colourful as paint: the ground of a side is often a pale tone of its colour."""
    widest = max(max(rgb) - min(rgb) for rgb in colours)
    more = min(MOST_VIVID, max(1.0, COLOURFUL / max(widest, 1)))
    greys = [sum(rgb) / 3 for rgb in colours]

    def stretched(part: int, grey: float) -> int:
        return round(min(255, max(0, grey + more * (part - grey))))

    return [
        (stretched(red, grey), stretched(green, grey), stretched(blue, grey))
        for (red, green, blue), grey in zip(colours, greys, strict=True)
    ]


def _off(rgb: Rgb, shades: Sequence[Rgb]) -> float:
    return min(colour_distance(rgb, shade) for shade in shades)


def name_colours(id: str) -> Response:
    check_house()
    names = [colour_called(name[:60]) for name in request.form.getlist("name")]
    workshop().name_colours(id, names, form_key())
    return done("calibrating.tiles", id=id)


def _following(id: str, after: str) -> str:
    """The next tile that was not named yet, on any photo; once all start tiles are, no more of them."""
    starts, wanted = workshop().tile_check(id).starts
    roles = [role for role in _roles(workshop().get(id)) if role != CASTLES or starts != wanted]
    views = [view for role in roles for view in workshop().tiles(id, role) if view.lies]
    keys = [view.key for view in views]
    start = keys.index(after) + 1 if after in keys else 0
    around = views[start:] + views[:start]
    return next((view.key for view in around if view.tile is None or not view.tile.is_whole), "")


def _view(id: str, role: str, cell: str) -> TileView:
    views = workshop().tiles(id, role)
    found = next((view for view in views if view.cell == cell), None)
    if found is None:
        raise NotFound(sentence("No tile lies there."))
    return found


def tile(id: str, role: str, cell: str) -> Response:
    made = making(id)
    view = _view(id, role, cell)
    reach = 0.62 * made.draft.grid.tile
    keys = [one.key for one in workshop().tiles(id, role) if one.lies or one.cell == cell]
    twins = [
        one
        for one in workshop().tile_check(id).problems
        if cell in (one.values.get("one"), one.values.get("other"), one.values.get("cell"))
    ]
    return show_step(
        "tile",
        made,
        "tiles",
        view=view,
        tile=view.tile or view.proposal,
        unsure=_unsure(view),
        picture=part_address(made.draft, role, made.draft.around(cell, reach), size=560),
        values=VALUES,
        silvers=range(MOST_SILVER + 1),
        keys=keys,
        place=keys.index(view.key),
        problems=spoken(tuple(twins)),
        may_be_none=role == CASTLES or bool(made.draft.edition),
    )


def _unsure(view: TileView) -> list[bool]:
    """By side: whether it needs a look before it is confirmed."""
    values = [value for _, value in view.proposal.sides]
    shares = zip(view.sure, values, strict=True)
    return [view.tile is None and (sure < SURE or value is None) for sure, value in shares]


def say_tile(id: str, role: str, cell: str) -> Response:
    check_house()
    view = _view(id, role, cell)
    words = order()
    if words == ["clear"]:
        workshop().clear_tile(id, view.key, form_key())
        return done("calibrating.tile", id=id, role=role, cell=cell)
    if words == ["none"]:
        workshop().no_tile(id, view.key, form_key())
    else:
        workshop().set_tile(id, view.key, _said(view.tile or view.proposal, words), form_key())
    if words in (["confirm"], ["none"]):
        following = _following(id, view.key)
        if not following:
            return done("calibrating.tiles", id=id)
        role, _, cell = following.partition("/")
    return done("calibrating.tile", id=id, role=role, cell=cell)


def _said(tile: Tile, words: list[str]) -> Tile:
    sides = list(tile.sides)
    match words:
        case ["confirm"]:
            return tile
        case ["value", at, value]:
            side = whole(at, 0, 3)
            sides[side] = (sides[side][0], "card" if value == "card" else whole(value, 1, 6))
        case ["colour", at, *name]:
            side, colour = whole(at, 0, 3), " ".join(name)
            other = next((k for k in range(4) if sides[k][0] == colour), side)
            # each colour stands on a tile once: the two change places
            sides[other] = (sides[side][0], sides[other][1])
            sides[side] = (colour, sides[side][1])
        case ["silver", count]:
            return tile.model_copy(update={"silver": whole(count, 0, MOST_SILVER)})
        case ["start", yes]:
            return tile.model_copy(update={"start": yes == "1"})
        case _:
            raise misunderstood()
    return tile.model_copy(update={"sides": tuple(sides)})


def confirm_known(id: str, role: str) -> Response:
    """On a further photo: all tiles that are proposed just as they were named before."""
    check_house()
    draft = workshop().get(id)
    known = {tile.likeness for key, tile in draft.tiles.items() if not key.startswith(f"{role}/")}
    for view in workshop().tiles(id, role):
        if view.tile is None and view.lies and view.proposal.likeness in known - {None}:
            workshop().set_tile(id, view.key, view.proposal)
    return done("calibrating.tiles", id=id)
