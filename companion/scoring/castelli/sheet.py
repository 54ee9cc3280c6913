"""The final sheet: one line for every number, with its reason (p. 6-8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.scoring.castelli.awards import Award, Verdict
from companion.scoring.castelli.components import Colour
from companion.scoring.castelli.position import Position


@dataclass(frozen=True, slots=True)
class Standing:
    """A place in the ranking; several colours share it where nothing tells them apart."""

    place: int
    colours: tuple[Colour, ...]
    points: int
    castles: int
    by_castles: bool
    """Castles built told them apart from others with as many points."""


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    lines: tuple[Award, ...]
    """Points, player by player, in the order of the rulebook."""
    totals: Mapping[Colour, int]
    standings: tuple[Standing, ...]
    mine: Verdict | None
    """How the mine's silver went, where it had not been shared out before."""
    rulings: tuple[str, ...]
    """Rulings under whose other option a line would be different, or would be there."""

    @property
    def winners(self) -> tuple[Colour, ...]:
        return self.standings[0].colours if self.standings else ()

    @property
    def is_shared(self) -> bool:
        return len(self.winners) > 1

    def of(self, colour: Colour) -> tuple[Award, ...]:
        return tuple(line for line in self.lines if line.player == colour)


def score_sheet(position: Position) -> ScoreSheet:
    raise NotImplementedError
