"""Poker Hand History: reading recorded hands, playing them on the engine, writing our own."""

from libs.phh.document import Document, document_of, read_documents
from libs.phh.errors import PhhError
from libs.phh.replay import Outcome, Replay, replay
from libs.phh.write import Heading, write_hand

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
]
