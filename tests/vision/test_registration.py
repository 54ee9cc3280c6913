"""The board under known warps: found, arranged, exact; what is hidden is missing, no board is made up."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.errors import BoardNotFound, PoorPhoto
from companion.vision.landmarks import Landmarks, prepared
from companion.vision.model import Found, Polygon, Thing
from companion.vision.photo import decode
from companion.vision.plane import moved
from companion.vision.prints import learn_prints
from companion.vision.registration import find_board
from companion.vision.registration_features import guesses
from tests.vision import smallgame
from tests.vision.smallgame import STRAIGHT, TILTED, Picture, Shot, photographed


@pytest.fixture(scope="module")
def landmarks(tmp_path_factory: pytest.TempPathFactory) -> Landmarks:
    source = smallgame.source(tmp_path_factory.mktemp("setup"))
    prints, _ = learn_prints(source, [decode(one.photo.read_bytes()) for one in source.photos])
    return prepared(source.design, prints)


def find(picture: Picture, landmarks: Landmarks) -> Found:
    return find_board(decode(smallgame.jpeg(picture)).in_gray(), landmarks)


def arrangement(found: Found) -> dict[str, tuple[str, int]]:
    return {pose.place: (pose.sheet, pose.turned) for pose in found.poses if pose.place != "frame"}


def seen_from(direction: float, tilt: float, size: tuple[int, int] = (960, 720)) -> Shot:
    """The board from a side of the table, in degrees, at a tilt, in degrees."""
    focal, far = 0.8 * max(size), 1.25 * smallgame.WIDTH
    turn, lean = np.radians(direction), np.radians(tilt)
    around = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    over = np.array([[1, 0, 0], [0, np.cos(lean), -np.sin(lean)], [0, np.sin(lean), np.cos(lean)]])
    middle = np.array([smallgame.WIDTH / 2, smallgame.HEIGHT / 2])
    flat = np.column_stack([np.array(smallgame.BOARD) - middle, np.zeros(4)])
    # tilting about the x axis: the far side of the board is up in the photo
    space = flat @ around.T @ over.T * (1, 1, -1) + (0, 0, far)
    corners = space[:, :2] / space[:, 2:] * focal + np.array(size) / 2
    return Shot(corners, size)


@pytest.mark.parametrize("direction", [0, 75, 180, 250])
@pytest.mark.parametrize("tilt", [0, 30, 50])
def test_the_board_is_found_from_every_side_and_tilt(
    direction: float, tilt: float, landmarks: Landmarks
) -> None:
    shot = seen_from(direction, tilt)
    found = find(photographed(shot), landmarks)
    assert arrangement(found) == smallgame.HOME
    assert smallgame.corner_error(found.corners, shot) < smallgame.CORNERS_TO


@pytest.mark.parametrize(
    "lies",
    [
        {"W": ("P", 180), "E": ("Q", 0)},
        {"W": ("Q", 0), "E": ("P", 0)},
        {"W": ("Q", 180), "E": ("P", 180)},
    ],
)
def test_pieces_in_other_places_and_turns_are_told(
    lies: dict[str, tuple[str, int]], landmarks: Landmarks
) -> None:
    found = find(photographed(replace(TILTED, arrangement=lies)), landmarks)
    assert arrangement(found) == lies
    assert smallgame.corner_error(found.corners, TILTED) < smallgame.CORNERS_TO


def test_tiles_on_all_places_do_not_draw_the_board_askew(landmarks: Landmarks) -> None:
    things = {(sheet, slot): Thing(("A",), 1) for sheet in "PQ" for slot in smallgame.MIDDLES}
    found = find(photographed(replace(TILTED, things=things)), landmarks)
    assert arrangement(found) == smallgame.HOME
    assert smallgame.corner_error(found.corners, TILTED) < smallgame.CORNERS_TO


def test_a_piece_out_of_square_gets_a_pose_of_its_own(landmarks: Landmarks) -> None:
    shot = replace(STRAIGHT, moved_by={"Q": (1.2, -0.8)})
    found = find(photographed(shot), landmarks)
    points = np.array([(20.0, 20.0), (100.0, 30.0), (60.0, 100.0)])
    for pose in found.poses:
        if pose.sheet in "PQ":
            seen = pose.camera.project(points)
            # 1.2 mm are 3.2 pixels here
            assert smallgame.sheet_error(seen, shot, pose.place, pose.sheet, pose.turned, points) < 1.6


def test_a_hand_over_a_piece_leaves_the_rest_found(landmarks: Landmarks) -> None:
    picture = photographed(STRAIGHT)
    cv2.rectangle(picture, (470, 165), (820, 520), (110, 140, 200), -1)
    found = find(picture, landmarks)
    assert {pose.sheet for pose in found.poses} == {"P", "frame"}
    assert smallgame.corner_error(found.corners, STRAIGHT) < smallgame.CORNERS_TO


def test_a_board_half_out_of_the_picture_is_found_by_what_is_seen(landmarks: Landmarks) -> None:
    shot = Shot(STRAIGHT.corners - (430, 0))
    found = find(photographed(shot), landmarks)
    assert ("Q", 0) in arrangement(found).values()
    east = [1, 2]  # the two corners in the picture
    assert np.hypot(*(np.array(found.corners) - shot.corners)[east].T).max() < 3


def test_a_sheet_far_out_of_its_place_does_not_bend_the_board(landmarks: Landmarks) -> None:
    shot = replace(TILTED, moved_by={"Q": (4.0, -3.0)})
    found = find(photographed(shot), landmarks)
    assert arrangement(found) == smallgame.HOME
    assert smallgame.corner_error(found.corners, shot) < smallgame.CORNERS_TO


@pytest.mark.parametrize("direction", [20, 110, 200, 290])
def test_sturdy_points_tell_where_a_small_board_lies_that_is_seen_steeply(
    direction: float, landmarks: Landmarks
) -> None:
    corners = seen_from(direction, 60).corners * 0.65 + (35, 70)
    soft = np.asarray(cv2.GaussianBlur(photographed(Shot(corners)), (0, 0), 1.2), np.uint8)
    small = decode(smallgame.jpeg(soft)).in_gray().image
    guess = next(guesses(small, landmarks, landmarks.thorough, 2500)).refit()
    assert np.hypot(*(moved(guess.homography, np.array(smallgame.BOARD)) - corners).T).max() < 3


@pytest.mark.parametrize("light", [(0.45, 0.0), (0.6, 90.0), (1.3, -40.0)])
def test_other_light_changes_nothing(light: tuple[float, float], landmarks: Landmarks) -> None:
    found = find(photographed(replace(TILTED, light=light)), landmarks)
    assert arrangement(found) == smallgame.HOME
    assert smallgame.corner_error(found.corners, TILTED) < smallgame.CORNERS_TO


def test_results_are_in_pixels_of_the_whole_photo(landmarks: Landmarks) -> None:
    """A photo of 12 megapixels is worked on at half its size."""
    picture = cv2.resize(photographed(TILTED), (4000, 3000), interpolation=cv2.INTER_CUBIC)
    found = find(np.asarray(picture, np.uint8), landmarks)
    shot = Shot((TILTED.corners + 0.5) * (4000 / 960) - 0.5)
    assert smallgame.corner_error(found.corners, shot) < 8


def test_the_same_photo_gives_the_same_answer_whatever_the_threads(landmarks: Landmarks) -> None:
    picture = photographed(TILTED)
    before = cv2.getNumThreads()
    try:
        answers = []
        for threads in (1, 2, 4, 1):
            cv2.setNumThreads(threads)
            answers.append(find(picture, landmarks))
    finally:
        cv2.setNumThreads(before)
    for other in answers[1:]:
        assert other.corners == answers[0].corners
        assert [pose.camera.matrix.tobytes() for pose in other.poses] == [
            pose.camera.matrix.tobytes() for pose in answers[0].poses
        ]


def test_another_set_is_not_taken_for_this_one(landmarks: Landmarks) -> None:
    with pytest.raises(BoardNotFound, match=r"show"):
        find(photographed(TILTED, seed=7), landmarks)


def test_one_sheet_of_three_is_too_little_and_named(landmarks: Landmarks) -> None:
    picture = photographed(STRAIGHT)
    picture[:, 470:] = 90
    picture[:175] = picture[530:] = 90
    picture[:, :150] = 90
    with pytest.raises(BoardNotFound, match=r"^Only P found: show the whole board"):
        find(picture, landmarks)


def test_a_table_without_a_board_says_so(landmarks: Landmarks) -> None:
    table = np.random.default_rng(3).integers(0, 255, (72, 96, 3)).astype(np.uint8)
    with pytest.raises(BoardNotFound, match=r"not in the picture: show"):
        find(np.asarray(cv2.resize(table, (960, 720)), np.uint8), landmarks)


def test_a_dark_photo_says_so(landmarks: Landmarks) -> None:
    with pytest.raises(PoorPhoto, match=r"too dark: turn on a lamp"):
        find(photographed(replace(TILTED, light=(0.02, 0.0))), landmarks)


def test_a_blurred_photo_says_so(landmarks: Landmarks) -> None:
    with pytest.raises(PoorPhoto, match=r"too blurred: hold the phone still"):
        find(np.asarray(cv2.GaussianBlur(photographed(TILTED), (0, 0), 16), np.uint8), landmarks)


def test_taps_that_are_off_are_put_right(tmp_path: Path) -> None:
    """The photos are laid onto each other and their common corners drawn to the board's edge."""
    source = smallgame.source(tmp_path, taps_off_by=4.0)
    truth = [photo.corners for photo in smallgame.source(tmp_path).photos]
    _, found = learn_prints(source, [decode(one.photo.read_bytes()) for one in source.photos])

    def worst(corners: list[Polygon]) -> float:
        return float(np.hypot(*np.moveaxis(np.array(corners) - truth, 2, 0)).max())

    assert worst([one.corners for one in source.photos]) > 7
    assert worst([one.corners for one in found]) < 4
