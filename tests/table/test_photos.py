"""Photos: what is taken, what is refused, what is left on disk."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from companion.table.errors import NotAPhoto, NotFound, StorageDamaged, StorageFailed, TableError, TooLarge
from companion.table.photos import Photos, checked_jpeg
from companion.table.store import NewEntry, Store


def picture(format: str = "JPEG", size: tuple[int, int] = (400, 300), turned: int = 1) -> bytes:
    """Red on the left, blue on the right."""
    image = Image.new("RGB", size, "red")
    image.paste("blue", (size[0] // 2, 0, *size))
    exif = Image.Exif()
    exif[0x0112] = turned
    out = io.BytesIO()
    image.save(out, format, exif=exif)
    return out.getvalue()


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


@pytest.fixture
def game(store: Store) -> str:
    return store.new_game("toy", "{}", [NewEntry({"do": []}, "Anna")], "new")


@pytest.fixture
def photos(store: Store) -> Photos:
    return Photos(store)


def files(store: Store) -> set[str]:
    return {file.name for file in (store.folder / "photos").iterdir()}


def test_a_jpeg_is_kept_byte_by_byte_under_a_name_of_ours(photos: Photos, store: Store, game: str) -> None:
    photo = photos.keep(game, picture(), "Anna")
    assert photos.read(game, photo.id) == picture()
    assert (photo.width, photo.height, photo.author, photo.size) == (400, 300, "Anna", len(picture()))
    assert files(store) == {f"{photo.id}.jpg"}
    assert photos.of(game) == (photo,)


@pytest.mark.parametrize("format", ["PNG", "WEBP"])
def test_other_pictures_become_jpeg(photos: Photos, game: str, format: str) -> None:
    photo = photos.keep(game, picture(format), "Anna")
    assert photos.read(game, photo.id)[:3] == b"\xff\xd8\xff"


@pytest.mark.parametrize("format", ["JPEG", "PNG"])
def test_width_and_height_are_those_of_the_upright_photo(photos: Photos, game: str, format: str) -> None:
    photo = photos.keep(game, picture(format, turned=6), "Anna")
    assert (photo.width, photo.height) == (300, 400)
    small = Image.open(io.BytesIO(photos.small(game, photo.id, longest=200)))
    assert small.size == (150, 200)
    top, bottom = small.getpixel((75, 20)), small.getpixel((75, 180))
    assert isinstance(top, tuple) and top[0] > 200 and isinstance(bottom, tuple) and bottom[2] > 200


def test_a_crop_is_straightened(photos: Photos, game: str) -> None:
    """The square about the border of red and blue, seen from the left: red is then at the bottom."""
    photo = photos.keep(game, picture(), "Anna")
    square = [(180.0, 130.0), (220.0, 130.0), (220.0, 170.0), (180.0, 170.0)]
    for turn, red in enumerate(["left", "bottom", "right", "top"]):
        crop = Image.open(io.BytesIO(photos.crop(game, photo.id, square[turn:] + square[:turn])))
        middle, far = crop.width // 2, crop.width - 9
        at = {"left": (8, middle), "right": (far, middle), "top": (middle, 8), "bottom": (middle, far)}
        colour = crop.getpixel(at[red])
        assert isinstance(colour, tuple) and colour[0] > 200 and crop.width == crop.height


@pytest.mark.parametrize(
    "outline", [[(900, 900), (950, 900), (950, 950), (900, 950)], [(10, 10), (20, 20), (30, 30)]]
)
def test_a_crop_outside_the_photo(photos: Photos, game: str, outline: list[tuple[float, float]]) -> None:
    photo = photos.keep(game, picture(), "Anna")
    with pytest.raises(NotFound):
        photos.crop(game, photo.id, outline)


def png_that_claims(width: int, height: int) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(b"\0" * 1000)) + chunk(b"IEND", b"")


def jpeg_that_claims(width: int, height: int) -> bytes:
    data = bytearray(picture())
    at = data.index(b"\xff\xc0") + 5
    data[at : at + 4] = struct.pack(">HH", height, width)
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (lambda: b"", NotAPhoto),
        (lambda: b"hello", NotAPhoto),
        (lambda: b"\xff\xd8\xff", NotAPhoto),
        (lambda: b"<svg xmlns='http://www.w3.org/2000/svg'/>", NotAPhoto),
        (lambda: b"\0\0\0\x20ftypheic" + b"\0" * 100, NotAPhoto),
        (lambda: picture()[:-200], NotAPhoto),
        (lambda: picture("PNG")[:-200], NotAPhoto),
        (lambda: picture(size=(200, 150)), NotAPhoto),
        (lambda: png_that_claims(9000, 9000), TooLarge),
        (lambda: png_that_claims(2**31 - 1, 2**31 - 1), TooLarge),
        (lambda: png_that_claims(500, 500), NotAPhoto),
        (lambda: jpeg_that_claims(60000, 60000), TooLarge),
        (lambda: picture() + b"\xff\xd9" * 16_000_000, TooLarge),
    ],
)
def test_what_is_no_use_is_refused_and_leaves_nothing(
    photos: Photos, store: Store, game: str, data: Callable[[], bytes], error: type[TableError]
) -> None:
    with pytest.raises(error):
        photos.keep(game, data(), "Anna")
    assert files(store) == set() and photos.of(game) == ()


def test_a_camera_may_add_something_behind_the_picture() -> None:
    assert checked_jpeg(picture() + b"MotionPhoto" * 100)[1:] == (400, 300)


def test_a_damaged_record_names_the_file(photos: Photos, store: Store, game: str) -> None:
    photo = photos.keep(game, picture(), "Anna")
    with store.writing() as write:
        write.execute("UPDATE photos SET record = ?", ('{"tiles": ',))
    with pytest.raises(StorageDamaged, match=r"companion\.sqlite3 is damaged"):
        photos.record(game, photo.id)


def test_deleted_is_deleted(photos: Photos, store: Store, game: str) -> None:
    photo = photos.keep(game, picture(), "Anna")
    photos.keep_record(photo.id, {"tiles": {}})
    photos.small(game, photo.id)
    photos.delete(game, photo.id)
    assert files(store) == set()
    for look in (photos.read, photos.small, photos.delete):
        with pytest.raises(NotFound):
            look(game, photo.id)
    assert photos.record(game, photo.id) is None


@pytest.mark.parametrize("name", ["../companion.sqlite3", "..", "/etc/passwd", "", "a" * 32])
def test_no_path_comes_from_outside(photos: Photos, game: str, name: str) -> None:
    with pytest.raises(NotFound):
        photos.read(game, name)


def test_a_photo_belongs_to_its_game(photos: Photos, store: Store, game: str) -> None:
    other = store.new_game("toy", "{}", [NewEntry({"do": []}, "Anna")], "other")
    photo = photos.keep(game, picture(), "Anna")
    with pytest.raises(NotFound):
        photos.read(other, photo.id)


def test_what_a_kill_left_behind_is_swept_away(
    tmp_path: Path, photos: Photos, store: Store, game: str
) -> None:
    photo = photos.keep(game, picture(), "Anna")
    (tmp_path / "photos" / "half.part").write_bytes(b"x")
    (tmp_path / "photos" / f"{'0' * 32}.jpg").write_bytes(b"x")
    (tmp_path / "photos" / "notes.txt").write_text("not ours")
    Photos(store)
    assert files(store) == {f"{photo.id}.jpg", "notes.txt"}


def test_a_disk_that_takes_no_photo_says_so(photos: Photos, store: Store, game: str) -> None:
    (store.folder / "photos").rmdir()
    (store.folder / "photos").touch()
    with pytest.raises(StorageFailed, match="Nothing was kept"):
        photos.keep(game, picture(), "Anna")
    assert photos.of(game) == ()
