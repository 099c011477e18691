"""A live board of a floor in a terminal. See README.md for the API."""

from pokerfloor.board.board import Board
from pokerfloor.board.picture import last_hand_text, money
from pokerfloor.board.watch import Watch, WatchedTable

__all__ = ["Board", "Watch", "WatchedTable", "last_hand_text", "money"]
