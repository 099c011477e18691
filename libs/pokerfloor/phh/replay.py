"""Play a recorded hand on the engine and compare how it ends.

Every recorded action must be legal when its turn comes, and the final stacks must be the recorded
ones.
"""

from __future__ import annotations

import dataclasses

from pokerfloor.phh.altered import corrections
from pokerfloor.phh.betting import replay_betting
from pokerfloor.phh.document import Document
from pokerfloor.phh.errors import PhhError
from pokerfloor.phh.outcomes import DiffersError, Outcome, Replay, amount_text, named
from pokerfloor.phh.placement import replay_placement
from pokerfloor.phh.variants import betting_game, placement_game


def replay(document: Document) -> Replay:
    """Play a document; never raises for what stands in it."""
    result = _replay(document)
    if not result.off:
        return result
    found = corrections(
        document, result.off, lambda other: _replay(other).outcome is Outcome.AGREES
    )
    names = [f"{named(action)} made it {amount_text(to, document)}" for action, to in found]
    would = f"; it would agree if {' or '.join(names)}" if names else ""
    return dataclasses.replace(result, problem=result.problem + would)


def _replay(document: Document) -> Replay:
    try:
        layouts = placement_game(document)
        if layouts is not None:
            return replay_placement(document, layouts)
        betting = betting_game(document)
        if betting is not None:
            return replay_betting(document, *betting)
    except (DiffersError, PhhError) as error:
        return Replay(Outcome.DIFFERS, str(error))
    return Replay(Outcome.NOT_PLAYED, f"variant {document.variant}")
