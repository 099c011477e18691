"""What happens at a table, as lines for a person: one row for each event of the contract."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.events.v1 import hand_events_pb2 as hands
from pokerfloor.api.events.v1 import table_events_pb2 as tables
from pokerfloor.cards import Card, card_text, from_wire
from pokerfloor.client import amount_of
from pokerfloor.floorctl.play_chips import Chips

Lines = Sequence[str]

_FORCED: Final[Mapping[int, str]] = {
    kind: name.removeprefix("FORCED_BET_KIND_").lower().replace("_", " ")
    for name, kind in hands.ForcedBetKind.items()
}
_ACTS: Final[Mapping[int, str]] = {
    hands.ACTION_KIND_FOLD: "folds",
    hands.ACTION_KIND_CHECK: "checks",
    hands.ACTION_KIND_CALL: "calls",
    hands.ACTION_KIND_BET: "bets",
    hands.ACTION_KIND_RAISE: "raises to",
}
_MADE_IT: Final = (hands.ACTION_KIND_BET, hands.ACTION_KIND_RAISE)
_METHODS: Final[Mapping[int, str]] = {
    method: name.removeprefix("CHOICE_METHOD_").lower()
    for name, method in tables.ChoiceMethod.items()
}
_CAUSES: Final[Mapping[int, str]] = {
    tables.PAUSE_CAUSE_UNSETTLED_HANDS: "hands are not settled yet"
}
_LOW: Final = hands.POT_HALF_LOW


@dataclass(frozen=True, slots=True)
class TableNames:
    """Who sits where, by name, and how the table counts."""

    name: Callable[[int], str]
    chips: Chips
    wallet: Chips


def event_lines(event: tables.TableEvent, names: TableNames) -> Lines:
    """Return the lines of an event; none for what says nothing to a person."""
    message: Any = event.hand if event.WhichOneof("event") == "hand" else event
    which = message.WhichOneof("event") or ""
    lines = LINES.get(which)
    return lines(getattr(message, which), names) if lines is not None else ()


def _cards(cards: Sequence[cards_pb2.RevealedCard]) -> str:
    return " ".join([card_text(_face(one.card)) for one in cards])


def _face(card: cards_pb2.Card) -> Card:
    return from_wire(card.code)


def _hand_began(event: tables.HandBegan, names: TableNames) -> Lines:
    bomb = ", a bomb pot" if event.bomb_pot else ""
    fantasyland = [f"{names.name(one.seat)} with {one.cards}" for one in event.fantasyland]
    game = f"{event.game.game}, {len(event.seats)} players{bomb}"
    lines = ["", f"hand {event.hand_no}: {game}, button {names.name(event.button)}"]
    if fantasyland:
        lines.append(f"  in Fantasyland: {', '.join(fantasyland)}")
    return lines


def _deck_committed(event: tables.DeckCommitted, _names: TableNames) -> Lines:
    return [f"  the deck is committed: {event.root.hex()[:16]}…"]


def _forced(event: hands.ForcedBetPosted, names: TableNames) -> Lines:
    kind, amount = _FORCED.get(event.kind, "bet"), names.chips.text(amount_of(event.amount))
    return [f"  {names.name(event.seat)}: {kind} {amount}{_all_in(event.all_in)}"]


def _all_in(is_so: bool) -> str:
    return ", all in" if is_so else ""


def _action(event: hands.ActionTaken, names: TableNames) -> Lines:
    amount = ""
    if event.kind in _MADE_IT:
        amount = f" {names.chips.text(amount_of(event.to))}"
    elif event.kind == hands.ACTION_KIND_CALL:
        amount = f" {names.chips.text(amount_of(event.by))}"
    return [
        f"  {names.name(event.seat)} {_ACTS.get(event.kind, 'acts')}{amount}{_all_in(event.all_in)}"
    ]


def _revealed(event: hands.CardsRevealed, names: TableNames) -> Lines:
    groups: dict[str, list[cards_pb2.RevealedCard]] = {}
    for one in event.cards:
        place = one.place
        if place.kind == cards_pb2.PLACE_KIND_SEAT:
            where = names.name(place.owner)
        elif place.kind == cards_pb2.PLACE_KIND_BOARD:
            where = f"board {place.owner + 1}" if place.owner else "board"
        else:
            where = "community"
        groups.setdefault(where, []).append(one)
    return [f"  {where}: {_cards(cards)}" for where, cards in groups.items()]


def _shown(event: hands.HandShown, names: TableNames) -> Lines:
    made = ", ".join(dict.fromkeys([rank.hand.name for rank in event.ranks]))
    return [f"  {names.name(event.seat)} shows {_cards(event.cards)}: {made}"]


def _awarded(event: hands.PotAwarded, names: TableNames) -> Lines:
    part = f" (board {event.board + 1})" if event.board else ""
    low = " with the low" if event.half == _LOW else ""
    amount = names.chips.text(amount_of(event.amount))
    return [f"  {names.name(event.seat)} wins {amount} of pot {event.pot_no + 1}{part}{low}"]


def _ended(event: hands.HandEnded, names: TableNames) -> Lines:
    nets = [
        f"{names.name(one.seat)} {names.chips.text(amount_of(one.net), sign=True)}"
        for one in event.seats
    ]
    rake = amount_of(event.rake)
    return [f"  {', '.join(nets)}{f'; rake {names.chips.text(rake)}' if rake else ''}"]


def _equity(event: hands.EquityShown, names: TableNames) -> Lines:
    shares = [
        f"{names.name(one.seat)} {(one.high_ppm + one.low_ppm) / 10_000:.1f} %"
        for one in event.seats
    ]
    return [f"  equity{'' if event.exact else ' (sampled)'}: {', '.join(shares)}"]


def _drawn(event: hands.CardsDrawn, names: TableNames) -> Lines:
    did = f"draws {event.count}" if event.count else "stands pat"
    return [f"  {names.name(event.seat)} {did}"]


def _swapped(event: hands.CardsSwapped, names: TableNames) -> Lines:
    return [f"  {names.name(event.seat)} swaps {len(event.slots)}"]


def _facing(event: hands.FacingChosen, names: TableNames) -> Lines:
    return [f"  {names.name(event.seat)} takes the next card {'down' if event.face_down else 'up'}"]


def _scored(event: hands.PointsScored, names: TableNames) -> Lines:
    lines: list[str] = []
    for layout in event.layouts:
        rows = "; ".join([row.name for row in layout.rows])
        fouled = ", fouled" if layout.fouled else ""
        bonus = f", bonus {layout.royalty_points}" if layout.royalty_points else ""
        lines.append(f"  {names.name(layout.seat)}: {rows}{bonus}{fouled}")
    for pair in event.pairs:
        cut = f" ({pair.scored_points:+} scored)" if pair.scored_points != pair.paid_points else ""
        first, second = names.name(pair.seat_a), names.name(pair.seat_b)
        lines.append(f"  {first} against {second}: {pair.paid_points:+}{cut}")
    return lines


def _fantasyland(event: hands.FantasylandEarned, names: TableNames) -> Lines:
    word = "stays in" if event.stayed else "enters"
    return [f"  {names.name(event.seat)} {word} Fantasyland, {event.cards} cards"]


def _seat_left(event: tables.SeatLeft, names: TableNames) -> Lines:
    amount = f"{names.wallet.text(event.cash_out_minor)} {names.wallet.unit}"
    return [f"{names.name(event.seat)} leaves with {amount}"]


def _seat_taken(event: tables.SeatTaken, names: TableNames) -> Lines:
    amount = names.chips.text(amount_of(event.stack))
    return [f"{event.display_name} sits down at seat {event.seat} with {amount}"]


def _ready(event: tables.ReadyChanged, names: TableNames) -> Lines:
    if not event.seat:
        return ["everybody is asked to be ready: ready"] if event.deadline_ms else []
    return [f"{names.name(event.seat)} is {'' if event.ready else 'not '}ready"]


def _choice_opened(event: tables.GameChoiceOpened, names: TableNames) -> Lines:
    return [f"{names.name(event.seat)} chooses the next game: {', '.join(event.games)} (game ID)"]


def _game_chosen(event: tables.GameChosen, _names: TableNames) -> Lines:
    cards = f": {_cards(event.cards)}" if event.cards else ""
    return [f"the next game is {event.game} ({_METHODS[event.method]}{cards})"]


def _carried_closed(event: tables.CarriedPotClosed, names: TableNames) -> Lines:
    shares = [f"{names.name(s.seat)} {names.chips.text(amount_of(s.amount))}" for s in event.shares]
    return [f"the carried pot is shared: {', '.join(shares)}"] if shares else []


def _paused(event: tables.TablePaused) -> str:
    why = event.reason or _CAUSES.get(event.cause, "")
    return f"the table is paused{f': {why}' if why else ''}"


def _by_seat(words: str) -> Callable[[Any, TableNames], Lines]:
    return lambda event, names: [f"  {names.name(event.seat)} {words}"]


def _with_amount(words: str) -> Callable[[Any, TableNames], Lines]:
    return lambda event, names: [f"  {words.format(names.chips.text(amount_of(event.amount)))}"]


#: The lines of every event of a hand and of a table; None for what says nothing to a person.
LINES: Final[Mapping[str, Callable[[Any, TableNames], Lines] | None]] = {
    "hand_began": _hand_began,
    "deck_committed": _deck_committed,
    "forced_bet_posted": _forced,
    "street_began": lambda event, _names: [f" {event.name}"],
    "action_taken": _action,
    "bet_returned": lambda e, t: [
        f"  {t.chips.text(amount_of(e.amount))} that nobody called go back to {t.name(e.seat)}"
    ],
    "cards_revealed": _revealed,
    "showdown_began": lambda _event, _names: [" showdown"],
    "hand_shown": _shown,
    "hand_mucked": _by_seat("mucks"),
    "pot_awarded": _awarded,
    "hand_ended": _ended,
    "hand_voided": lambda event, _names: [f"  the hand is void: {event.reason}"],
    "cards_drawn": _drawn,
    "cards_swapped": _swapped,
    "facing_chosen": _facing,
    "opener_announced": lambda e, t: [f"  {t.name(e.seat)} starts: {e.reason}"],
    "deck_reshuffled": lambda event, _names: [f"  {event.size} cards are shuffled again"],
    "carried_pot_added": _with_amount("{} were carried here"),
    "pot_carried": _with_amount("nobody has a hand to win with: {} are carried on"),
    "split_proposed": lambda _event, _names: ["  nobody has a hand to win with: split?"],
    "split_answered": lambda e, t: [f"  {t.name(e.seat)} says {'yes' if e.agrees else 'no'}"],
    "hand_redealt": lambda _event, _names: ["  all have checked: cards are dealt again"],
    "equity_shown": _equity,
    "placement_confirmed": _by_seat("has set the cards"),
    "layout_revealed": _by_seat("reveals the layout"),
    "points_scored": _scored,
    "fantasyland_earned": _fantasyland,
    "seat_taken": _seat_taken,
    "seat_left": _seat_left,
    "leave_requested": _by_seat("leaves after this hand"),
    "sat_out": _by_seat("sits out"),
    "sat_in": _by_seat("is back"),
    "chips_added": lambda e, t: [f"  {t.name(e.seat)} has {t.chips.text(amount_of(e.stack))} now"],
    "button_drawn": lambda e, t: [f"the button goes to {t.name(e.seat)}: {_cards(e.cards)}"],
    "time_bank_started": _by_seat("plays on time bank"),
    "time_ran_out": _by_seat("ran out of time"),
    "table_paused": lambda event, _names: [_paused(event)],
    "table_resumed": lambda _event, _names: ["play goes on"],
    "table_closing": lambda _event, _names: ["the table closes after this hand"],
    "table_closed": lambda _event, _names: ["the table is closed"],
    "ready_changed": _ready,
    "bomb_pot_voted": lambda e, t: [
        f"{t.name(e.seat)} {'wants' if e.agrees else 'wants no'} bomb pot (vote yes, vote no)"
    ],
    "game_choice_opened": _choice_opened,
    "game_chosen": _game_chosen,
    "match_changed": lambda e, _names: [f"match {e.match_no} {'begins' if e.began else 'is over'}"],
    "carried_pot_closed": _carried_closed,
    "base_time_left": None,
    "bets_collected": None,
    "blind_missed": None,
    "button_draw_began": None,
    "clock_set": None,
    "connection_changed": None,
    "entry_chosen": None,
    "game_draw_began": None,
    "hidden_placement": None,
    "owner_changed": None,
    "placement_moved": None,
    "places_dealt": None,
    "preferences_changed": None,
    "rake_taken": None,
    "reveal_ordered": None,
    "seat_key_bound": None,
    "seat_released": None,
    "seat_reserved": None,
    "settings_changed": None,
    "showing_closed": None,
    "table_opened": None,
    "time_bank_changed": None,
    "top_up_held": None,
    "top_up_released": None,
    "top_up_reserved": None,
    "turn_began": None,
}
