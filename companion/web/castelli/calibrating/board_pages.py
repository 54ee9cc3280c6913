"""Photos, the corners of the board, and the grid over it."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Blueprint, Response, request

from companion.table.castelli.calibrating.draft import EMPTY, Draft
from companion.table.errors import BadInput, sentence
from companion.web.castelli.calibrating.making import (
    PAGE_OF,
    making,
    misunderstood,
    number,
    order,
    show_step,
    spoken,
    whole,
    workshop,
)
from companion.web.castelli.calibrating.pictures import board_address, photo_address
from companion.web.page import check_house, done, form_key
from companion.web.upload import uploaded

STEP = 0.001
"""A nudge, in widths of the board: half a millimetre of half a metre."""
LENGTHS = ("across", "down", "pitch", "octagon", "frame", "chart", "tile")


def add_to(pages: Blueprint) -> None:
    pages.post("/make/<id>/photos/<role>")(photograph)
    pages.post("/make/<id>/photos/<role>/remove")(remove)
    pages.get("/make/<id>/photos")(photos)
    pages.get("/make/<id>/board")(board)
    pages.post("/make/<id>/corners")(corners)
    pages.get("/make/<id>/grid")(grid)
    pages.post("/make/<id>/grid")(change_grid)
    pages.post("/make/<id>/cells")(cells)


def photograph(id: str, role: str) -> Response:
    """A role that ends in a hyphen means the next free one: `extra-`, `tiles-`."""
    check_house()
    data = uploaded("photo")
    kind = role.partition("-")[0]
    if role.endswith("-"):
        role = workshop().next_role(id, kind) if kind != "tiles" else _next_tiles(id)
    workshop().photograph(id, role, data, form_key())
    page = PAGE_OF.get(kind, "steps") if "-" not in role else "photos"
    return done(f"calibrating.{page}", id=id)


def _next_tiles(id: str) -> str:
    """The first photo of the tiles has no number."""
    shots = workshop().get(id).shots
    return next(f"tiles-{n}" for n in range(2, 100) if f"tiles-{n}" not in shots)


def remove(id: str, role: str) -> Response:
    check_house()
    workshop().remove_photo(id, role, form_key())
    return done("calibrating.photos", id=id)


def photos(id: str) -> Response:
    """All photos, to take one again or to add more: another lamp, pieces that were weak."""
    made = making(id)
    taken = {role: photo_address(made.draft, role) for role in made.draft.shots}
    return show_step("photos", made, "learn", taken=taken, can_add=made.draft.grid_confirmed)


def board(id: str) -> Response:
    made = making(id)
    shot = made.draft.shot(EMPTY)
    picture = photo_address(made.draft, EMPTY) if shot else ""
    return show_step("board", made, "board", shot=shot, picture=picture)


def corners(id: str) -> Response:
    check_house()
    key = form_key()
    match order():
        case ["move"]:
            spots = [list(spot) for spot in workshop().get(id).shots[EMPTY].corners]
            spots[whole(request.form.get("pin", ""), 0, len(spots) - 1)] = [number("x"), number("y")]
            workshop().set_corners(id, EMPTY, spots, key)
        case ["turn"]:
            workshop().turn_corners(id, EMPTY, key)
        case ["confirm"]:
            workshop().confirm_corners(id, EMPTY, key)
            return done("calibrating.grid", id=id)
        case _:
            raise misunderstood()
    return done("calibrating.board", id=id)


def grid(id: str) -> Response:
    made = making(id)
    if made.draft.geometry is None:
        raise BadInput(sentence("Confirm the corners of the empty board first."))
    doubt = workshop().grid_doubt(id)
    return show_step(
        "grid",
        made,
        "grid",
        picture=board_address(made.draft, EMPTY),
        octagons=[_points(made.draft.octagon_outline(cell)) for cell in made.draft.landscapes()],
        tiles=list(_tiles(made.draft)),
        lengths=LENGTHS,
        doubt=spoken((doubt,))[0] if doubt else "",
    )


def _points(outline: tuple[tuple[float, float], ...]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in outline)


def _tiles(draft: Draft) -> Iterator[tuple[float, float]]:
    for cell in draft.meadows():
        x, y = draft.middle(cell)
        yield round(x - draft.grid.tile / 2, 1), round(y - draft.grid.tile / 2, 1)


def change_grid(id: str) -> Response:
    check_house()
    key = form_key()
    match order():
        case ["confirm"]:
            workshop().confirm_grid(id, key)
            return done("calibrating.spaces", id=id)
        case ["fit"]:
            workshop().fit_grid(id, key)
        case ["width"]:
            workshop().set_geometry(id, key, width=number("width"))
        case [length, steps] if length in LENGTHS:
            draft = workshop().get(id)
            workshop().set_geometry(id, key, **_nudged(draft, length, whole(steps, -50, 50)))
        case _:
            raise misunderstood()
    return done("calibrating.grid", id=id)


def _nudged(draft: Draft, length: str, steps: int) -> dict[str, float]:
    """What a tap on an arrow or on + and - changes."""
    grid = draft.grid
    by = steps * STEP * grid.width
    if length in ("across", "down"):
        name = "x" if length == "across" else "y"
        return {name: round(getattr(grid, name) + by, 2)}
    if length == "pitch":
        # the whole grid grows about its middle; octagons and tiles with it
        by = by / max(draft.across, draft.down)
        share = (grid.pitch + by) / grid.pitch
        return {
            "pitch": round(grid.pitch + by, 3),
            "octagon": round(grid.octagon * share, 3),
            "tile": round(grid.tile * share, 3),
            "x": round(grid.x - by * draft.across / 2, 3),
            "y": round(grid.y - by * draft.down / 2, 3),
        }
    return {length: round(max(0.0, getattr(grid, length) + by), 2)}


def cells(id: str) -> Response:
    """Another edition: other numbers of cells, under a name of its own."""
    check_house()
    columns, rows = (whole(request.form.get(name, ""), 0, 99) for name in ("columns", "rows"))
    workshop().set_cells(id, columns, rows, request.form.get("edition", "")[:60], form_key())
    return done("calibrating.grid", id=id)
