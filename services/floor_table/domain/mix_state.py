"""Which game is next at a table of several games, as values (MIX)."""

from typing import NamedTuple


class Mix(NamedTuple):
    """The next game and how it is being found; games by the names that a mix gives them.

    chosen: the game of the next hand, or of the one in play; "" while it is not known
    last: the game of the last hand that counts
    seat, deadline_ms: who chooses the next game, and until when; 0 while nobody does
    button: where the button went for a choice, until a hand is played to its end; 0 else
    """

    chosen: str = ""
    last: str = ""
    seat: int = 0
    deadline_ms: int = 0
    button: int = 0
