"""What a player's own layout is so far, reckoned here: no hidden card travels for it."""

from __future__ import annotations

from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.cards import Card
from pokerfloor.client import Placement
from pokerfloor.floorctl.ofc_rules import ofc_rules
from pokerfloor.games.placement import LayoutRow
from pokerfloor.scoring import Layout, Standing, hint

_STANDINGS = {
    Standing.FOULED: "fouled, whatever comes",
    Standing.OPEN: "not decided yet",
    Standing.VALID: "valid, whatever comes",
}


def layout_hint(
    placement: Placement, settings: settings_pb2.OfcSettings, seen: frozenset[Card]
) -> str:
    """Return in a line whether the layout can still be valid, and what its full rows would bring.

    `seen` are the cards that lie open or are the player's own. In Fantasyland, and before
    anything is laid, nothing is said: all is still to choose.
    """
    laid = placement.laid
    if not any(laid.values()):
        return ""
    rules = ofc_rules(settings)
    top, middle, bottom = (
        laid.get(row, ()) for row in (LayoutRow.TOP, LayoutRow.MIDDLE, LayoutRow.BOTTOM)
    )
    may_come = [card for card in rules.deck.cards if card not in seen or card in placement.cards]
    found = hint(Layout(top, middle, bottom), may_come, rules)
    fantasyland = (
        f", Fantasyland with {found.fantasyland.cards} cards" if found.fantasyland.cards else ""
    )
    return f"{_STANDINGS[found.standing]}; bonuses so far {found.royalties}{fantasyland}"
