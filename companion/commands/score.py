"""`companion score`: who leads where, what is still open, and the final sheet."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from companion.commands.game_argument import FILE, SET, game_in
from companion.commands.table import indented, table
from companion.commands.words import ruling_sentences
from companion.scoring.castelli.awards import Verdict
from companion.scoring.castelli.history import Game
from companion.scoring.castelli.position import FaceUp, Position
from companion.scoring.castelli.questions import AreaState, State, area_states, majorities
from companion.scoring.castelli.sheet import ScoreSheet
from companion.scoring.castelli.status import status
from companion.table.castelli.gamefile import GameFile
from companion.table.castelli.report import SHEET_LINES, report, sheet_amounts

HEADINGS = {
    State.DUE: "Due now: all their tiles are face up",
    State.PENDING: "Pending",
    State.AT_END: "At the end of the game",
    State.EVALUATED: "Evaluated",
    State.NEVER: "Never: neutral arms and card icons only",
}


@click.command()
@FILE
@SET
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for programs.")
def score(file: str, set_path: Path | None, as_json: bool) -> None:
    """Prints majorities, due and pending areas, and the final sheet.

    FILE is a position or a list of events as JSON, or a position in one line; - reads the standard
    input. A file that cannot be used ends with exit code 2 and every problem.

    \b
    Examples:
      companion score game.json
      companion score --json position.json
      echo "POSITION" | companion score - --set my-set.json
    """
    found = game_in(file, set_path)
    click.echo(json.dumps(report(found), ensure_ascii=False) if as_json else as_text(found))
    if found.failure is not None:
        click.echo(f"{found.name}, {found.failure}", err=True)
        click.echo("What is above holds for the events before that one.", err=True)
        sys.exit(2)


def as_text(found: GameFile) -> str:
    game = found.game
    position = game.position
    parts = [
        summary(position),
        *areas(position),
        sheet_text(game, position),
        problems_text(position),
    ]
    return "\n\n".join(part for part in parts if part)


def summary(position: Position) -> str:
    up = sum(isinstance(position.slot(slot), FaceUp) for slot in position.board.slots)
    modules = [name.capitalize() for name in ("dilemma", "battle") if getattr(position.modules, name)]
    parts = [
        f"{len(position.players)} players: {', '.join(position.colours)}",
        *modules,
        f"{up} of {len(position.board.slots)} tiles face up",
        f"{position.mine} silver in the mine",
        "the game has ended" if position.finished else f"{position.turn}'s turn" if position.turn else "",
    ]
    return " · ".join(part for part in parts if part)


def areas(position: Position) -> list[str]:
    """A table for each state an area can be in."""
    verdicts, states = majorities(position), area_states(position)
    sections = []
    for state, heading in HEADINGS.items():
        found = [area for area in verdicts if states[area].state is state]
        if found:
            first = ["area", "brings", "strongest", *position.board.colours]
            rows = [first, *(area_row(position, area, verdicts[area], states[area]) for area in found)]
            if state is State.PENDING:
                first.append("waits for")
            sections.append(f"{heading} ({len(found)}):\n" + indented(with_waits(rows, state)))
    return sections


def with_waits(rows: list[list[str]], state: State) -> list[str]:
    """Slots that an area waits for stand to the left of their column, numbers to the right."""
    if state is not State.PENDING:
        return table([row[:-1] if row is not rows[0] else row for row in rows], numbers_from=3)
    lines = table([row[:-1] for row in rows], numbers_from=3)
    width = max(map(len, lines))
    return [f"{line.ljust(width)}  {row[-1]}" for line, row in zip(lines, rows, strict=True)]


def area_row(position: Position, area: str, verdict: Verdict, state: AreaState) -> list[str]:
    majority = verdict.majority
    return [
        area,
        f"{majority.symbols} {'silver' if majority.kind == 'mine' else majority.kind.value}",
        strongest(verdict),
        *(str(majority.sums.get(colour, 0)) for colour in position.board.colours),
        " ".join(state.waits_for),
    ]


def strongest(verdict: Verdict) -> str:
    """Who leads and by how much; a tie names all."""
    leaders = verdict.majority.strongest
    if not leaders:
        return "nobody"
    if len(leaders) > 1:
        return " = ".join(leaders)
    best = sorted(verdict.majority.sums.values(), reverse=True)
    return f"{leaders[0]} +{best[0] - best[1] if len(best) > 1 else best[0]}"


def sheet_text(game: Game, position: Position) -> str:
    sheet = game.sheet()
    heading = "Final sheet:" if position.finished else "Final sheet, if the game ended now:"
    rows: list[list[object]] = [["", *position.colours]]
    for kind, label in SHEET_LINES.items():
        amounts = sheet_amounts(sheet, kind)
        if amounts:
            rows.append([label, *(amounts.get(colour, 0) for colour in position.colours)])
    rows.append(["total", *(sheet.totals[colour] for colour in position.colours)])
    places = {colour: standing.place for standing in sheet.standings for colour in standing.colours}
    rows.append(["place", *(f"{places[colour]}." for colour in position.colours)])
    lines = table(rows)
    rule = "-" * max(map(len, lines))
    lines = [lines[0], rule, *lines[1:-2], rule, *lines[-2:]]
    return "\n".join(
        [
            heading,
            indented(lines),
            *winner_text(sheet, position.finished),
            *ruling_sentences(position, sheet.rulings),
        ]
    )


def winner_text(sheet: ScoreSheet, is_over: bool) -> list[str]:
    if not sheet.standings:
        return []
    names = " and ".join(colour.capitalize() for colour in sheet.winners)
    if sheet.is_shared:
        return [f"{names} {'' if is_over else 'would '}share the victory."]
    by_castles = ", by castles built" if sheet.standings[0].by_castles else ""
    return [f"{names} {'wins' if is_over else 'would win'}{by_castles}."]


def problems_text(position: Position) -> str:
    found = status(position)
    if not found:
        return ""
    return "What the rules do not allow:\n" + indented([problem.sentence for problem in found])
