"""Poker Hand History: reading recorded hands, playing them on the engine, writing our own."""

from libs.phh.document import Document, document_of, read_documents
from libs.phh.errors import PhhError
from libs.phh.heading import Heading
from libs.phh.outcomes import Outcome, Replay
from libs.phh.placement_write import write_placement_hand
from libs.phh.replay import replay
from libs.phh.write import write_hand

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
