"""Bytes from anywhere: photos come out upright, everything else gets a sentence, and memory stays bounded."""

from __future__ import annotations

import struct
import subprocess
import sys

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.vision.errors import NotAPhoto, VisionError
from companion.vision.photo import MOST_PIXELS, decode, decode_gray
from tests.vision.smallgame import STRAIGHT, Picture, jpeg, photographed


@pytest.fixture(scope="module")
def picture() -> Picture:
    return photographed(STRAIGHT)


def with_orientation(data: bytes, orientation: int, order: str = "<") -> bytes:
    """A JPEG with an EXIF segment that holds nothing but the orientation."""
    mark = b"II" if order == "<" else b"MM"
    tiff = mark + struct.pack(order + "HIH", 42, 8, 1)
    tiff += struct.pack(order + "HHIHHI", 0x0112, 3, 1, orientation, 0, 0)
    body = b"Exif\0\0" + tiff
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + data[2:]


# What a camera that was held so stores, for a scene that is upright.
STORED = {
    1: lambda p: p,
    2: lambda p: p[:, ::-1],
    3: lambda p: p[::-1, ::-1],
    4: lambda p: p[::-1],
    5: lambda p: p.transpose(1, 0, 2),
    6: lambda p: np.rot90(p),
    7: lambda p: p[::-1, ::-1].transpose(1, 0, 2),
    8: lambda p: np.rot90(p, -1),
}


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_every_orientation_comes_out_upright(orientation: int, order: str, picture: Picture) -> None:
    stored = np.ascontiguousarray(STORED[orientation](picture))
    photo = decode(with_orientation(jpeg(stored), orientation, order))
    assert (photo.width, photo.height) == (960, 720)
    # compressed in other blocks, so not to the bit
    assert np.abs(photo.image.astype(int) - picture).mean() < 4


@pytest.mark.parametrize("orientation", range(1, 9))
def test_the_grey_copy_shows_the_same_scene_in_half_the_size(orientation: int, picture: Picture) -> None:
    large = cv2.resize(picture, None, fx=2.5, fy=2.5, interpolation=cv2.INTER_CUBIC)
    stored = np.ascontiguousarray(STORED[orientation](large))
    data = with_orientation(jpeg(np.asarray(stored, np.uint8)), orientation)
    gray = decode_gray(data, lambda: decode(data))
    assert (gray.image.shape, gray.scale) == ((900, 1200), 0.5)
    photo = gray.photo()
    assert photo.image.shape == (1800, 2400, 3)
    half = cv2.resize(
        cv2.cvtColor(photo.image, cv2.COLOR_BGR2GRAY), (1200, 900), interpolation=cv2.INTER_AREA
    )
    assert np.abs(gray.image.astype(int) - half).mean() < 2


def test_a_picture_that_is_cut_off_is_refused_in_grey_too(picture: Picture) -> None:
    data = jpeg(picture)
    with pytest.raises(NotAPhoto):
        decode_gray(data[: len(data) // 2], lambda: decode(data))


def test_cv2_agrees_about_orientations(picture: Picture) -> None:
    for orientation in range(1, 9):
        data = with_orientation(jpeg(picture), orientation)
        theirs = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        assert theirs is not None
        assert np.array_equal(decode(data).image, theirs)


@pytest.mark.parametrize(
    ("size", "scale"), [((2400, 1800), 1.0), ((4000, 3000), 0.5), ((4001, 3003), 0.5), ((8000, 6000), 0.25)]
)
def test_large_photos_are_worked_on_at_a_part_of_their_size(size: tuple[int, int], scale: float) -> None:
    flat = np.full((size[1], size[0], 3), 90, np.uint8)
    photo = decode(jpeg(flat))
    assert (photo.width, photo.height, photo.scale) == (*size, scale)
    assert photo.image.shape[1] == -(-size[0] * scale // 1)


def test_grey_and_progressive_photos_are_photos(picture: Picture) -> None:
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    assert decode(jpeg(np.asarray(grey, np.uint8))).image.shape == picture.shape
    steps = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])[1].tobytes()
    assert decode(steps).image.shape == picture.shape


@pytest.mark.parametrize(
    "data",
    [b"", b"\xff", b"\xff\xd8\xff", b"GIF89a", b"%PDF-1.7", b"\x89PNG\r\n\x1a\n" + bytes(100), bytes(5000)],
)
def test_what_is_no_jpeg_is_refused_in_one_sentence(data: bytes) -> None:
    with pytest.raises(NotAPhoto, match=r"^[A-Z][^.]*: save or send the photo as a JPEG"):
        decode(data)


def test_a_photo_that_is_cut_off_is_refused_wherever_it_is_cut(picture: Picture) -> None:
    data = with_orientation(jpeg(picture), 6)
    for share in (0.01, 0.1, 0.5, 0.9, 0.999):
        with pytest.raises(NotAPhoto, match="cut off"):
            decode(data[: int(len(data) * share)])


def test_what_follows_a_photo_does_not_matter(picture: Picture) -> None:
    """Phones append a film or a second picture."""
    data = jpeg(picture)
    assert np.array_equal(decode(data + b"film" * 50_000).image, decode(data).image)


def resized(data: bytes, width: int, height: int) -> bytes:
    """The same JPEG, whose header claims another size."""
    at = data.index(b"\xff\xc0")
    return data[: at + 5] + struct.pack(">HH", height, width) + data[at + 9 :]


@pytest.mark.parametrize(("width", "height"), [(65535, 65535), (10_000, MOST_PIXELS // 10_000 + 1)])
def test_a_header_that_claims_too_much_is_refused(width: int, height: int, picture: Picture) -> None:
    with pytest.raises(NotAPhoto):
        decode(resized(jpeg(picture), width, height))


@pytest.mark.parametrize(("width", "height"), [(60, 60), (3000, 300), (0, 500), (500, 0)])
def test_slivers_and_previews_are_refused(width: int, height: int, picture: Picture) -> None:
    with pytest.raises(NotAPhoto):
        decode(resized(jpeg(picture), width, height))


def test_two_sizes_in_one_header_are_refused(picture: Picture) -> None:
    data = jpeg(picture)
    at = data.index(b"\xff\xc0")
    length = 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    with pytest.raises(NotAPhoto, match="header is damaged"):
        decode(data[: at + length] + data[at : at + length] + data[at + length :])


SMALL = jpeg(np.asarray(cv2.resize(photographed(STRAIGHT), (320, 240)), np.uint8), 60)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(SMALL) - 1), st.integers(0, 255)), min_size=1, max_size=30))
def test_damaged_bytes_give_a_picture_or_a_sentence(changes: list[tuple[int, int]]) -> None:
    data = bytearray(SMALL)
    for at, value in changes:
        data[at] = value
    try:
        photo = decode(bytes(data))
    except VisionError as error:
        assert str(error)[-1] == "."
    else:
        assert photo.image.size <= 3 * MOST_PIXELS


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=400))
def test_any_header_gives_a_picture_or_a_sentence(body: bytes) -> None:
    with pytest.raises(NotAPhoto):
        decode(b"\xff\xd8\xff" + body)


BOMB = """
import resource, sys
from companion.vision.errors import NotAPhoto
from companion.vision.photo import decode
data = open(sys.argv[1], "rb").read()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    decode(data)
    print("decoded")
except NotAPhoto:
    pass
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


@pytest.mark.parametrize("width", [7000, 60_000])
def test_a_forged_size_takes_little_memory(
    width: int, picture: Picture, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("bomb") / "forged.jpg"
    path.write_bytes(resized(jpeg(picture), width, 8000))
    run = subprocess.run([sys.executable, "-c", BOMB, str(path)], capture_output=True, text=True, check=True)
    assert int(run.stdout.split()[-1]) < 150  # megabytes
