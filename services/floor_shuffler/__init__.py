"""The shuffler: decks, commitments, and who may see which card."""
