"""`floorctl ledger`: the books of a running floor, read, audited and exported."""

from pokerfloor.floorctl.ledger.command import add_parser

__all__ = ["add_parser"]
