"""The table and a turn as lines of text: pure, made of what the client knows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.cards import Card, card_text, cards_text
from pokerfloor.client import HandMirror, SeatMirror, TableMirror, Turn
from pokerfloor.floorctl.play_chips import Chips
from pokerfloor.floorctl.play_hints import layout_hint
from pokerfloor.floorctl.play_input import range_text
from pokerfloor.games.placement import LayoutRow

_MS = 1000
_NOBODY = "-"


def table_heading(settings: settings_pb2.TableSettings) -> str:
    """Return what a table is, in a line."""
    wallet = Chips.of_wallet(settings)
    games = [game.game for game in settings.mixed.games] or [settings.game.game]
    stake = ""
    if settings.stake.HasField("points"):
        stake = f", a point is {wallet.text(settings.stake.points.point_price_minor)}"
    least, most = settings.buy_in.min_minor, settings.buy_in.max_minor
    return (
        f"{settings.name}: {', '.join(games)}{stake}; {settings.seats} seats, "
        f"buy-in {wallet.text(least)} to {wallet.text(most)} {wallet.unit}"
    )


def table_lines(mirror: TableMirror) -> list[str]:
    """Return every seat, and the hand in play with its boards and pot."""
    chips = Chips.of_hand(mirror.settings)
    hand = mirror.hand
    lines = [] if hand is None else _hand_lines(hand, chips)
    if mirror.carried_pot:
        lines.append(f"  carried to the next hand: {chips.text(mirror.carried_pot)}")
    for seat in mirror.seats.values():
        if seat.player_id:
            lines += _seat_lines(mirror, seat, chips)
    return lines


def _hand_lines(hand: HandMirror, chips: Chips) -> list[str]:
    lines: list[str] = []
    for number in range(hand.boards):
        name = f"board {number + 1}" if hand.boards > 1 else "board"
        lines.append(f"  {name}: {spaced(hand.board(number))}")
    if hand.community_cards():
        lines.append(f"  community: {spaced(hand.community_cards())}")
    if hand.pot:
        lines.append(f"  pot: {chips.text(hand.pot)}")
    return lines


def _seat_lines(mirror: TableMirror, seat: SeatMirror, chips: Chips) -> list[str]:
    hand = mirror.hand
    in_hand = hand.seats.get(seat.seat) if hand is not None else None
    words = [f"{chips.text(seat.stack):>10}"]
    if in_hand is not None and in_hand.bet:
        words.append(f"bet {chips.text(in_hand.bet)}")
    if in_hand is not None and in_hand.folded:
        words.append("folded")
    if in_hand is not None and in_hand.all_in:
        words.append("all in")
    if seat.sitting_out:
        words.append("sits out")
    if seat.seat == mirror.button:
        words.append("button")
    if hand is not None and seat.seat in hand.equities:
        words.append(f"equity {hand.equities[seat.seat] / 10_000:.1f} %")
    if hand is not None and in_hand is not None and hand.up_cards(seat.seat) and not in_hand.laid:
        words.append(f"open: {spaced(hand.up_cards(seat.seat))}")
    mark = "*" if seat.seat == mirror.own_seat else " "
    lines = [f"{mark} seat {seat.seat} {seat.name:12.12} {'  '.join(words)}"]
    if hand is not None and in_hand is not None and in_hand.laid:
        known = hand.own | hand.faces
        cards = {slot: known.get(key) for key in in_hand.places for slot in [key[2]]}
        lines.append(f"    {_rows_text(in_hand.laid, cards)}")
    return lines


def _rows_text(laid: dict[int, LayoutRow], cards: dict[int, Card | None]) -> str:
    rows: list[str] = []
    for row in (LayoutRow.TOP, LayoutRow.MIDDLE, LayoutRow.BOTTOM):
        faces = [cards.get(slot) for slot, lies in sorted(laid.items()) if lies is row]
        shown = " ".join([_NOBODY if card is None else card_text(card) for card in faces])
        rows.append(f"{row}: {shown or _NOBODY}")
    return "   ".join(rows)


def spaced(cards: Iterable[Card]) -> str:
    """Return cards with a space between."""
    return " ".join([card_text(card) for card in cards])


def turn_lines(turn: Turn, mirror: TableMirror, now_ms: int) -> list[str]:
    """Return a turn: where the hand stands, the hole cards by slot, and what may be done.

    `now_ms` is the floor's clock. The last line begins with "your turn".
    """
    lines = ["", f"hand {turn.hand_no}, {turn.game.game}, {turn.street_name}"]
    lines += table_lines(mirror)
    if turn.placement is not None:
        lines += _placement_lines(turn, mirror)
    else:
        lines.append(f"  your cards: {slots_text(turn.own_slots, turn.hole_cards)}")
    offered = ", ".join(offers(turn, Chips.of_hand(mirror.settings)))
    return [*lines, f"your turn: {offered}; {time_left(turn, now_ms)}"]


def _placement_lines(turn: Turn, mirror: TableMirror) -> list[str]:
    placement = turn.placement
    assert placement is not None, "cards to set"
    lines = [
        f"  {row}: {spaced(placement.laid.get(row, ())) or _NOBODY} (takes {room} more)"
        for row, room in placement.room.items()
    ]
    if turn.game.game == "ofc" and mirror.hand is not None:
        seen = frozenset(card for card in (mirror.hand.own | mirror.hand.faces).values())
        hinted = layout_hint(placement, turn.game.ofc, seen)
        lines += [f"  so far: {hinted}"] if hinted else []
    return [*lines, f"  your cards: {slots_text(placement.slots, placement.cards)}"]


def slots_text(slots: Sequence[int], cards: Sequence[Card]) -> str:
    """Return cards with their numbers, which is how they are named; `?` for what is not known."""
    if len(cards) < len(slots):
        return f"{cards_text(cards)} (others are on their way)"
    return "  ".join([f"{n} {card_text(card)}" for n, card in zip(slots, cards, strict=True)])


def offers(turn: Turn, chips: Chips) -> list[str]:
    """Return everything that may be done, each with its key."""
    if turn.placement is not None:
        given_up = len(turn.placement.slots) - turn.placement.to_place
        discards = f" with {given_up} x" if given_up else ""
        moves = ["move SLOT ROW"] if turn.placement.moves else []
        return [
            f"lay {len(turn.placement.slots)} rows (t, m, b{', x' * bool(given_up)}){discards}",
            *moves,
        ]
    if turn.discard is not None:
        least, most = turn.discard.least, turn.discard.most
        pat = [] if least else ["p stand pat"]
        return [f"d discard {least} to {most} cards by number", *pat]
    if turn.asks_facing:
        return ["u the next card up", "d the next card down"]
    if turn.asks_split:
        return ["y split the pot", "n carry it"]
    return [*_betting_offers(turn, chips), *_swap_offer(turn)]


def _betting_offers(turn: Turn, chips: Chips) -> list[str]:
    legal = turn.legal
    found: list[str] = []
    if legal.fold:
        found.append("f fold")
    if legal.check:
        found.append("k check")
    if legal.call_by:
        all_in = " (all in)" if legal.call_all_in else ""
        found.append(f"c call {chips.text(legal.call_by)}{all_in}")
    if legal.bet is not None:
        found.append(f"b bet {range_text(legal.bet, chips)}")
    if legal.raise_ is not None:
        found.append(f"r raise to {range_text(legal.raise_, chips)}")
    return found


def _swap_offer(turn: Turn) -> list[str]:
    if turn.swap is None:
        return []
    slots = " ".join(map(str, turn.swap.slots))
    return [f"s swap up to {turn.swap.most} of {slots}"]


def time_left(turn: Turn, now_ms: int) -> str:
    """Return how long the turn lasts: base time, then the bank."""
    base_ms = max(0, turn.deadline_ms - now_ms)
    bank_ms = turn.bank_ms if base_ms else max(0, turn.deadline_ms + turn.bank_ms - now_ms)
    if not base_ms:
        return f"{bank_ms // _MS} s of your time bank"
    return f"{base_ms // _MS} s, then {bank_ms // _MS} s of your time bank"
