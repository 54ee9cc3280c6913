"""Sets in the making, one folder each, of open files:

draft.json          what has been said so far
before/N.json       what was said before the last changes, to be taken back
after/N.json        what was taken back
photos/NAME.jpg     photos, under names that nobody outside chooses
kit/                what is learnt from, written anew each time

Every change is on the disk, whole, before anybody sees it: whoever gives up half way loses nothing.
"""

from __future__ import annotations

import os
import re
import shutil
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import ClassVar, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from companion.table.errors import NotFound, StorageDamaged, StorageFailed, TooLarge, sentence
from companion.table.store import now

ID = re.compile(r"[a-f0-9]{12}")
VERSION = 1
KEPT = 40
"""Changes that can be taken back."""
MOST_PHOTOS = 60
"""Of one draft, those included that only an older state knows: some 300 MB."""
MOST_DRAFTS = 50
KEYS = 20
"""Keys of the last changes, so that one that is sent twice is made once."""
LARGEST_STATE = 4_000_000


class State(BaseModel):
    """What any draft has; a game adds what its owner says of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    NOTED: ClassVar[tuple[str, ...]] = ()
    """Fields that the program found out by itself: what the owner takes back leaves them."""

    version: int = VERSION
    id: str
    title: str
    number: int = 0
    """Grows with each change, taken back or not."""
    changed: str = ""
    keys: tuple[str, ...] = ()

    def files(self) -> Iterable[str]:
        """Names of the photos that it needs."""
        return ()


S = TypeVar("S", bound=State)


class Drafts(Generic[S]):
    def __init__(self, folder: Path, shape: type[S]) -> None:
        self._folder = folder
        self._shape = shape
        self._lock = threading.RLock()

    def all(self) -> tuple[S, ...]:
        """The one that was changed last comes first; what cannot be read is left out."""
        found = []
        for folder in self._folder.iterdir() if self._folder.is_dir() else ():
            with suppress(NotFound, StorageDamaged):
                found.append(self.get(folder.name))
        return tuple(sorted(found, key=lambda draft: draft.changed, reverse=True))

    def get(self, id: str) -> S:
        return self._read(self.place(id) / "draft.json")

    def place(self, id: str) -> Path:
        """The folder of a draft that is there."""
        folder = self._folder / id
        if not ID.fullmatch(id) or not (folder / "draft.json").is_file():
            raise NotFound(sentence("This calibration in the making is not there any more."))
        return folder

    def add(self, make: Callable[[str], S]) -> S:
        """`make` is given the new draft's id."""
        with self._lock, _disk():
            if self._folder.is_dir() and len(list(self._folder.iterdir())) >= MOST_DRAFTS:
                raise TooLarge(
                    sentence("There are %(most)s calibrations in the making; delete one first."),
                    most=MOST_DRAFTS,
                )
            draft = make(token_hex(6)).model_copy(update={"changed": now()})
            (self._folder / draft.id / "photos").mkdir(parents=True)
            _write(self._folder / draft.id / "draft.json", _bytes(draft))
            return draft

    def change(self, id: str, change: Callable[[S], S], key: str = "") -> S:
        """The draft after `change`, which may raise; a key that was seen already changes nothing."""
        with self._lock, _disk():
            old = self.get(id)
            if key and key in old.keys:
                return old
            new = change(old)
            if new == old:
                return old
            keys = (*old.keys, key)[-KEYS:] if key else old.keys
            new = new.model_copy(update={"number": old.number + 1, "changed": now(), "keys": keys})
            folder = self.place(id)
            self._push(folder / "before", old)
            shutil.rmtree(folder / "after", ignore_errors=True)
            _write(folder / "draft.json", _bytes(new))
            self._sweep(folder)
            return new

    def note(self, id: str, **found: str) -> S:
        """Fields that are `NOTED`: there is nothing that an owner would take back."""
        with self._lock, _disk():
            new = self.get(id).model_copy(update=found)
            _write(self.place(id) / "draft.json", _bytes(new))
            return new

    def undo(self, id: str) -> S:
        return self._swap(id, "before", "after")

    def redo(self, id: str) -> S:
        return self._swap(id, "after", "before")

    def can_undo(self, id: str) -> bool:
        return bool(_states(self.place(id) / "before"))

    def can_redo(self, id: str) -> bool:
        return bool(_states(self.place(id) / "after"))

    def delete(self, id: str) -> None:
        with self._lock, _disk():
            folder = self.place(id)
            (folder / "draft.json").unlink()  # first: half a draft is none
            shutil.rmtree(folder)

    def keep_photo(self, id: str, jpeg: bytes) -> str:
        """The name under which it is kept."""
        with self._lock, _disk():
            folder = self.place(id) / "photos"
            if len(list(folder.glob("*.jpg"))) >= MOST_PHOTOS:
                raise TooLarge(
                    sentence("There are %(most)s photos already; take some away first."), most=MOST_PHOTOS
                )
            name = f"{token_hex(8)}.jpg"
            _write(folder / name, jpeg)
            return name

    def photo(self, id: str, name: str) -> bytes:
        try:
            return (self.place(id) / "photos" / Path(name).name).read_bytes()
        except OSError:
            raise NotFound(sentence("This photo is not there any more; it may have been deleted.")) from None

    def _swap(self, id: str, source: str, target: str) -> S:
        with self._lock, _disk():
            folder, current = self.place(id), self.get(id)
            states = _states(folder / source)
            if not states:
                raise NotFound(sentence("There is nothing more to take back."))
            self._push(folder / target, current)
            fresh = {"number": current.number + 1, "changed": now(), "keys": current.keys}
            fresh |= {name: getattr(current, name) for name in current.NOTED}
            taken = self._read(states[-1]).model_copy(update=fresh)
            _write(folder / "draft.json", _bytes(taken))
            states[-1].unlink()
            return taken

    def _push(self, folder: Path, state: S) -> None:
        folder.mkdir(exist_ok=True)
        _write(folder / f"{state.number:08d}.json", _bytes(state))
        for old in _states(folder)[:-KEPT]:
            old.unlink()

    def _sweep(self, folder: Path) -> None:
        """Photos that no state knows any more. Looked at rarely: only when there are many."""
        photos = list((folder / "photos").glob("*.jpg"))
        if len(photos) < MOST_PHOTOS // 2:
            return
        states = [folder / "draft.json", *_states(folder / "before"), *_states(folder / "after")]
        needed = {name for state in states for name in self._read(state).files()}
        for photo in photos:
            if photo.name not in needed:
                photo.unlink(missing_ok=True)

    def _read(self, path: Path) -> S:
        try:
            with path.open("rb") as file:
                content = file.read(LARGEST_STATE)
            draft = self._shape.model_validate_json(content)
        except FileNotFoundError:
            raise NotFound(sentence("This calibration in the making is not there any more.")) from None
        except (ValidationError, ValueError, OSError):
            raise StorageDamaged(
                sentence("A calibration in the making cannot be read; it is left as it is.")
            ) from None
        if draft.version > VERSION:
            raise StorageDamaged(sentence("It was made by a newer version of this program; update it."))
        return draft


def _states(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.json")) if folder.is_dir() else []


def _bytes(state: State) -> bytes:
    return state.model_dump_json(indent=1).encode()


def _write(path: Path, content: bytes) -> None:
    part = path.with_suffix(".part")
    with part.open("wb") as out:
        out.write(content)
        out.flush()
        os.fsync(out.fileno())
    part.replace(path)


@contextmanager
def _disk() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StorageFailed(
            sentence("Nothing was kept: the disk did not take it (%(reason)s). Make room and try again."),
            reason=error.strerror or error,
        ) from None
