"""How a game of Castelli is played: who, with which modules and rulings, on which board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from companion.scoring.castelli.board import Assembly, Board, Placed, assemble, assembly_problems
from companion.scoring.castelli.components import Cell, Colour, GameSet, Kind
from companion.scoring.castelli.plain import BadRecord
from companion.scoring.castelli.position import SILVER_IN_GAME, Modules, Position, new_game
from companion.scoring.castelli.records import position_from
from companion.scoring.castelli.rulings import DEFAULT_RULINGS, OPTIONS, Rulings, with_option
from companion.table.castelli.strangers import no_such_colour, strangers
from companion.table.errors import BadInput, Told, sentence
from companion.table.jsondoor import problems_of
from companion.table.names import tidy

LONGEST_NAME = 40
LONGEST_TITLE = 80

QuadrantName = Literal["NW", "NE", "SW", "SE"]


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class PlayerAtTable(_Value):
    colour: Colour = Field(min_length=1, max_length=LONGEST_NAME)
    name: Annotated[str, AfterValidator(tidy), Field(max_length=LONGEST_NAME)] = ""


class Laid(_Value):
    """A piece in its quadrant."""

    piece: str
    turned: Literal[0, 180] = 0


class Settings(_Value):
    players: list[PlayerAtTable] = Field(min_length=2, max_length=4)
    """In the order in which they sit, clockwise; the first begins."""
    title: Annotated[str, AfterValidator(tidy), Field(max_length=LONGEST_TITLE)] = ""
    dilemma: bool = False
    battle: bool = False
    rulings: dict[str, str] = {}
    """Those that are not at their default."""
    calibration: str = Field(default="reference", max_length=LONGEST_TITLE)
    """The calibration that reads this game's photos."""
    arrangement: dict[QuadrantName, Laid] = {}
    arrangement_seen: bool = False
    """A photo has shown it, or somebody has said it; before that it is a mere place holder."""
    spare_mine: Cell | None = None
    start_tiles: dict[Colour, str] = {}
    """Dilemma: the start tile each player began with, where known."""
    start: dict[str, Any] | None = None
    """A position to begin from, where the game was under way before the first photo."""
    auto_apply: bool = False
    """What a photo shows is taken without asking where there is no doubt and the rules agree."""
    language: str = Field(default="en", max_length=12)

    def name_of(self, colour: Colour) -> str:
        """The player's name; empty where none was given, and the colour has to do."""
        return next((player.name for player in self.players if player.colour == colour), "")

    @property
    def colours(self) -> tuple[Colour, ...]:
        return tuple(player.colour for player in self.players)

    @property
    def assembly(self) -> Assembly:
        laid = {str(name): Placed(piece.piece, piece.turned) for name, piece in self.arrangement.items()}
        return Assembly.of(laid, self.spare_mine)

    @property
    def ruled(self) -> Rulings:
        rulings = DEFAULT_RULINGS
        for name, option in self.rulings.items():
            rulings = with_option(rulings, name, option)
        return rulings


def check_settings(raw: Mapping[str, Any], game_set: GameSet) -> Settings:
    """Settings that this set can be played with; `BadInput` lists everything that is wrong."""
    try:
        settings = Settings.model_validate(dict(raw))
    except ValidationError as error:
        raise _bad([_told(problem.where, problem.what) for problem in problems_of(error, ())]) from None
    if not settings.arrangement:
        laid = first_arrangement(game_set, len(settings.players))
        settings = settings.model_copy(update={"arrangement": laid})
    problems = _problems(settings, game_set)
    if not problems and settings.start is not None:
        problems = _start_problems(settings, game_set)
    if problems:
        raise _bad(problems)
    return settings


def start_position(settings: Settings, board: Board) -> Position:
    modules = Modules(settings.dilemma, settings.battle)
    if settings.start is None:
        return new_game(board, settings.colours, modules, settings.ruled, settings.start_tiles)
    names = [name for name in ("dilemma", "battle") if getattr(modules, name)]
    return position_from({**settings.start, "rulings": dict(settings.rulings), "modules": names}, board.set)


def first_arrangement(game_set: GameSet, players: int) -> dict[QuadrantName, Laid]:
    """A place holder until a photo shows how the pieces lie; two players use the mine's and one other."""
    pieces = list(game_set.pieces)
    if players > 2:
        places: tuple[QuadrantName, ...] = ("NW", "NE", "SW", "SE")
        return {place: Laid(piece=piece) for place, piece in zip(places, pieces, strict=False)}
    mine = next((name for name in pieces if _has_mine(game_set, name)), pieces[0])
    other = next((name for name in pieces if name != mine), mine)
    return {"NW": Laid(piece=mine), "SW": Laid(piece=other)}


def board_of(settings: Settings, game_set: GameSet) -> Board:
    return assemble(game_set, settings.assembly)


def _has_mine(game_set: GameSet, piece: str) -> bool:
    spaces = game_set.pieces[piece].spaces.values()
    return any(area.kind is Kind.MINE for space in spaces for area in space.areas)


def _problems(settings: Settings, game_set: GameSet) -> list[Told]:
    problems = [
        Told("%(problem)s", {"problem": text}) for text in assembly_problems(game_set, settings.assembly)
    ]
    problems += [
        no_such_colour(colour, game_set) for colour in settings.colours if colour not in game_set.colours
    ]
    if len(set(settings.colours)) < len(settings.colours):
        problems.append(Told(sentence("Two players have the same colour; give each their own.")))
    if len(settings.players) not in SILVER_IN_GAME:
        problems.append(Told(sentence("Castelli is for two, three or four players.")))
    for name, option in settings.rulings.items():
        if option not in OPTIONS.get(name, ()):
            text = sentence("There is no ruling “%(name)s” with the option “%(option)s”.")
            problems.append(Told(text, {"name": name, "option": option}))
    for colour, tile in settings.start_tiles.items():
        known_tile = game_set.tiles.get(tile)
        if colour not in settings.colours or known_tile is None or not known_tile.start:
            text = sentence("“%(tile)s” is no start tile of this set that %(colour)s could hold.")
            problems.append(Told(text, {"tile": tile, "colour": colour}))
    return problems


def _start_problems(settings: Settings, game_set: GameSet) -> list[Told]:
    try:
        start = start_position(settings, board_of(settings, game_set))
    except BadRecord as bad:
        return [_told(f"start.{where}", what) for where, what in bad.problems]
    if unknown := list(strangers(start, start.board)):
        return unknown
    if start.colours != settings.colours:
        return [Told(sentence("The position to start from has other players than the game."))]
    if start.board.assembly != settings.assembly:
        return [Told(sentence("The position to start from lies on another board than the game."))]
    return []


def _told(where: str, what: str) -> Told:
    return Told("%(where)s: %(what)s", {"where": where, "what": what})


def _bad(problems: list[Told]) -> BadInput:
    return BadInput(sentence("The game cannot be set up like this."), problems)
