"""What the rules make impossible, turned into doubts: a picture may be misread, the box has only so much.

The same tile cannot lie twice, nobody has ten castles, and nobody builds over their own castle (p. 8).
Where a reading breaks such a limit, the least sure of those concerned are put in question.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from companion.vision.model import Faces, Observation, Reading

Limits = Mapping[str, int]
"""How many of each piece the box holds."""

# A reading this sure is kept out of question when a less sure one claims the same tile.
MUCH_SURER = 0.05


def doubted(observation: Observation, limits: Limits) -> Observation:
    """The observation, with `doubtful` set where readings cannot all be true."""
    readings = list(observation.readings)
    for concerned in (*_same_tile(readings), *_too_many(readings, limits), *_own_castle(readings)):
        for index in concerned:
            readings[index] = _questioned(readings[index])
    return replace(observation, readings=tuple(readings))


def _same_tile(readings: Sequence[Reading]) -> Iterable[list[int]]:
    """Two slots that show one tile: both, or only the clearly weaker."""
    where: dict[str, list[int]] = defaultdict(list)
    for index, reading in enumerate(readings):
        holds = reading.slot.holds
        if isinstance(holds, Faces) and reading.thing.names and reading.thing.names[0] in holds.once:
            where[reading.thing.names[0]].append(index)
    for same in where.values():
        if len(same) > 1:
            surest = max(same, key=lambda index: readings[index].confidence)
            weaker = [index for index in same if index != surest]
            next_best = max(readings[index].confidence for index in weaker)
            clear = readings[surest].confidence - next_best > MUCH_SURER
            yield weaker if clear else same


def _too_many(readings: Sequence[Reading], limits: Limits) -> Iterable[list[int]]:
    standing: dict[str, list[int]] = defaultdict(list)
    for index, reading in enumerate(readings):
        for name in reading.thing.names:
            if name in limits:
                standing[name].append(index)
    for name, where in standing.items():
        if (surplus := len(where) - limits[name]) > 0:
            yield sorted(where, key=lambda index: readings[index].confidence)[:surplus]


def _own_castle(readings: Sequence[Reading]) -> Iterable[list[int]]:
    for index, reading in enumerate(readings):
        names = reading.thing.names
        if len(names) > 1 and len(set(names)) < len(names):
            yield [index]


def _questioned(reading: Reading) -> Reading:
    # whatever the picture says, one of those concerned is wrong: an even chance at the best
    return replace(reading, doubtful=True, confidence=min(reading.confidence, 0.5))
