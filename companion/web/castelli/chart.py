"""Points over turns as lines: each player's own dashes and end mark, so that no colour is needed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from companion.web.castelli.tinctures import Palette, Tincture

WIDTH, HEIGHT = 340.0, 190.0
LEFT, RIGHT, TOP, BOTTOM = 26.0, 54.0, 10.0, 24.0
LABEL_HEIGHT = 13.0
"""Names at the ends of the lines are kept this far apart."""
DASHES = ("", "7 4", "2 4", "10 4 2 4", "4 2", "12 5", "1 3", "6 2 1 2")


class Points(Protocol):
    """Everybody's points after a turn."""

    @property
    def turn(self) -> int: ...
    @property
    def points(self) -> Mapping[str, int]: ...


@dataclass(frozen=True, slots=True)
class Line:
    tincture: Tincture
    path: str
    dashes: str
    end: tuple[float, float]
    label_y: float
    points: int


@dataclass(frozen=True, slots=True)
class Chart:
    width: float
    height: float
    left: float
    right: float
    bottom: float
    lines: tuple[Line, ...]
    levels: tuple[tuple[int, float], ...]
    """Points and how high they are."""
    turns: tuple[tuple[int, float], ...]


def points_chart(over_turns: Iterable[Points], colours: Iterable[str], palette: Palette) -> Chart | None:
    """None while there is nothing to be seen: fewer than two turns."""
    rows = tuple(over_turns)
    if len(rows) < 2:
        return None
    most = max([1, *(number for row in rows for number in row.points.values())])
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100) if most / step <= 5 or step == 100)
    top = -(-most // step) * step
    last = rows[-1].turn or 1

    def x(turn: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * turn / last, 1)

    def y(number: float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * max(number, 0) / top, 1)

    lines = []
    for colour in colours:
        tincture = palette[colour]
        spots = [(x(row.turn), y(row.points.get(colour, 0))) for row in rows]
        path = "M" + "L".join(f"{across},{down}" for across, down in spots)
        final = rows[-1].points.get(colour, 0)
        dashes = DASHES[tincture.number % len(DASHES)]
        lines.append(Line(tincture, path, dashes, spots[-1], spots[-1][1], final))
    turn_step = next(step for step in (1, 2, 4, 5, 8, 10, 20, 40) if last / step <= 8 or step == 40)
    return Chart(
        WIDTH,
        HEIGHT,
        LEFT,
        WIDTH - RIGHT,
        HEIGHT - BOTTOM,
        _spread(lines),
        tuple((number, y(number)) for number in range(0, top + 1, step)),
        tuple((turn, x(turn)) for turn in range(0, last + 1, turn_step)),
    )


def _spread(lines: list[Line]) -> tuple[Line, ...]:
    """Names move apart where lines end close together: upwards from the lowest, then down from the edge."""
    by_height = sorted(lines, key=lambda line: line.end[1])
    heights = [line.end[1] for line in by_height]
    for upper in reversed(range(len(heights) - 1)):
        heights[upper] = min(heights[upper], heights[upper + 1] - LABEL_HEIGHT)
    ceiling = LABEL_HEIGHT / 2
    for number, height in enumerate(heights):
        heights[number] = max(height, ceiling)
        ceiling = heights[number] + LABEL_HEIGHT
    return tuple(
        replace(line, label_y=round(height, 1)) for line, height in zip(by_height, heights, strict=True)
    )
