"""What happens in a hand, from messages into the engine's words."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Literal, overload

from pokerfloor.api.events.v1 import hand_events_pb2 as pb
from pokerfloor.games import (
    ActionTaken,
    ActKind,
    Award,
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
    Half,
    Hand,
    HandEnded,
    HandMucked,
    HandRank,
    HandRedealt,
    HandShown,
    HandVoided,
    OpenerAnnounced,
    PlacesDealt,
    Pot,
    PotAwarded,
    PotCarried,
    Rake,
    RakeTaken,
    RevealOrdered,
    SeatResult,
    ShowdownBegan,
    SplitAnswered,
    SplitProposed,
    StreetBegan,
    TurnBegan,
)
from pokerfloor.games.placement import PlacementEvent, PlacementHand
from pokerfloor.tablelog.amounts import StakeKind, from_amount
from pokerfloor.tablelog.card_messages import from_opened, from_places, known_card
from pokerfloor.tablelog.errors import LogError
from pokerfloor.tablelog.read_placement_events import read_placement_event
from pokerfloor.tablelog.words import ACT_KIND, CATEGORY, FORCED_KIND, HALF, REASON, SYSTEM, look_up


@overload
def read_hand_event(message: pb.HandEvent, hand: Hand, kind: StakeKind) -> Event: ...
@overload
def read_hand_event(
    message: pb.HandEvent, hand: PlacementHand, kind: StakeKind
) -> PlacementEvent: ...
def read_hand_event(
    message: pb.HandEvent, hand: Hand | PlacementHand, kind: StakeKind
) -> Event | PlacementEvent:
    """Return the event in a message. Raises LogError.

    `hand` is the hand just before it, for what the message leaves out: the pots of a showdown and
    each seat's share of the rake. It also says of which kind of hand the event must be.
    """
    which = message.WhichOneof("event") or ""
    if isinstance(hand, PlacementHand):
        placement = read_placement_event(message)
        if placement is not None:
            return placement
        reader = _READERS.get(which) if which in _OF_ANY_HAND else None
    else:
        reader = _READERS.get(which)
    if reader is None:
        kind_of_hand = "placement" if isinstance(hand, PlacementHand) else "betting"
        raise LogError(f"an event {which} that no {kind_of_hand} hand has", "event")
    event: Event = reader(getattr(message, which), hand, kind)
    return event


def read_pots(messages: Iterable[pb.Pot], kind: StakeKind, field: str = "pots") -> tuple[Pot, ...]:
    """Return pots, which must be numbered from 0. Raises LogError."""
    pots = [
        Pot(pot.pot_no, from_amount(pot.amount, kind, f"{field}.amount"), tuple(pot.seats))
        for pot in messages
    ]
    if [pot.no for pot in pots] != list(range(len(pots))):
        raise LogError("pots are numbered from 0, without gaps", f"{field}.pot_no")
    return tuple(pots)


def read_ranks(messages: Iterable[pb.ShownRank]) -> tuple[HandRank, ...]:
    """Return what a shown hand is. Raises LogError."""
    return tuple(
        [
            HandRank(
                rank.board,
                look_up(HALF, rank.half, "ranks.half"),
                look_up(SYSTEM, rank.hand.system, "ranks.hand.system"),
                look_up(CATEGORY, rank.hand.category, "ranks.hand.category").value,
                rank.hand.strength,
                rank.hand.name,
                tuple([known_card(card, "ranks.hand.cards") for card in rank.hand.cards]),
            )
            for rank in messages
        ]
    )


def read_rake(message: pb.RakeTaken, kind: StakeKind) -> Rake:
    """Return a rake. Raises LogError."""
    return Rake(
        from_amount(message.total, kind, "total"),
        tuple(_shares(message.by_pot, range(len(message.by_pot)), kind)),
        tuple(
            [
                (share.seat, from_amount(share.amount, kind, "by_seat.amount"))
                for share in message.by_seat
            ]
        ),
    )


def _shares(shares: Sequence[pb.PotRake], keys: Sequence[int], kind: StakeKind) -> list[int]:
    if [share.pot_no for share in shares] != list(keys):
        raise LogError("shares of the rake are in the order of the pots", "by_pot.pot_no")
    return [from_amount(share.amount, kind, "by_pot.amount") for share in shares]


def read_award(message: pb.PotAwarded, kind: StakeKind) -> Award:
    """Return an award. Raises LogError."""
    return Award(
        message.pot_no,
        message.board,
        Half.WHOLE if message.uncontested else look_up(HALF, message.half, "half"),
        message.seat,
        from_amount(message.amount, kind),
    )


def _forced_bet(message: pb.ForcedBetPosted, _: Hand, kind: StakeKind) -> ForcedBetPosted:
    return ForcedBetPosted(
        message.seat,
        look_up(FORCED_KIND, message.kind, "kind"),
        from_amount(message.amount, kind),
        message.all_in,
    )


def _places_dealt(message: pb.PlacesDealt, _: Hand, _kind: StakeKind) -> PlacesDealt:
    first = message.first
    return PlacesDealt(from_places(message.places), first.generation, first.index)


def _street_began(message: pb.StreetBegan, _: Hand, _kind: StakeKind) -> StreetBegan:
    return StreetBegan(message.street, message.name)


def _turn_began(message: pb.TurnBegan, _: Hand, _kind: StakeKind) -> TurnBegan:
    return TurnBegan(message.seat, message.turn_no)


def _action_taken(message: pb.ActionTaken, _: Hand, kind: StakeKind) -> ActionTaken:
    what = look_up(ACT_KIND, message.kind, "kind")
    if what is ActKind.ALL_IN:
        raise LogError("all-in is no action that was taken", "kind")
    return ActionTaken(
        message.seat,
        message.turn_no,
        what,
        from_amount(message.to, kind, "to"),
        from_amount(message.by, kind, "by"),
        message.all_in,
    )


def _cards_swapped(message: pb.CardsSwapped, _: Hand, _kind: StakeKind) -> CardsSwapped:
    return CardsSwapped(message.seat, tuple(message.slots), message.street)


def _cards_exchanged(message: pb.CardsDrawn, _: Hand, _kind: StakeKind) -> CardsDrawn:
    if message.count != len(message.discarded_slots):
        raise LogError(f"{message.count} cards, but {len(message.discarded_slots)} slots", "count")
    return CardsDrawn(message.seat, message.turn_no, tuple(message.discarded_slots))


def _deck_reshuffled(message: pb.DeckReshuffled, _: Hand, _kind: StakeKind) -> DeckReshuffled:
    places = from_places(message.places)
    if message.size != len(places):
        raise LogError(f"{message.size} cards of {len(places)} places", "size")
    return DeckReshuffled(message.generation, places)


def _hand_redealt(message: pb.HandRedealt, _: Hand, kind: StakeKind) -> HandRedealt:
    return HandRedealt(message.button, from_amount(message.pot, kind, "pot"))


def _facing_chosen(message: pb.FacingChosen, _: Hand, _kind: StakeKind) -> FacingChosen:
    return FacingChosen(message.seat, message.turn_no, message.face_down)


def _opener_announced(message: pb.OpenerAnnounced, _: Hand, _kind: StakeKind) -> OpenerAnnounced:
    return OpenerAnnounced(message.seat, message.reason)


def _carried_pot_added(message: pb.CarriedPotAdded, _: Hand, kind: StakeKind) -> CarriedPotAdded:
    return CarriedPotAdded(from_amount(message.amount, kind))


def _pot_carried(message: pb.PotCarried, _: Hand, kind: StakeKind) -> PotCarried:
    return PotCarried(message.pot_no, from_amount(message.amount, kind), tuple(message.seats))


def _split_proposed(message: pb.SplitProposed, _: Hand, _kind: StakeKind) -> SplitProposed:
    return SplitProposed(tuple(message.seats))


def _split_answered(message: pb.SplitAnswered, _: Hand, _kind: StakeKind) -> SplitAnswered:
    return SplitAnswered(message.seat, message.agrees)


def _bet_returned(message: pb.BetReturned, _: Hand, kind: StakeKind) -> BetReturned:
    return BetReturned(message.seat, from_amount(message.amount, kind))


def _bets_collected(message: pb.BetsCollected, _: Hand, kind: StakeKind) -> BetsCollected:
    return BetsCollected(read_pots(message.pots, kind))


def _opening_due(message: pb.RevealOrdered, _: Hand, _kind: StakeKind) -> RevealOrdered:
    return RevealOrdered(look_up(REASON, message.reason, "reason"), from_places(message.places))


def _cards_turned_up(message: pb.CardsRevealed, _: Hand, _kind: StakeKind) -> CardsRevealed:
    return CardsRevealed(from_opened(message.cards))


def _showdown_began(message: pb.ShowdownBegan, hand: Hand, _: StakeKind) -> ShowdownBegan:
    return ShowdownBegan(tuple(message.seats), hand.state.pots)


def _hand_shown(message: pb.HandShown, _: Hand, _kind: StakeKind) -> HandShown:
    return HandShown(message.seat, from_opened(message.cards), read_ranks(message.ranks))


def _hand_mucked(message: pb.HandMucked, _: Hand, _kind: StakeKind) -> HandMucked:
    return HandMucked(message.seat)


def _rake_taken(message: pb.RakeTaken, _: Hand, kind: StakeKind) -> RakeTaken:
    return RakeTaken(*read_rake(message, kind))


def _pot_awarded(message: pb.PotAwarded, _: Hand, kind: StakeKind) -> PotAwarded:
    return PotAwarded(*read_award(message, kind))


def _hand_ended(message: pb.HandEnded, hand: Hand, kind: StakeKind) -> HandEnded:
    rake = hand.state.rake
    shares = dict(rake.by_seat) if rake is not None else {}
    carried_in, carried_out = (
        from_amount(getattr(message, name), kind, name) if message.HasField(name) else 0
        for name in _CARRIED
    )
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
    rake_total = from_amount(message.rake, kind, "rake")
    return HandEnded(tuple(results), rake_total, carried_in, carried_out)


_CARRIED: Final[tuple[Literal["carried_in", "carried_out"], ...]] = ("carried_in", "carried_out")


def _hand_voided(message: pb.HandVoided, _: Hand, _kind: StakeKind) -> HandVoided:
    return HandVoided(message.reason)


_OF_ANY_HAND: Final = frozenset(
    {
        "cards_revealed",
        "hand_voided",
        "reveal_ordered",
        "places_dealt",
        "street_began",
        "turn_began",
    }
)

_READERS: Final[dict[str, Callable[[Any, Any, StakeKind], Event]]] = {
    "action_taken": _action_taken,
    "bet_returned": _bet_returned,
    "bets_collected": _bets_collected,
    "cards_drawn": _cards_exchanged,
    "carried_pot_added": _carried_pot_added,
    "cards_swapped": _cards_swapped,
    "cards_revealed": _cards_turned_up,
    "deck_reshuffled": _deck_reshuffled,
    "facing_chosen": _facing_chosen,
    "forced_bet_posted": _forced_bet,
    "hand_ended": _hand_ended,
    "hand_mucked": _hand_mucked,
    "hand_redealt": _hand_redealt,
    "hand_shown": _hand_shown,
    "hand_voided": _hand_voided,
    "opener_announced": _opener_announced,
    "reveal_ordered": _opening_due,
    "places_dealt": _places_dealt,
    "pot_awarded": _pot_awarded,
    "pot_carried": _pot_carried,
    "rake_taken": _rake_taken,
    "showdown_began": _showdown_began,
    "split_answered": _split_answered,
    "split_proposed": _split_proposed,
    "street_began": _street_began,
    "turn_began": _turn_began,
}
