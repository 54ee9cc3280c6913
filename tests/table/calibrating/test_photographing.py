"""Photos are checked as they come in; the board is found by its own print, however it lies."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageEnhance, ImageFilter

from companion.table.errors import TableError
from tests.table.calibrating.owner import Owner

OTHER_BOARD = Path(__file__).parents[3] / "sample_images" / "reference" / "setup" / "tiles.jpg"


def jpeg(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=90)
    return out.getvalue()


def opened(owner: Owner, role: str) -> Image.Image:
    return Image.open(io.BytesIO(owner.photo(role))).convert("RGB")


def test_the_grid_is_found_in_the_picture(photographed: Owner) -> None:
    grid = photographed.workshop.get(photographed.id).grid
    told = photographed.set["geometry"]
    scale = grid.width / told["width"]
    for name in ("height", "pitch", "octagon", "frame", "chart"):
        assert getattr(grid, name) / scale == pytest.approx(told[name], abs=1.0), name
    assert (grid.x / scale, grid.y / scale) == pytest.approx(told["origin"], abs=0.5)
    assert photographed.workshop.grid_doubt(photographed.id) is None


def test_corners_of_later_photos_need_no_tap(photographed: Owner) -> None:
    draft = photographed.workshop.get(photographed.id)
    for role in ("start", "tiles", "castles"):
        shot = draft.shots[role]
        assert np.abs(np.array(shot.corners) - photographed.labels[role]["corners"]).max() < 15
        assert shot.arrangement == {"NW": ("P1", 0), "NE": ("P2", 0), "SW": ("P3", 0), "SE": ("P4", 0)}


def test_a_photo_from_the_other_side_of_the_table_is_fine(photographed: Owner) -> None:
    workshop = photographed.workshop
    turned = opened(photographed, "tiles").rotate(180)
    draft = workshop.photograph(photographed.id, "tiles-2", jpeg(turned))
    first, again = draft.shots["tiles"], draft.shots["tiles-2"]
    flipped = np.array([first.width, first.height]) - np.array(first.corners)
    assert np.abs(np.array(again.corners) - flipped).max() < 8
    workshop.undo(photographed.id)


@pytest.mark.parametrize("turn", [90, 270])
def test_a_photo_held_upright_is_fine(photographed: Owner, turn: int) -> None:
    picture = opened(photographed, "start").rotate(turn, expand=True)
    draft = photographed.workshop.photograph(photographed.id, "extra-1", jpeg(picture))
    assert draft.shots["extra-1"].arrangement == draft.shots["start"].arrangement
    photographed.workshop.undo(photographed.id)


@pytest.mark.parametrize("role", ["empty", "start", "tiles", "castles", "extra-1"])
@pytest.mark.parametrize("data", [b"", b"no photo", b"\xff\xd8\xff\xe0 cut off"])
def test_what_is_no_photo_is_refused(photographed: Owner, role: str, data: bytes) -> None:
    good = photographed.workshop.get(photographed.id)
    with pytest.raises(TableError):
        photographed.workshop.photograph(photographed.id, role, data)
    assert photographed.workshop.get(photographed.id) == good


@pytest.mark.parametrize("role", ["start", "tiles", "castles", "extra-1"])
def test_the_board_of_another_copy_is_noticed(photographed: Owner, role: str) -> None:
    other = OTHER_BOARD.read_bytes()
    with pytest.raises(TableError, match="does not show"):
        photographed.workshop.photograph(photographed.id, role, other)


def test_proposed_corners_are_those_of_the_board(photographed: Owner) -> None:
    workshop = photographed.workshop
    id = workshop.new("another").id
    shot = workshop.photograph(id, "empty", photographed.photo("empty")).shots["empty"]
    assert not shot.corners_confirmed
    confirmed = photographed.workshop.get(photographed.id).shots["empty"]
    assert far(shot.corners, confirmed.corners) < 3
    workshop.delete(id)


def far(corners: object, others: object) -> float:
    return float(np.hypot(*(np.array(corners) - np.array(others)).T).max())


@pytest.mark.parametrize("seed", range(3))
def test_a_thumb_need_not_be_exact(photographed: Owner, seed: int) -> None:
    """Taps up to eight pixels off, of 1400, are drawn to where careful ones are."""
    workshop, rng = photographed.workshop, np.random.default_rng(seed)
    confirmed = workshop.get(photographed.id).shots["empty"].corners
    id = workshop.new("a thumb").id
    workshop.photograph(id, "empty", photographed.photo("empty"))
    tapped = np.array(confirmed) + rng.uniform(-5.5, 5.5, (4, 2))
    workshop.set_corners(id, "empty", tapped.tolist())
    drawn = workshop.confirm_corners(id, "empty")
    assert far(drawn.shots["empty"].corners, confirmed) < 1
    # once the grid is confirmed it stays, and tells where the corners are
    workshop.confirm_grid(id)
    workshop.set_corners(id, "empty", tapped.tolist())
    again = workshop.confirm_corners(id, "empty")
    assert again.geometry == drawn.geometry
    assert far(again.shots["empty"].corners, confirmed) < 1.5
    workshop.delete(id)


def test_corners_far_from_any_board_stay_where_they_were_put(photographed: Owner) -> None:
    """Nothing is drawn to a grid that is not there; the page of the grid says so."""
    workshop = photographed.workshop
    id = workshop.new("a desk").id
    workshop.photograph(id, "empty", photographed.photo("empty"))
    put = [(300.0, 300.0), (900.0, 320.0), (880.0, 700.0), (310.0, 690.0)]
    workshop.set_corners(id, "empty", put)
    drawn = workshop.confirm_corners(id, "empty")
    assert drawn.shots["empty"].corners == tuple(put)
    assert workshop.grid_doubt(id) is not None
    workshop.delete(id)


Spoil = Callable[[Image.Image], Image.Image]
BAD: dict[str, tuple[Spoil, str]] = {
    "dark": (lambda p: ImageEnhance.Brightness(p).enhance(0.2), "too dark"),
    "blurred": (lambda p: p.filter(ImageFilter.GaussianBlur(5)), "blurred"),
    "cropped": (lambda p: p.crop((int(p.width * 0.35), 0, p.width, p.height)), "cut off"),
    "wrong": (
        lambda p: Image.effect_noise(p.size, 90).resize((p.width // 4, p.height // 4)).convert("RGB"),
        "does not show",
    ),
}


@pytest.mark.parametrize("role", ["start", "tiles", "castles", "extra-1"])
@pytest.mark.parametrize("kind", BAD)
def test_a_bad_photo_gets_its_sentence_and_the_good_one_stays(
    photographed: Owner, role: str, kind: str
) -> None:
    spoil, says = BAD[kind]
    good = photographed.workshop.get(photographed.id)
    picture = spoil(opened(photographed, role if role in good.shots else "start"))
    with pytest.raises(TableError, match=says if kind != "cropped" else "cut off|does not show"):
        photographed.workshop.photograph(photographed.id, role, jpeg(picture))
    assert photographed.workshop.get(photographed.id) == good


@pytest.mark.parametrize(
    ("role", "shows", "says"),
    [
        ("tiles", "start", "face down"),
        ("tiles", "castles", "No tiles"),
        ("tiles", "empty", "No tiles"),
        ("start", "tiles", "face up"),
        ("start", "castles", "No tiles"),
        ("castles", "tiles", "most meadows"),
        ("castles", "start", "most meadows"),
        ("castles", "empty", "Neither start tiles nor castles"),
    ],
)
def test_the_photo_of_another_step_is_noticed(photographed: Owner, role: str, shows: str, says: str) -> None:
    with pytest.raises(TableError, match=says):
        photographed.workshop.photograph(photographed.id, role, photographed.photo(shows))


def test_a_mirrored_photo_is_told_from_another_board(photographed: Owner) -> None:
    mirrored = opened(photographed, "tiles").transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    with pytest.raises(TableError, match="is mirrored"):
        photographed.workshop.photograph(photographed.id, "tiles", jpeg(mirrored))


def test_a_first_photo_without_a_whole_board_is_noticed_at_once(photographed: Owner) -> None:
    workshop = photographed.workshop
    id = workshop.new("cut off").id
    whole = workshop.photograph(id, "empty", photographed.photo("empty"))
    assert whole.shots["empty"].board_seen
    cropped = BAD["cropped"][0](opened(photographed, "empty"))
    assert not workshop.photograph(id, "empty", jpeg(cropped)).shots["empty"].board_seen
    workshop.delete(id)


def test_a_first_photo_with_tiles_on_the_board_is_noticed(photographed: Owner) -> None:
    workshop = photographed.workshop
    id = workshop.new("not empty").id
    workshop.photograph(id, "empty", photographed.photo("tiles"))
    workshop.confirm_corners(id, "empty")
    assert "tiles lie on the board" in str(workshop.grid_doubt(id))
    workshop.delete(id)


def test_pieces_that_lie_otherwise_cannot_be_taken_for_those_that_were_named(named: Owner) -> None:
    """A new photo of the empty board keeps what was named, as long as it is true."""
    good = named.workshop.get(named.id)
    moved = (named.kit / "games" / "01.jpg").read_bytes()
    with pytest.raises(TableError, match="lie otherwise"):
        named.workshop.photograph(named.id, "empty", moved)
    assert named.workshop.get(named.id) == good


@pytest.mark.parametrize("kind", ["dark", "blurred"])
def test_the_first_photo_is_checked_too(photographed: Owner, kind: str) -> None:
    spoil, says = BAD[kind]
    id = photographed.workshop.new("another").id
    with pytest.raises(TableError, match=says):
        photographed.workshop.photograph(id, "empty", jpeg(spoil(opened(photographed, "empty"))))
    photographed.workshop.delete(id)


def test_corners_at_the_rim_of_the_photo_mean_that_the_board_is_cut_off(photographed: Owner) -> None:
    workshop = photographed.workshop
    id = workshop.new("another").id
    workshop.photograph(id, "empty", photographed.photo("empty"))
    corners = photographed.labels["empty"]["corners"]
    workshop.set_corners(id, "empty", [(0.0, 0.0), *corners[1:]])
    with pytest.raises(TableError, match="cut off"):
        workshop.confirm_corners(id, "empty")
    workshop.set_corners(id, "empty", corners[::-1])
    with pytest.raises(TableError, match="no corners of a board"):
        workshop.confirm_corners(id, "empty")
    workshop.delete(id)
