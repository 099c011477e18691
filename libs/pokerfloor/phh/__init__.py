"""Poker Hand History: reading recorded hands, playing them on the engine, writing our own."""

from pokerfloor.phh.document import Document, document_of, read_documents
from pokerfloor.phh.errors import PhhError
from pokerfloor.phh.heading import Heading
from pokerfloor.phh.outcomes import Outcome, Replay
from pokerfloor.phh.placement_write import write_placement_hand
from pokerfloor.phh.replay import replay
from pokerfloor.phh.write import write_hand

__all__ = [
    "Document",
    "Heading",
    "Outcome",
    "PhhError",
    "Replay",
    "document_of",
    "read_documents",
    "replay",
    "write_hand",
    "write_placement_hand",
]
