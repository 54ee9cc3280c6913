"""Where the wooden markers on the charts and the track differ from the book: which, and by how much."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.scoring.castelli.components import Colour
from companion.scoring.castelli.position import MOST_ON_THE_TRACK, RESOURCES, Position
from companion.table.castelli.seen import Picture

TRACK = "track"


@dataclass(frozen=True, slots=True)
class MarkerDifference:
    scale: str
    """`wood`, `grain`, `rocks` or `track`."""
    colour: Colour
    on_photo: int
    in_book: int
    doubtful: bool
    """The marker was hard to read."""

    @property
    def by(self) -> int:
        """How far the marker has to be moved to agree with the book."""
        return self.in_book - self.on_photo


def marker_differences(position: Position, picture: Picture) -> tuple[MarkerDifference, ...]:
    """Markers that were not seen are left out; nobody is asked about what the book knows anyway."""
    return tuple(_differences(position, picture))


def _differences(position: Position, picture: Picture) -> Iterator[MarkerDifference]:
    for player in position.players:
        book = {kind.value: player.resource(kind) for kind in RESOURCES} | {TRACK: on_track(player.points)}
        for scale, in_book in book.items():
            marker = picture.markers.get((scale, player.colour))
            if marker is not None and marker.space is not None and marker.space != in_book:
                yield MarkerDifference(scale, player.colour, marker.space, in_book, marker.doubtful)


def on_track(points: int) -> int:
    """The space for these points: beyond the last one the marker goes round again."""
    return points % (MOST_ON_THE_TRACK + 1)
