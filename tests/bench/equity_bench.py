"""How long exact equity takes: before the flop in hold'em, on a flop in Omaha."""

import sys
import time

from pokerfloor.cards import parse_cards
from pokerfloor.equity import Equity, equity
from pokerfloor.games import GAMES

ROUNDS = 5
OMAHA_MS = 20.0
# game, hands, board, milliseconds at most (None: told only)
CASES: tuple[tuple[str, str, str, float | None], ...] = (
    ("holdem", "AsAh KsKh", "", 350.0),
    ("holdem", "AsAh KdQc", "", None),
    ("short_deck", "AsAh KdQc", "", None),
    ("omaha4", "AsAhKdQc 9s8s7h6h", "Ts9h2h", OMAHA_MS),
    ("omaha5", "AsAhKdQc2c 9s8s7h6h3d", "Ts9h2h", OMAHA_MS),
    ("omaha6", "AsAhKdQc2c4d 9s8s7h6h3d2d", "Ts9h2h", OMAHA_MS),
    ("omaha4_hilo", "AsAhKdQc 9s8s7h6h", "Ts9h2h", OMAHA_MS),
    ("omaha5_hilo", "AsAhKdQc2c 9s8s7h6h3d", "Ts9h2h", OMAHA_MS),
    ("omaha6_hilo", "AsAhKdQc2c4d 9s8s7h6h3d2d", "Ts9h2h", OMAHA_MS),
    ("omaha4", "AsAhKdQc 9s8s7h6h", "", None),
)


def main() -> int:
    """Print the times; 1 when one misses its target or the known count is wrong."""
    failed = False
    for game, hands, board, target in CASES:
        asked = [parse_cards(hand) for hand in hands.split()]
        times: list[float] = []
        for _ in range(ROUNDS if target else 1):
            started = time.perf_counter()
            answer = equity(GAMES[game], asked, [parse_cards(board)])
            times.append(1000 * (time.perf_counter() - started))
        assert isinstance(answer, Equity)
        assert answer.exact
        runouts = answer.parts[0].runouts
        wanted = f", target {target:.0f} ms" if target else ""
        name = f"{game} {hands}{' on ' + board if board else ''}"
        first = f" (first call {times[0]:.1f})" if target else ""
        print(f"{name:50} {runouts:10,} run-outs {min(times):9.1f} ms{first}{wanted}")
        failed |= target is not None and min(times) > target
        if hands == "AsAh KsKh":
            aces, kings = answer.parts[0].shares
            counts = (aces.wins, aces.ties, kings.wins)
            print(f"aces against kings: {counts[0]:,} won, {counts[1]:,} tied, {counts[2]:,} lost")
            failed |= counts != (1_410_336, 9_308, 292_660)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
