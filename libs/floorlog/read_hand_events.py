"""What happens in a hand, from messages into the engine's words."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from libs.floorapi.floor.events.v1 import hand_events_pb2 as pb
from libs.floorlog.amounts import StakeKind, from_amount
from libs.floorlog.card_messages import from_opened, from_places, known_card
from libs.floorlog.errors import LogError
from libs.floorlog.words import ACT_KIND, FORCED_KIND, HALF, REASON, look_up
from libs.games import (
    ActionTaken,
    ActKind,
    Award,
    BetReturned,
    BetsCollected,
    CardsExchanged,
    CardsSwapped,
    CardsTurnedUp,
    DeckReshuffled,
    Event,
    ForcedBetPosted,
    Half,
    Hand,
    HandEnded,
    HandMucked,
    HandRank,
    HandRedealt,
    HandShown,
    HandVoided,
    OpeningDue,
    PlacesDealt,
    Pot,
    PotAwarded,
    Rake,
    RakeTaken,
    SeatResult,
    ShowdownBegan,
    StreetBegan,
    TurnBegan,
)


def read_hand_event(message: pb.HandEvent, hand: Hand, kind: StakeKind) -> Event:
    """Return the event in a message. Raises LogError.

    `hand` is the hand just before it, for what the message leaves out: the pots of a showdown and
    each seat's share of the rake.
    """
    which = message.WhichOneof("event")
    reader = _READERS.get(which or "")
    if reader is None:
        raise LogError(f"an event {which} that no betting hand has", "event")
    event: Event = reader(getattr(message, which or ""), hand, kind)
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
                rank.hand.system,
                rank.hand.category,
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
                (share.key, from_amount(share.amount, kind, "by_seat.amount"))
                for share in message.by_seat
            ]
        ),
    )


def _shares(shares: Sequence[pb.RakeShare], keys: Sequence[int], kind: StakeKind) -> list[int]:
    if [share.key for share in shares] != list(keys):
        raise LogError("shares of the rake are in the order of the pots", "by_pot.key")
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


def _cards_exchanged(message: pb.CardsExchanged, _: Hand, _kind: StakeKind) -> CardsExchanged:
    if message.count != len(message.slots):
        raise LogError(f"{message.count} cards, but {len(message.slots)} slots", "count")
    return CardsExchanged(message.seat, message.turn_no, tuple(message.slots))


def _deck_reshuffled(message: pb.DeckReshuffled, _: Hand, _kind: StakeKind) -> DeckReshuffled:
    places = from_places(message.places)
    if message.size != len(places):
        raise LogError(f"{message.size} cards of {len(places)} places", "size")
    return DeckReshuffled(message.generation, places)


def _hand_redealt(message: pb.HandRedealt, _: Hand, kind: StakeKind) -> HandRedealt:
    return HandRedealt(message.button, from_amount(message.pot, kind, "pot"))


def _bet_returned(message: pb.BetReturned, _: Hand, kind: StakeKind) -> BetReturned:
    return BetReturned(message.seat, from_amount(message.amount, kind))


def _bets_collected(message: pb.BetsCollected, _: Hand, kind: StakeKind) -> BetsCollected:
    return BetsCollected(read_pots(message.pots, kind))


def _opening_due(message: pb.OpeningDue, _: Hand, _kind: StakeKind) -> OpeningDue:
    return OpeningDue(look_up(REASON, message.reason, "reason"), from_places(message.places))


def _cards_turned_up(message: pb.CardsTurnedUp, _: Hand, _kind: StakeKind) -> CardsTurnedUp:
    return CardsTurnedUp(from_opened(message.cards))


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
    for name in ("carried_in", "carried_out"):
        if message.HasField(name):
            raise LogError("a carried pot in a game that carries none", name)
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
    return HandEnded(tuple(results), from_amount(message.rake, kind, "rake"))


def _hand_voided(message: pb.HandVoided, _: Hand, _kind: StakeKind) -> HandVoided:
    return HandVoided(message.reason)


_READERS: Final[dict[str, Callable[[Any, Hand, StakeKind], Event]]] = {
    "action_taken": _action_taken,
    "bet_returned": _bet_returned,
    "bets_collected": _bets_collected,
    "cards_exchanged": _cards_exchanged,
    "cards_swapped": _cards_swapped,
    "cards_turned_up": _cards_turned_up,
    "deck_reshuffled": _deck_reshuffled,
    "forced_bet_posted": _forced_bet,
    "hand_ended": _hand_ended,
    "hand_mucked": _hand_mucked,
    "hand_redealt": _hand_redealt,
    "hand_shown": _hand_shown,
    "hand_voided": _hand_voided,
    "opening_due": _opening_due,
    "places_dealt": _places_dealt,
    "pot_awarded": _pot_awarded,
    "rake_taken": _rake_taken,
    "showdown_began": _showdown_began,
    "street_began": _street_began,
    "turn_began": _turn_began,
}
