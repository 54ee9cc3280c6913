"""Tiles on the photo against the book."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.scoring.castelli.components import Cell, Colour
from companion.scoring.castelli.events import Correction
from companion.scoring.castelli.ledger import has_card
from companion.scoring.castelli.position import DOWN, MISSING, Card, FaceUp, Position, Slot
from companion.table.castelli import asking
from companion.table.castelli.asking import Answers, Choice, Question, QuestionKind
from companion.table.castelli.differences import Differences, decided, likeliest
from companion.table.castelli.seen import Picture, Seen
from companion.table.errors import sentence

STEWARD = "steward:"
"""An answer: the tile was turned by the player whose colour follows."""


def compare_tile(
    found: Differences, position: Position, picture: Picture, answers: Answers, cell: Cell
) -> None:
    seen = picture.tiles.get(cell)
    if seen is None or not picture.shows(position.board, cell) or _never_looked_at(seen):
        found.unseen.append(cell)
        return
    answer = answers.get(f"tile/{cell}", "")
    if isinstance(book := position.slot(cell), FaceUp):
        _compare_known(found, position, picture, answer, cell, seen, book)
    else:
        _compare_hidden(found, position, picture, answer, cell, seen, book)


def _never_looked_at(seen: Seen[Slot]) -> bool:
    return seen.confidence == 0 and not seen.alternatives


def _compare_known(
    found: Differences,
    position: Position,
    picture: Picture,
    answer: str,
    cell: Cell,
    seen: Seen[Slot],
    book: FaceUp,
) -> None:
    """It has been revealed and stays: only a sure reading can put that in question."""
    if seen.reading == book:
        return
    if seen.doubtful:
        found.settled.append(cell)
        return
    told = asking.slot_from(answer, position.board.set)
    who = answer.removeprefix(STEWARD)
    if who != answer and who in position.colours and isinstance(seen.reading, FaceUp):
        found.stewards[cell] = who, seen.reading
    elif told is None:
        found.questions.append(_what_happened(position, picture, cell, seen, book))
    elif isinstance(told, FaceUp):
        if told != book:
            found.misread[cell] = told
    else:
        found.corrections.append(Correction(tiles={cell: told}))


def _what_happened(
    position: Position, picture: Picture, cell: Cell, seen: Seen[Slot], book: FaceUp
) -> Question:
    """A tile looks different: a Steward, a slip in the book, or a reading that is wrong."""
    choices = [_choice(book, None), *_choices([(seen.reading, seen.confidence)], position)]
    kind = QuestionKind.CONTRADICTION
    text = sentence("The tile on %(place)s looks different from before. What is right?")
    is_turned = isinstance(seen.reading, FaceUp) and seen.reading.tile == book.tile
    if is_turned and cell == position.placed and (stewards := _who_may_turn(position)):
        kind = QuestionKind.STEWARD
        text = sentence("The tile just placed on %(place)s was turned. Did somebody play a Steward?")
        by = sentence("%(player)s played a Steward")
        choices[:0] = [Choice(STEWARD + colour, by, {"player": colour}) for colour in stewards]
    return _question(kind, text, cell, tuple(choices), picture, book, seen.reading)


def _who_may_turn(position: Position) -> list[Colour]:
    others = (player for player in position.players if player.colour != position.turn)
    return [player.colour for player in others if has_card(player, Card.STEWARD)]


def _compare_hidden(
    found: Differences,
    position: Position,
    picture: Picture,
    answer: str,
    cell: Cell,
    seen: Seen[Slot],
    book: Slot,
) -> None:
    is_possible = _possible(position, picture, cell)
    kind: QuestionKind | None = None
    told = asking.slot_from(answer, position.board.set)
    if told is not None:
        reading = told
    else:
        reading, kind = decided(found, cell, seen, book, is_possible, QuestionKind.TILE)
        if reading == book and isinstance(seen.reading, FaceUp) and kind is None:
            # a tile that lies elsewhere already: something was revealed here, but not this
            kind = QuestionKind.TILE
    if kind is not None:
        text = sentence("Which tile lies on %(place)s?")
        choices = _choices(likeliest(seen, book, is_possible), position)
        found.questions.append(_question(kind, text, cell, choices, picture, book, seen.reading))
    elif isinstance(reading, FaceUp):
        found.reveals[cell] = reading
    elif reading != book:
        found.corrections.append(Correction(tiles={cell: reading}))


def _possible(position: Position, picture: Picture, cell: Cell) -> Callable[[Slot], bool]:
    """The set has one of each tile; start tiles belong to Dilemma (p. 7); no tile goes away."""
    lying = {slot.tile for slot in position.tiles.values() if isinstance(slot, FaceUp)}
    sure = {
        seen.reading.tile
        for other, seen in picture.tiles.items()
        if other != cell and not seen.doubtful and isinstance(seen.reading, FaceUp)
    }

    def is_possible(slot: Slot) -> bool:
        if not isinstance(slot, FaceUp):
            return slot != MISSING
        tile = position.board.set.tiles.get(slot.tile)
        in_play = tile is not None and (position.modules.dilemma or not tile.start)
        return in_play and slot.tile not in lying | sure

    return is_possible


def _question(
    kind: QuestionKind,
    text: str,
    cell: Cell,
    choices: tuple[Choice, ...],
    picture: Picture,
    book: Slot,
    reading: Slot,
) -> Question:
    return Question(
        f"tile/{cell}",
        kind,
        cell,
        text,
        {"place": cell},
        choices,
        True,
        picture.outlines.get(cell, ()),
        asking.slot_answer(book),
        asking.slot_answer(reading),
    )


def _choices(slots: Sequence[tuple[Slot, float | None]], position: Position) -> tuple[Choice, ...]:
    """Without tiles that the set does not have: the camera may see one that is in no catalogue."""
    known = position.board.set.tiles
    return tuple(
        _choice(slot, sure) for slot, sure in slots if not isinstance(slot, FaceUp) or slot.tile in known
    )


def _choice(slot: Slot, confidence: float | None) -> Choice:
    id = asking.slot_answer(slot)
    if isinstance(slot, FaceUp):
        values = {"tile": slot.tile, "turns": slot.turns}
        return Choice(id, sentence("Tile %(tile)s, turned by %(turns)s quarters"), values, confidence)
    if slot == DOWN:
        return Choice(id, sentence("It lies face down"), {}, confidence)
    return Choice(id, sentence("No tile lies there"), {}, confidence)
