"""What happens in a hand, between the engine's events and `HandEvent`: one row for each event.

A new event of the contract is a row here and a strategy in `tests/unit/tablelog`. Most rows name
the columns of the event; those that leave something out, or put something in, have a function for
each way.
"""

from collections.abc import Mapping
from typing import Any, Final, Literal, overload

from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.events.v1 import hand_events_pb2 as pb
from pokerfloor.games import (
    ActionTaken,
    ActKind,
    BetReturned,
    BetsCollected,
    CardsDrawn,
    CardsRevealed,
    CardsSwapped,
    CarriedPotAdded,
    DeckReshuffled,
    Event,
    FacingChosen,
    ForcedBetPosted,
    Hand,
    HandEnded,
    HandMucked,
    HandRedealt,
    HandShown,
    HandVoided,
    OpenerAnnounced,
    Place,
    PlacesDealt,
    PotAwarded,
    PotCarried,
    RakeTaken,
    RevealOrdered,
    SeatResult,
    ShowdownBegan,
    SplitAnswered,
    SplitProposed,
    StreetBegan,
    TurnBegan,
)
from pokerfloor.games.placement import (
    FantasylandEarned,
    HiddenPlacement,
    LayoutRevealed,
    PlacementConfirmed,
    PlacementEvent,
    PlacementHand,
    PlacementMoved,
    PointsScored,
)
from pokerfloor.tablelog.amounts import StakeKind, from_amount, to_amount
from pokerfloor.tablelog.card_messages import NO_PROOFS, from_places, to_places
from pokerfloor.tablelog.enum_codes import (
    ACT_CODE,
    FORCED_CODE,
    LAYOUT_ROW,
    LAYOUT_ROW_CODE,
    REASON_CODE,
    look_up,
)
from pokerfloor.tablelog.errors import LogError
from pokerfloor.tablelog.event_rows import (
    AMOUNT,
    FACES,
    NUMBERS,
    PLACES,
    PLAIN,
    AnyHand,
    Column,
    EventRow,
    HandContext,
    HandsOf,
    Proofs,
    code,
    items,
    row,
)
from pokerfloor.tablelog.layout_messages import (
    read_layout_score,
    read_pair_points,
    read_placements,
    write_layout_score,
    write_pair_points,
    write_placements,
)
from pokerfloor.tablelog.pot_messages import (
    read_award,
    read_pots,
    read_rake,
    write_award,
    write_pots,
    write_rake,
)
from pokerfloor.tablelog.ranked_hands import read_ranks, write_ranks

#: Events about a hand that the engine has no part in: nothing follows from them.
REMARKS: Final = frozenset({"equity_shown"})


@overload
def read_hand_event(message: pb.HandEvent, hand: Hand, kind: StakeKind) -> Event: ...
@overload
def read_hand_event(
    message: pb.HandEvent, hand: PlacementHand, kind: StakeKind
) -> PlacementEvent: ...
def read_hand_event(
    message: pb.HandEvent, hand: AnyHand, kind: StakeKind
) -> Event | PlacementEvent:
    """Return the event in a message. Raises LogError.

    `hand` is the hand just before it, for what the message leaves out: the pots of a showdown and
    each seat's share of the rake. It also says of which kind of hand the event must be.
    """
    which = message.WhichOneof("event") or ""
    placement = isinstance(hand, PlacementHand)
    read = (_PLACEMENT_READERS if placement else _BETTING_READERS).get(which)
    if read is None:
        kind_of_hand = "placement" if placement else "betting"
        raise LogError(f"an event {which} that no {kind_of_hand} hand has", "event")
    event: Event | PlacementEvent = read(getattr(message, which), hand, kind)
    return event


def write_hand_event(
    event: Event | PlacementEvent,
    context: HandContext,
    proofs: Mapping[Place, cards_pb2.CardProof] = NO_PROOFS,
) -> pb.HandEvent:
    """Return an event as a message. `proofs` are for the faces in it, as the shuffler gave them."""
    found = _BY_TYPE[type(event)]
    fields: dict[str, Any] = {found.field: found.write(event, context, proofs)}
    return pb.HandEvent(**fields)


def is_remark(message: pb.HandEvent) -> bool:
    """Tell whether an event is about the hand and none of the engine's: nothing follows from it."""
    return message.WhichOneof("event") in REMARKS


def _read_places_dealt(message: pb.PlacesDealt, _: AnyHand, _kind: StakeKind) -> PlacesDealt:
    first = message.first
    return PlacesDealt(from_places(message.places), first.generation, first.index)


def _write_places_dealt(event: PlacesDealt, _: HandContext, _proofs: Proofs) -> dict[str, Any]:
    first = {"generation": event.generation, "index": event.first_index}
    return {"places": to_places(event.places), "first": first}


def _read_cards_drawn(message: pb.CardsDrawn, _: AnyHand, _kind: StakeKind) -> CardsDrawn:
    slots = tuple(message.discarded_slots)
    if message.count != len(slots):
        raise LogError(f"{message.count} cards drawn for {len(slots)} discarded", "count")
    return CardsDrawn(message.seat, message.turn_no, slots)


def _write_cards_drawn(event: CardsDrawn, _: HandContext, _proofs: Proofs) -> dict[str, Any]:
    return {
        "seat": event.seat,
        "count": len(event.slots),
        "discarded_slots": event.slots,
        "turn_no": event.turn_no,
    }


def _read_deck_reshuffled(
    message: pb.DeckReshuffled, _: AnyHand, _kind: StakeKind
) -> DeckReshuffled:
    places = from_places(message.places)
    if message.size != len(places):
        raise LogError(f"{message.size} cards of {len(places)} places", "size")
    return DeckReshuffled(message.generation, places)


def _write_deck_reshuffled(
    event: DeckReshuffled, _: HandContext, _proofs: Proofs
) -> dict[str, Any]:
    places = to_places(event.places)
    return {"generation": event.generation, "size": len(places), "places": places}


def _read_showdown_began(message: pb.ShowdownBegan, hand: AnyHand, _: StakeKind) -> ShowdownBegan:
    assert isinstance(hand, Hand), "only betting hands have a showdown"
    return ShowdownBegan(tuple(message.seats), hand.state.pots)


def _write_showdown_began(event: ShowdownBegan, _: HandContext, _proofs: Proofs) -> dict[str, Any]:
    return {"seats": event.order}


def _read_rake_taken(message: pb.RakeTaken, _: AnyHand, kind: StakeKind) -> RakeTaken:
    return RakeTaken(*read_rake(message, kind))


def _write_rake_taken(event: RakeTaken, context: HandContext, _: Proofs) -> pb.RakeTaken:
    return write_rake(event, context.kind)


def _read_pot_awarded(message: pb.PotAwarded, _: AnyHand, kind: StakeKind) -> PotAwarded:
    return PotAwarded(*read_award(message, kind))


def _write_pot_awarded(event: PotAwarded, context: HandContext, _: Proofs) -> pb.PotAwarded:
    return write_award(event, context.kind)


_CARRIED: Final[tuple[Literal["carried_in", "carried_out"], ...]] = ("carried_in", "carried_out")


def _read_hand_ended(message: pb.HandEnded, hand: AnyHand, kind: StakeKind) -> HandEnded:
    """Return the end of a hand; that of a placement hand is in points, without rake or pots."""
    shares: dict[int, int] = {}
    if isinstance(hand, PlacementHand):
        kind = StakeKind.POINTS
    elif hand.state.rake is not None:
        shares = dict(hand.state.rake.by_seat)
    carried = dict.fromkeys(_CARRIED, 0)
    for name in _CARRIED:
        if message.HasField(name):
            if isinstance(hand, PlacementHand):
                raise LogError("a carried pot in a game without pots", name)
            carried[name] = from_amount(getattr(message, name), kind, name)
    results = [
        SeatResult(
            result.seat,
            from_amount(result.start, kind, "seats.start"),
            from_amount(result.end, kind, "seats.end"),
            from_amount(result.net, kind, "seats.net"),
            shares.get(result.seat, 0),
        )
        for result in message.seats
    ]
    return HandEnded(tuple(results), from_amount(message.rake, kind, "rake"), **carried)


def _write_hand_ended(event: HandEnded, context: HandContext, _: Proofs) -> dict[str, Any]:
    kind = context.kind
    seats = [
        pb.SeatResult(
            seat=result.seat,
            player_id=context.players[result.seat],
            start=to_amount(result.start, kind),
            end=to_amount(result.end, kind),
            net=to_amount(result.net, kind),
        )
        for result in event.seats
    ]
    ended = {"seats": seats, "rake": to_amount(event.rake, kind), "hand_no": context.hand_no}
    carried = {"carried_in": event.carried_in, "carried_out": event.carried_out}
    return ended | {name: to_amount(value, kind) for name, value in carried.items() if value}


def _read_hand_voided(message: pb.HandVoided, _: AnyHand, _kind: StakeKind) -> HandVoided:
    return HandVoided(message.reason)


def _write_hand_voided(event: HandVoided, context: HandContext, _: Proofs) -> dict[str, Any]:
    return {"reason": event.reason, "hand_no": context.hand_no}


def _read_placement_moved(
    message: pb.PlacementMoved, _: AnyHand, _kind: StakeKind
) -> PlacementMoved:
    placement = message.placement
    back = placement.row == pb.LAYOUT_ROW_UNSPECIFIED
    to = None if back else look_up(LAYOUT_ROW, placement.row, "placement.row")
    return PlacementMoved(message.seat, placement.slot, to)


def _write_placement_moved(
    event: PlacementMoved, _: HandContext, _proofs: Proofs
) -> dict[str, Any]:
    to = pb.LAYOUT_ROW_UNSPECIFIED if event.row is None else LAYOUT_ROW_CODE[event.row]
    return {"seat": event.seat, "placement": {"slot": event.slot, "row": to}}


_ACTION = code({act: number for act, number in ACT_CODE.items() if act is not ActKind.ALL_IN})
_POTS = Column(
    read=read_pots,
    write=lambda value, kind, _: write_pots(value, kind),
)
_RANKS = items(read_ranks, write_ranks)
_PLACEMENTS = items(read_placements, write_placements)
_PAIRS = items(
    lambda pairs, _: tuple([read_pair_points(pair) for pair in pairs]),
    lambda pairs: [write_pair_points(pair) for pair in pairs],
)
_LAYOUTS = items(
    lambda layouts, field: tuple([read_layout_score(layout, field) for layout in layouts]),
    lambda layouts: [write_layout_score(layout) for layout in layouts],
)
_BETTING, _PLACEMENT, _ALL = HandsOf.BETTING, HandsOf.PLACEMENT, HandsOf.ALL

#: Every event of a hand that the engine knows. The order is that of the contract.
HAND_EVENTS: Final[tuple[EventRow, ...]] = (
    row(
        "forced_bet_posted",
        ForcedBetPosted,
        seat=PLAIN,
        kind=code(FORCED_CODE),
        amount=AMOUNT,
        all_in=PLAIN,
    ),
    EventRow("places_dealt", PlacesDealt, _ALL, _read_places_dealt, _write_places_dealt),
    row("street_began", StreetBegan, _ALL, street_no=PLAIN.named("street"), name=PLAIN),
    row("turn_began", TurnBegan, _ALL, seat=PLAIN, turn_no=PLAIN),
    row(
        "action_taken",
        ActionTaken,
        seat=PLAIN,
        turn_no=PLAIN,
        kind=_ACTION,
        to=AMOUNT,
        by=AMOUNT,
        all_in=PLAIN,
    ),
    row("bet_returned", BetReturned, seat=PLAIN, amount=AMOUNT),
    row("bets_collected", BetsCollected, pots=_POTS),
    row("reveal_ordered", RevealOrdered, _ALL, reason=code(REASON_CODE), places=PLACES),
    row("cards_revealed", CardsRevealed, _ALL, cards=FACES),
    EventRow(
        "showdown_began", ShowdownBegan, _BETTING, _read_showdown_began, _write_showdown_began
    ),
    row("hand_shown", HandShown, seat=PLAIN, cards=FACES, ranks=_RANKS),
    row("hand_mucked", HandMucked, seat=PLAIN),
    EventRow("rake_taken", RakeTaken, _BETTING, _read_rake_taken, _write_rake_taken),
    EventRow("pot_awarded", PotAwarded, _BETTING, _read_pot_awarded, _write_pot_awarded),
    EventRow("hand_ended", HandEnded, _ALL, _read_hand_ended, _write_hand_ended),
    EventRow("hand_voided", HandVoided, _ALL, _read_hand_voided, _write_hand_voided),
    EventRow("cards_drawn", CardsDrawn, _BETTING, _read_cards_drawn, _write_cards_drawn),
    row("cards_swapped", CardsSwapped, seat=PLAIN, slots=NUMBERS, street_no=PLAIN.named("street")),
    row("facing_chosen", FacingChosen, seat=PLAIN, turn_no=PLAIN, face_down=PLAIN),
    EventRow(
        "deck_reshuffled", DeckReshuffled, _BETTING, _read_deck_reshuffled, _write_deck_reshuffled
    ),
    row("opener_announced", OpenerAnnounced, seat=PLAIN, reason=PLAIN),
    row("carried_pot_added", CarriedPotAdded, amount=AMOUNT),
    row("pot_carried", PotCarried, pot_no=PLAIN, amount=AMOUNT, seats=NUMBERS),
    row("split_proposed", SplitProposed, seats=NUMBERS),
    row("split_answered", SplitAnswered, seat=PLAIN, agrees=PLAIN),
    row("hand_redealt", HandRedealt, button=PLAIN, pot=AMOUNT),
    EventRow(
        "placement_moved", PlacementMoved, _PLACEMENT, _read_placement_moved, _write_placement_moved
    ),
    row(
        "placement_confirmed",
        PlacementConfirmed,
        _PLACEMENT,
        seat=PLAIN,
        turn_no=PLAIN,
        street_no=PLAIN.named("street"),
        placements=_PLACEMENTS,
        by_time=PLAIN,
    ),
    row("hidden_placement", HiddenPlacement, _PLACEMENT, seat=PLAIN, placements=_PLACEMENTS),
    row("points_scored", PointsScored, _PLACEMENT, pairs=_PAIRS, layouts=_LAYOUTS),
    row("fantasyland_earned", FantasylandEarned, _PLACEMENT, seat=PLAIN, cards=PLAIN, stayed=PLAIN),
    row("layout_revealed", LayoutRevealed, _PLACEMENT, seat=PLAIN, placements=_PLACEMENTS),
)
_BETTING_READERS: Final = {
    one.field: one.read for one in HAND_EVENTS if one.hands is not HandsOf.PLACEMENT
}
_PLACEMENT_READERS: Final = {
    one.field: one.read for one in HAND_EVENTS if one.hands is not HandsOf.BETTING
}
_BY_TYPE: Final = {one.event: one for one in HAND_EVENTS}
