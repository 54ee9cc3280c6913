"""How fast the rules are: `make bench`.

Replays complete 4-player games (32 reveals with evaluation, castles, cards, the final sheet) one after the
other on one core, and works out every majority of a full board.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from companion.scoring.castelli import Game, Modules, majorities, replay
from tests.scoring.sets import COLOURS, laid_out, made_set
from tests.scoring.table import Table

GAMES = 6
ROUNDS = 15
"""The best of them counts: the others were disturbed by what else the machine did."""


def games(modules: Modules) -> list[Game]:
    return [
        Table(laid_out(made_set(seed), 4, seed), COLOURS, seed, modules).whole_game() for seed in range(GAMES)
    ]


def best_seconds(work: Callable[[], object]) -> float:
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def report(name: str, played: list[Game]) -> None:
    seconds = best_seconds(lambda: [replay(game.start, game.events).sheet() for game in played])
    events = sum(len(game.events) for game in played) / len(played)
    print(f"{name}: {len(played) / seconds:.0f} complete games a second, {events:.0f} events each")


def main() -> None:
    base = games(Modules())
    report("base game", base)
    report("Dilemma and Battle", games(Modules(dilemma=True, battle=True)))
    full = base[0].position
    milliseconds = best_seconds(lambda: [majorities(full) for _ in range(20)]) / 20 * 1000
    print(f"all {len(full.board.areas)} majorities of a full board: {milliseconds:.2f} ms")


if __name__ == "__main__":
    main()
