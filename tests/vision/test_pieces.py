"""Things with height: learnt from photos of known things, read in others, from drawn boards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.vision.camera import Camera
from companion.vision.labelled_view import LabelledView
from companion.vision.learn_pieces import grounds, learn_pieces
from companion.vision.light import PrintGrid, measure_light
from companion.vision.model import (
    NOTHING,
    Assembly,
    Design,
    Found,
    Labelled,
    PieceForm,
    Pieces,
    Place,
    Reading,
    Sheet,
    SheetPose,
    Slot,
    Thing,
)
from companion.vision.pieces import Form, PieceLooks, levels, silhouette
from companion.vision.pieces_ground import eye_of, survey
from companion.vision.pieces_reading import read_pieces
from companion.vision.pieces_sites import sites_of
from companion.vision.plane import homography_of, moved
from companion.vision.prints import Print
from companion.vision.wood_light import wood_light
from tests.vision.smallgame import drawn, rectangle

Picture = NDArray[np.uint8]

WIDTH, HEIGHT, PER_MM = 240.0, 180.0, 4
BOARD = rectangle(0, 0, WIDTH, HEIGHT)
PAINTS = {"man/red": (40, 40, 190), "man/blue": (190, 90, 30), "hut": (90, 150, 190)}
RADIUS, TALL = {"man": 6.0, "hut": 5.0}, {"man": 13.0, "hut": 7.0}
MEN = ("man/red", "man/blue")
SITES = {f"s{k}": (30.0 + 45.0 * (k % 5), 40.0 + 50.0 * (k // 5)) for k in range(10)}
FIELD = rectangle(30, 125, 210, 170)


def square(middle: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    x, y = middle
    return rectangle(x - 10, y - 10, x + 10, y + 10)


def design() -> Design:
    places = [
        Slot(name, "board", square(at), Pieces(MEN, 2) if k % 5 < 3 else Pieces(("hut",)))
        for k, (name, at) in enumerate(SITES.items())
    ]
    slots = (*places, Slot("field", "board", FIELD, Pieces(MEN, 1, anywhere=True)))
    return Design(
        "men and huts",
        {"board": Sheet("board", (BOARD,))},
        (Assembly("whole", (Place("board", ("board",), 0.0, 0.0),), BOARD),),
        {"board": slots},
        forms={name: PieceForm(name, 0.0, 0.0, paint=name.split("/")[1]) for name in MEN},
    )


@dataclass(frozen=True)
class Shot:
    corners: NDArray[np.float64]
    things: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    at: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Where things stand that do not stand in the middle of their slot."""
    light: float = 1.0
    size: tuple[int, int] = (1200, 900)

    @property
    def camera(self) -> Camera:
        return Camera.from_homography(homography_of(np.array(BOARD), self.corners), self.size)

    def photographed(self) -> Picture:
        art = drawn(7, WIDTH, HEIGHT, 60)
        warp = homography_of(np.array(BOARD), self.corners) @ np.diag([1 / PER_MM, 1 / PER_MM, 1.0])
        photo = np.full((self.size[1], self.size[0], 3), 110, np.uint8)
        cv2.warpPerspective(
            cv2.GaussianBlur(art, (0, 0), 1.0), warp, self.size, dst=photo, borderMode=cv2.BORDER_TRANSPARENT
        )
        eye = eye_of(self.camera)
        # the far ones first: the near ones stand before them
        for name in sorted(self.things, key=lambda n: -float(np.hypot(*(np.array(self.spot(n)) - eye[:2])))):
            self._draw(photo, name)
        noise = np.random.default_rng(3).normal(0, 2, photo.shape)
        return np.asarray(np.clip(photo * self.light + noise, 0, 255), np.uint8)

    def spot(self, name: str) -> tuple[float, float]:
        return self.at.get(name) or SITES[name]

    def _draw(self, photo: Picture, name: str) -> None:
        angles = np.linspace(0, 2 * np.pi, 40)
        base = 0.0
        for piece in self.things[name]:
            kind = piece.split("/")[0]
            around = RADIUS[kind] * np.column_stack([np.cos(angles), np.sin(angles)])
            circle = np.array(self.spot(name)) + around
            low, high = self.camera.project(circle, base), self.camera.project(circle, base + TALL[kind])
            hull = cv2.convexHull(np.concatenate([low, high]).astype(np.float32)).reshape(-1, 2)
            colour = np.array(PAINTS[piece])
            cv2.fillConvexPoly(photo, np.round(hull).astype(np.int32), (colour * 0.7).tolist(), cv2.LINE_AA)
            cv2.fillConvexPoly(photo, np.round(high).astype(np.int32), colour.tolist(), cv2.LINE_AA)
            base += TALL[kind]


FRONT = np.array([(190.0, 160.0), (1010.0, 160.0), (1130.0, 760.0), (70.0, 760.0)])
LEFT = np.array([(300.0, 790.0), (180.0, 190.0), (980.0, 90.0), (1090.0, 650.0)])
LEARNT = {
    "s0": ("man/red",), "s1": ("man/blue",), "s5": ("man/blue",), "s6": ("man/red",),
    "s7": ("man/red", "man/blue"), "s2": ("man/blue", "man/red"),
    "s3": ("hut",), "s8": ("hut",), "s9": ("hut",),
}  # fmt: skip


def pose(shot: Shot) -> SheetPose:
    return SheetPose("board", "board", 0, shot.camera, 0.3, 1.0)


def print_() -> Print:
    art = drawn(7, WIDTH, HEIGHT, 60)
    small = cv2.resize(art, None, fx=0.75, fy=0.75, interpolation=cv2.INTER_AREA)
    known = np.full(small.shape[:2], 255, np.uint8)
    return Print(np.asarray(small, np.uint8), known, 0.75 * PER_MM, (0.5 / 3, 0.5 / 3))


@pytest.fixture(scope="module")
def looks() -> PieceLooks:
    shot = Shot(FRONT, LEARNT)
    things = {("board", slot.name): Thing(LEARNT.get(slot.name, ())) for slot in design().slots["board"]}
    corners = tuple((float(x), float(y)) for x, y in FRONT)
    labelled = Labelled(Path("men.jpg"), "whole", corners, {}, things, {})
    view = LabelledView(shot.photographed(), (pose(shot),), labelled, 1.0)
    return learn_pieces(design(), grounds(design(), [view], {"board": print_()}))


def read(shot: Shot, looks: PieceLooks, image: Picture | None = None) -> dict[str, Reading]:
    image = shot.photographed() if image is None else image
    light = measure_light(image, (pose(shot),), 1.0, {"board": PrintGrid.of(print_())})
    corners = tuple((float(x), float(y)) for x, y in shot.corners)
    found = Found("whole", (pose(shot),), corners, 0.3)
    ground = survey(image, found, 1.0, design(), {"board": print_()}, lambda: light)
    sites = sites_of(found.poses, design(), ground, looks)
    readings, _ = read_pieces(ground, found.poses, sites, looks, wood_light(ground, looks))
    return {reading.slot.name: reading for reading in readings}


def test_a_disc_above_the_board_hides_what_the_camera_says_it_hides() -> None:
    camera = Shot(FRONT).camera
    angles = np.linspace(0, 2 * np.pi, 50)
    rim = np.array([100.0, 60.0]) + 6 * np.column_stack([np.cos(angles), np.sin(angles)])
    back = np.asarray(np.linalg.inv(camera.homography()), dtype=np.float64)
    hidden = moved(back, camera.project(rim, 13.0))
    off = silhouette(hidden, np.array([100.0, 60.0]), eye_of(camera), np.array([13.0]), np.array([6.0]))
    assert np.allclose(off, 1.0, atol=0.01)


def test_forms_are_learnt_to_the_millimetre(looks: PieceLooks) -> None:
    man, hut = looks.forms["man/red"], looks.forms["hut"]
    assert man.radius == pytest.approx(RADIUS["man"], abs=1.2)
    assert man.height == pytest.approx(TALL["man"], abs=2.0)
    assert man.rise == pytest.approx(TALL["man"], abs=2.0)
    assert hut.radius == pytest.approx(RADIUS["hut"], abs=1.2)
    assert hut.height == pytest.approx(TALL["hut"], abs=2.0)


def test_what_was_learnt_is_read_from_another_seat_under_another_lamp(looks: PieceLooks) -> None:
    things = {
        "s0": ("man/blue",), "s2": ("man/red", "man/blue"), "s3": ("hut",), "s6": ("man/red",),
        "s5": ("man/blue", "man/red"), "s9": ("hut",),
    }  # fmt: skip
    readings = read(Shot(LEFT, things, at={"s0": (32.0, 41.5)}, light=0.7), looks)
    assert {name: r.thing.names for name, r in readings.items() if r.thing != NOTHING} == things
    assert not any(reading.doubtful for reading in readings.values())


def test_a_piece_anywhere_in_an_area_is_read_with_where_it_was_seen(looks: PieceLooks) -> None:
    shot = Shot(LEFT, {"field": ("man/red",)}, at={"field": (95.0, 150.0)})
    reading = read(shot, looks)["field"]
    assert reading.thing == Thing(("man/red",)) and not reading.doubtful
    middle = shot.camera.project(np.array([[95.0, 150.0]]), TALL["man"] / 2)[0]
    assert cv2.pointPolygonTest(np.array(reading.outline, np.float32), tuple(middle.tolist()), False) > 0


def test_a_bare_board_is_bare(looks: PieceLooks) -> None:
    readings = read(Shot(LEFT, light=0.8), looks)
    assert all(reading.thing == NOTHING and not reading.doubtful for reading in readings.values())


def test_a_hand_over_a_piece_is_no_sure_reading(looks: PieceLooks) -> None:
    shot = Shot(FRONT, {"s6": ("man/red",)})
    image = shot.photographed()
    x, y = shot.camera.project(np.array([SITES["s6"]]), 5.0)[0]
    cv2.ellipse(image, (round(x), round(y) + 20), (90, 60), 20, 0, 360, (120, 150, 200), -1)
    assert read(shot, looks, image)["s6"].doubtful


def test_looks_are_kept_as_arrays_and_facts(looks: PieceLooks) -> None:
    again = PieceLooks.from_store(*looks.to_store())
    shot = Shot(FRONT, {"s1": ("man/blue", "man/red"), "s4": ("hut",)})
    before, after = read(shot, looks), read(shot, again)
    assert {n: r.thing for n, r in after.items()} == {n: r.thing for n, r in before.items()}
    assert after["s1"].thing == Thing(("man/blue", "man/red"))


def test_levels_reach_from_the_base_to_the_top() -> None:
    heights, radii = levels(Form(np.array([0.0, 10.0]), np.array([4.0, 2.0]), 10.0), base=5.0)
    assert heights[0] == 5.0 and heights[-1] == 15.0 and radii[0] == 4.0 and radii[-1] == 2.0


def any_shot(rng: np.random.Generator) -> Shot:
    """Things on some places and in the field, put down askew, seen from a seat somewhere around the board."""
    seat = (FRONT, LEFT)[int(rng.integers(2))]
    things: dict[str, tuple[str, ...]] = {}
    at = {}
    for number, (name, (x, y)) in enumerate(SITES.items()):
        if rng.random() < 0.5:
            colours = [MEN[int(k)] for k in rng.permutation(2)]
            things[name] = ("hut",) if number % 5 >= 3 else tuple(colours[: 1 + int(rng.random() < 0.3)])
            at[name] = (x + float(rng.uniform(-3, 3)), y + float(rng.uniform(-3, 3)))
    if rng.random() < 0.5:
        things["field"] = (MEN[int(rng.integers(2))],)
        at["field"] = (float(rng.uniform(45, 195)), float(rng.uniform(138, 158)))
    corners = seat + rng.uniform(-40, 40, seat.shape)
    return Shot(corners, things, at, light=float(rng.uniform(0.45, 1.1)))


def disturbed(image: Picture, rng: np.random.Generator) -> Picture:
    """A soft lens, grain, a shadow and something that lies about."""
    seen = cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.3, 2.5))).astype(np.float32)
    height, width = seen.shape[:2]
    shade = np.zeros((height, width), np.float32)
    middle = (int(rng.integers(width)), int(rng.integers(height)))
    cv2.ellipse(shade, middle, (200, 90), float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
    seen *= 1 - 0.4 * cv2.GaussianBlur(shade, (0, 0), 15)[..., None]
    spot = (int(rng.integers(width)), int(rng.integers(height)))
    cv2.ellipse(
        seen, spot, (45, 20), float(rng.uniform(0, 180)), 0, 360, rng.uniform(30, 220, 3).tolist(), -1
    )
    seen += rng.normal(0, float(rng.uniform(1, 8)), seen.shape)
    return np.asarray(np.clip(seen, 0, 255), np.uint8)


def test_of_what_is_read_with_99_percent_99_in_100_are_right(looks: PieceLooks) -> None:
    rng = np.random.default_rng(11)
    sure, right, doubted = 0, 0, 0
    for _ in range(24):
        shot = any_shot(rng)
        for name, reading in read(shot, looks, disturbed(shot.photographed(), rng)).items():
            is_right = reading.thing.names == shot.things.get(name, ())
            sure += reading.confidence >= 0.99
            right += is_right and reading.confidence >= 0.99
            doubted += reading.doubtful
    assert sure > 200  # of 264: it is not modesty that keeps it right
    assert right >= 0.99 * sure
    assert doubted < 30
