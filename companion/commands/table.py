"""Plain text tables for the terminal."""

from __future__ import annotations

from collections.abc import Sequence


def table(rows: Sequence[Sequence[object]], numbers_from: int = 1) -> list[str]:
    """Rows as lines with aligned columns; columns from `numbers_from` on are set to the right."""
    cells = [["" if cell is None else str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if number < numbers_from else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]


def indented(lines: Sequence[str]) -> str:
    return "\n".join("  " + line for line in lines)
