"""`companion explain`: the arithmetic behind one area or one line of the sheet."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from companion.commands.game_argument import FILE, SET, game_in
from companion.commands.table import indented
from companion.commands.words import ruling_sentences, sentence
from companion.scoring.castelli.awards import Award, Majority, Verdict
from companion.scoring.castelli.building import castle_points
from companion.scoring.castelli.components import Kind, Side
from companion.scoring.castelli.history import Game
from companion.scoring.castelli.position import Position
from companion.scoring.castelli.questions import State, area_state, influence_on_space, majorities
from companion.table.castelli.gamefile import GameFile
from companion.table.castelli.report import SHEET_LINES


@click.command()
@FILE
@click.argument("what", metavar="AREA")
@SET
def explain(file: str, what: str, set_path: Path | None) -> None:
    """Shows how one number came about.

    AREA is an area (B3/1), a whole landscape space (B3), a castle site (B3/1/0), the mine, a player (red),
    a line of the sheet (silver), or a player's line (red/silver).

    \b
    Examples:
      companion explain game.json B3/1
      companion explain game.json red/silver
    """
    click.echo(explanation(game_in(file, set_path), what))


def explanation(found: GameFile, what: str) -> str:
    """The words for whatever `what` names; a usage error where it names nothing."""
    game = found.game
    position = game.position
    board = position.board
    if what == "mine" and board.mines:
        return "\n\n".join(area_text(game, area.id) for area in board.mines)
    if what in board.areas:
        return area_text(game, what)
    if what in board.spaces:
        return space_text(game, what)
    if what in board.sites:
        return site_text(position, what)
    lines = sheet_lines(game, what)
    if lines is not None:
        return lines
    raise click.UsageError(
        f"There is no “{what[:40]}” in this game to explain. Ask for an area ({first(board.areas)}), "
        f"a landscape space ({first(board.spaces)}), a castle site ({first(board.sites)}), "
        f"a player ({', '.join(position.colours)}), a line of the sheet "
        f"({', '.join(SHEET_LINES.values())}) or both (red/silver)."
    )


def first(names: Iterable[str]) -> str:
    return next(iter(names), "none")


def area_text(game: Game, area: str) -> str:
    position = game.position
    verdict, awards = evaluated(game, area) or (majorities(position)[area], [])
    majority = verdict.majority
    sides = board_sides(position, area, majority)
    parts = [
        heading(position, area),
        indented(sides),
        indented(sums(majority)),
        outcome(position, area, verdict, awards),
    ]
    return "\n".join(part for part in parts if part)


def evaluated(game: Game, area: str) -> tuple[Verdict, list[Award]] | None:
    """How the area came out in the course of the game, and what it brought."""
    for step in game.steps:
        for verdict in step.verdicts:
            if verdict.majority.area == area:
                return verdict, [award for award in step.awards if award.reason is verdict.majority]
    return None


def heading(position: Position, area: str) -> str:
    of = position.board.areas[area]
    if of.kind is Kind.MINE:
        return f"{area}: the silver mine, {position.mine} silver"
    things = "tent" if of.kind is Kind.MARKET else "symbol"
    return f"{area}: {of.kind.value}, {of.symbols} {things}{'s' if of.symbols != 1 else ''}"


def board_sides(position: Position, area: str, majority: Majority) -> list[str]:
    """A line for each side of the octagon that the area reaches."""
    of = position.board.areas[area]
    lines = []
    counted = {(side.slot, side.side): side for side in majority.counted}
    for slot, side in of.borders:
        at = counted.get((slot, side))
        if at is not None:
            worth = ", a card icon, worth 0" if at.is_card else f" {at.points}"
            lines.append(f"{slot}, tile {at.tile}: {at.colour}{worth}")
        else:
            lines.append(f"{slot}: {'no tile' if position.slot(slot) == 'none' else 'face down'}")
    return lines + [f"the rim in the {WAYS[side]}: neutral arms, worth 0" for side in of.neutral]


WAYS = {Side.N: "north", Side.E: "east", Side.S: "south", Side.W: "west"}


def sums(majority: Majority) -> list[str]:
    """`blue: 3 (C3) + 2 (D4) = 5`, the strongest first."""
    lines = []
    for colour, total in sorted(majority.sums.items(), key=lambda entry: -entry[1]):
        parts = [f"{side.points} ({side.slot})" for side in majority.counted if side.colour == colour]
        result = f" = {total}" if len(parts) > 1 else ""
        lines.append(f"{colour}: {' + '.join(parts)}{result}" if parts else f"{colour}: 0")
    return lines


def outcome(position: Position, area: str, verdict: Verdict, awards: list[Award]) -> str:
    state = area_state(position, area)
    rule = verdict.majority.rule
    lines = [sentence(award) for award in awards]
    if not lines:
        lines.append(f"{would(verdict)} (p. {rule.page}, {rule.heading})")
    if state.state is State.PENDING:
        lines.append(f"Not yet: it waits for {', '.join(state.waits_for)}.")
    elif state.state is State.DUE:
        lines.append("All its tiles are face up, and it has not been paid: it is due now.")
    elif state.state is State.NEVER:
        lines.append("It borders on neutral arms and card icons only, so it is never evaluated (p. 5).")
    elif state.state is State.AT_END:
        lines.append("Its tiles are all face up; it is evaluated at the end of the game (p. 4).")
    elif not awards:
        lines.append("It has been evaluated.")
    return "\n".join([*lines, *ruling_sentences(position, verdict.rulings)])


def would(verdict: Verdict) -> str:
    """Who has the majority and what it is worth to them."""
    majority = verdict.majority
    if not majority.strongest:
        return "Nobody has any influence."
    leaders = " and ".join(colour.capitalize() for colour in majority.strongest)
    best = max(majority.sums.values())
    is_alone = len(majority.strongest) == 1
    lead = f"{leaders} {'is' if is_alone else 'are'} strongest with {best}{'' if is_alone else ' each'}"
    if not verdict.winners:
        return f"{lead}, but {'is' if is_alone else 'are'} not in play: nobody gains."
    thing = {Kind.MARKET: "card", Kind.MINE: "silver"}.get(majority.kind, majority.kind.value)
    who = "" if verdict.winners == majority.strongest else f" for {' and '.join(verdict.winners)}"
    return f"{lead}: {majority.share} {thing}{who}{'' if is_alone else ' each'}."


def space_text(game: Game, cell: str) -> str:
    position = game.position
    space = position.board.spaces[cell]
    on_all = influence_on_space(position, cell)
    shown = ", ".join(f"{colour} {points}" for colour, points in on_all.sums.items())
    town = position.towns.get(cell)
    parts = [
        f"{cell}: {f'a {town.value} and ' if town else ''}{len(space.areas)} "
        f"area{'s' if len(space.areas) != 1 else ''}. Influence on the whole space: {shown}.",
        *(area_text(game, area.id) for area in space.areas),
    ]
    return "\n\n".join(parts)


def site_text(position: Position, site: str) -> str:
    cell = position.board.sites[site].cell
    towns, rulings = castle_points(position, cell)
    stack = position.castles.get(site, ())
    standing = f"built by {', then over it '.join(stack)}" if stack else "free"
    lines = [f"{town.town.value} at {town.cell}: {town.points}" for town in towns]
    total = sum(town.points for town in towns)
    return "\n".join(
        [
            f"{site}: a castle site, {standing}",
            indented(lines or ["no village or city in line"]),
            f"A new castle here scores {total} for its row and column as they are now (p. 6).",
            *ruling_sentences(position, rulings),
        ]
    )


def sheet_lines(game: Game, what: str) -> str | None:
    """The reasons of all lines of the sheet that `what` names."""
    sheet = game.sheet()
    labels = set(SHEET_LINES.values())
    asked = what.lower().split("/")
    players = [colour for colour in game.position.colours if colour in asked]
    kinds = [label for label in labels if label in asked]
    if not (players or kinds) or len(players) + len(kinds) != len(asked):
        return None
    chosen = [
        line
        for line in sheet.lines
        if (not players or line.player in players) and (not kinds or SHEET_LINES[type(line.reason)] in kinds)  # type: ignore[index]
    ]
    lines = [sentence_with_rulings(game.position, line) for line in chosen] or ["No such line: 0 points."]
    if players and not kinds:
        lines.append(f"Total: {sheet.totals[players[0]]}.")
    return "\n".join(lines)


def sentence_with_rulings(position: Position, line: Award) -> str:
    """The rulings apart, with how they are set in this game."""
    lines = [sentence(line), *ruling_sentences(position, line.rulings)]
    return "\n  ".join(lines)
