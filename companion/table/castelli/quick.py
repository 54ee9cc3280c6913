"""Quick score: one photo and what it cannot show gives the final sheet, without a running game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from companion.scoring.castelli.apply import apply
from companion.scoring.castelli.board import Board
from companion.scoring.castelli.components import Colour, Town
from companion.scoring.castelli.events import Correction
from companion.scoring.castelli.position import (
    RESOURCES,
    SILVER_IN_GAME,
    SPARE_TOWNS,
    Modules,
    Phase,
    Player,
    Position,
    all_cards,
    changed,
    new_game,
)
from companion.scoring.castelli.rulings import Rulings
from companion.scoring.castelli.sheet import ScoreSheet, score_sheet
from companion.scoring.castelli.status import Problem, status
from companion.table.castelli.asking import Answers, Question
from companion.table.castelli.comparing import compare
from companion.table.castelli.markers import TRACK
from companion.table.castelli.proposal import as_on_photo
from companion.table.castelli.seen import Marker, Picture, Record, picture_of


@dataclass(frozen=True, slots=True)
class Hand:
    """What a player tells; None where the photo is to be believed."""

    cards: int = 0
    silver: int = 0
    points: int | None = None
    wood: int | None = None
    grain: int | None = None
    rocks: int | None = None
    holds_start: bool = False


@dataclass(frozen=True, slots=True)
class QuickScore:
    position: Position
    sheet: ScoreSheet
    questions: tuple[Question, ...]
    """Doubtful readings; the sheet is made as if they were not there."""
    unread: tuple[tuple[str, Colour], ...]
    """Markers that the photo does not show for sure, by scale and colour: better say them."""
    problems: tuple[Problem, ...]
    """What is wrong with the position by the rules."""


def quick_score(
    board: Board,
    record: Record,
    hands: Mapping[Colour, Hand],
    modules: Modules,
    rulings: Rulings,
    answers: Answers | None = None,
) -> QuickScore:
    """`hands` names the players, in the order in which they sit."""
    picture = picture_of(record)
    start = new_game(board, tuple(hands), modules, rulings)
    found = compare(start, picture, answers or {})
    lying = _all(start, [*found.corrections, as_on_photo(start, found, picture)])
    players = tuple(_with_hand(player, hands[player.colour], picture) for player in lying.players)
    silver = sum(hand.silver for hand in hands.values())
    cards = sum(hand.cards for hand in hands.values())
    position = changed(
        lying,
        players=players,
        mine=max(0, SILVER_IN_GAME[len(hands)] - silver),
        deck=max(0, all_cards(modules).total() - cards),
        spare_villages=_spare(lying, Town.VILLAGE),
        spare_cities=_spare(lying, Town.CITY),
        phase=Phase.REVEAL,  # nobody's turn is looked at here
    )
    return QuickScore(
        position=position,
        sheet=score_sheet(position),
        questions=tuple(found.questions),
        unread=tuple(_unread(picture, hands)),
        problems=status(position),
    )


def _spare(position: Position, town: Town) -> int:
    """What lies beside the board is not on the photo: whatever was founded came from there."""
    founded = list(position.towns.values()).count(town) - list(position.board.printed_towns.values()).count(
        town
    )
    return min(SPARE_TOWNS, max(0, SPARE_TOWNS - founded))


def _all(position: Position, corrections: Sequence[Correction]) -> Position:
    for correction in corrections:
        position = apply(position, correction).position
    return position


def _with_hand(player: Player, hand: Hand, picture: Picture) -> Player:
    """What somebody says counts; else the marker, even a doubtful one, which is then named as unread."""
    read = {kind.value: _marker(picture, kind.value, player.colour).space or 0 for kind in RESOURCES} | {
        "points": _marker(picture, TRACK, player.colour).space or 0
    }
    told = {name: value for name in read if (value := getattr(hand, name)) is not None}
    in_hand = {"cards": hand.cards, "silver": hand.silver, "holds_start": hand.holds_start}
    return replace(player, **{**read, **told, **in_hand})


def _unread(picture: Picture, hands: Mapping[Colour, Hand]) -> list[tuple[str, Colour]]:
    unread = []
    for colour, hand in hands.items():
        for scale in (*(kind.value for kind in RESOURCES), TRACK):
            told = getattr(hand, "points" if scale == TRACK else scale)
            marker = _marker(picture, scale, colour)
            if told is None and (marker.space is None or marker.doubtful):
                unread.append((scale, colour))
    return unread


def _marker(picture: Picture, scale: str, colour: Colour) -> Marker:
    return picture.markers.get((scale, colour), Marker(None, True))
