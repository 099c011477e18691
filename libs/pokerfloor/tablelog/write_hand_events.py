"""What happens in a hand, from the engine's words into messages."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.events.v1 import hand_events_pb2 as pb
from pokerfloor.games import (
    ActionTaken,
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
    HandEnded,
    HandMucked,
    HandRank,
    HandRedealt,
    HandShown,
    HandVoided,
    OpenerAnnounced,
    Place,
    PlacesDealt,
    Pot,
    PotAwarded,
    PotCarried,
    Rake,
    RakeTaken,
    RevealOrdered,
    ShowdownBegan,
    ShownHand,
    SplitAnswered,
    SplitProposed,
    StreetBegan,
    TurnBegan,
)
from pokerfloor.games.placement import PlacementEvent
from pokerfloor.tablelog.amounts import StakeKind, to_amount
from pokerfloor.tablelog.card_messages import NO_PROOFS, to_opened, to_places
from pokerfloor.tablelog.ranked_hands import write_ranked_hand
from pokerfloor.tablelog.words import ACT_CODE, FORCED_CODE, HALF_CODE, REASON_CODE
from pokerfloor.tablelog.write_placement_events import write_placement_event


@dataclass(frozen=True, slots=True)
class HandContext:
    """What stands in messages and is no business of the engine: number, stake, players by seat."""

    hand_no: int
    kind: StakeKind
    players: Mapping[int, str]


def write_hand_event(
    event: Event | PlacementEvent,
    context: HandContext,
    proofs: Mapping[Place, cards_pb2.CardProof] = NO_PROOFS,
) -> pb.HandEvent:
    """Return an event as a message. `proofs` are for the faces in it, as the shuffler gave them."""
    writer = _WRITERS.get(type(event))
    return write_placement_event(event) if writer is None else writer(event, context, proofs)


def write_pots(pots: tuple[Pot, ...], kind: StakeKind) -> list[pb.Pot]:
    """Return pots as messages, main pot first."""
    return [
        pb.Pot(pot_no=pot.no, amount=to_amount(pot.amount, kind), seats=pot.eligible)
        for pot in pots
    ]


def write_shown(
    hand: HandShown | ShownHand,
    proofs: Mapping[Place, cards_pb2.CardProof] = NO_PROOFS,
) -> pb.HandShown:
    """Return a shown hand as a message."""
    return pb.HandShown(
        seat=hand.seat,
        cards=to_opened(hand.cards, proofs),
        ranks=[_write_rank(rank) for rank in hand.ranks],
    )


def _write_rank(rank: HandRank) -> pb.ShownRank:
    return pb.ShownRank(
        board=rank.board,
        half=HALF_CODE[rank.half],
        hand=write_ranked_hand(rank),
    )


def write_rake(rake: Rake | RakeTaken, kind: StakeKind) -> pb.RakeTaken:
    """Return a rake as a message."""
    return pb.RakeTaken(
        total=to_amount(rake.total, kind),
        by_pot=[
            pb.PotRake(pot_no=pot_no, amount=to_amount(share, kind))
            for pot_no, share in enumerate(rake.by_pot)
        ],
        by_seat=[
            pb.SeatRake(seat=seat, amount=to_amount(share, kind)) for seat, share in rake.by_seat
        ],
    )


def write_award(award: Award | PotAwarded, kind: StakeKind) -> pb.PotAwarded:
    """Return an award as a message."""
    whole = award.half is Half.WHOLE
    return pb.PotAwarded(
        pot_no=award.pot_no,
        board=award.board,
        half=pb.POT_HALF_HIGH if whole else HALF_CODE[award.half],
        seat=award.seat,
        amount=to_amount(award.amount, kind),
        uncontested=whole,
    )


_Proofs = Mapping[Place, cards_pb2.CardProof]


def _forced_bet(event: ForcedBetPosted, context: HandContext, _: _Proofs) -> pb.HandEvent:
    return pb.HandEvent(
        forced_bet_posted=pb.ForcedBetPosted(
            seat=event.seat,
            kind=FORCED_CODE[event.kind],
            amount=to_amount(event.amount, context.kind),
            all_in=event.all_in,
        )
    )


def _places_dealt(event: PlacesDealt, _context: HandContext, _: _Proofs) -> pb.HandEvent:
    first = cards_pb2.DeckIndex(generation=event.generation, index=event.first_index)
    return pb.HandEvent(places_dealt=pb.PlacesDealt(places=to_places(event.places), first=first))


def _street_began(event: StreetBegan, _context: HandContext, _: _Proofs) -> pb.HandEvent:
    return pb.HandEvent(street_began=pb.StreetBegan(street=event.street_no, name=event.name))


def _turn_began(event: TurnBegan, _context: HandContext, _: _Proofs) -> pb.HandEvent:
    return pb.HandEvent(turn_began=pb.TurnBegan(seat=event.seat, turn_no=event.turn_no))


def _action_taken(event: ActionTaken, context: HandContext, _: _Proofs) -> pb.HandEvent:
    return pb.HandEvent(
        action_taken=pb.ActionTaken(
            seat=event.seat,
            turn_no=event.turn_no,
            kind=ACT_CODE[event.kind],
            to=to_amount(event.to, context.kind),
            by=to_amount(event.by, context.kind),
            all_in=event.all_in,
        )
    )


def _cards_swapped(event: CardsSwapped, _context: HandContext, _: _Proofs) -> pb.HandEvent:
    swapped = pb.CardsSwapped(seat=event.seat, slots=event.slots, street=event.street_no)
    return pb.HandEvent(cards_swapped=swapped)


def _cards_exchanged(event: CardsDrawn, _context: HandContext, _: _Proofs) -> pb.HandEvent:
    exchanged = pb.CardsDrawn(
        seat=event.seat, count=len(event.slots), discarded_slots=event.slots, turn_no=event.turn_no
    )
    return pb.HandEvent(cards_drawn=exchanged)


def _deck_reshuffled(event: DeckReshuffled, _context: HandContext, _: _Proofs) -> pb.HandEvent:
    # The root of the new generation is the shuffler's to tell.
    reshuffled = pb.DeckReshuffled(
        generation=event.generation, size=len(event.places), places=to_places(event.places)
    )
    return pb.HandEvent(deck_reshuffled=reshuffled)


def _hand_redealt(event: HandRedealt, context: HandContext, _: _Proofs) -> pb.HandEvent:
    pot = to_amount(event.pot, context.kind)
    return pb.HandEvent(hand_redealt=pb.HandRedealt(pot=pot, button=event.button))


def _facing_chosen(event: FacingChosen, _context: HandContext, _: _Proofs) -> pb.HandEvent:
    chosen = pb.FacingChosen(seat=event.seat, turn_no=event.turn_no, face_down=event.face_down)
    return pb.HandEvent(facing_chosen=chosen)


def _opener_announced(event: OpenerAnnounced, _context: HandContext, _: _Proofs) -> pb.HandEvent:
    return pb.HandEvent(opener_announced=pb.OpenerAnnounced(seat=event.seat, reason=event.reason))


def _carried_pot_added(event: CarriedPotAdded, context: HandContext, _: _Proofs) -> pb.HandEvent:
    added = pb.CarriedPotAdded(amount=to_amount(event.amount, context.kind))
    return pb.HandEvent(carried_pot_added=added)


def _pot_carried(event: PotCarried, context: HandContext, _: _Proofs) -> pb.HandEvent:
    amount = to_amount(event.amount, context.kind)
    carried = pb.PotCarried(pot_no=event.pot_no, amount=amount, seats=event.seats)
    return pb.HandEvent(pot_carried=carried)


def _split_proposed(event: SplitProposed, _context: HandContext, _: _Proofs) -> pb.HandEvent:
    return pb.HandEvent(split_proposed=pb.SplitProposed(seats=event.seats))


def _split_answered(event: SplitAnswered, _context: HandContext, _: _Proofs) -> pb.HandEvent:
    return pb.HandEvent(split_answered=pb.SplitAnswered(seat=event.seat, agrees=event.agrees))


def _bet_returned(event: BetReturned, context: HandContext, _: _Proofs) -> pb.HandEvent:
    amount = to_amount(event.amount, context.kind)
    return pb.HandEvent(bet_returned=pb.BetReturned(seat=event.seat, amount=amount))


def _bets_collected(event: BetsCollected, context: HandContext, _: _Proofs) -> pb.HandEvent:
    pots = write_pots(event.pots, context.kind)
    return pb.HandEvent(bets_collected=pb.BetsCollected(pots=pots))


def _opening_due(event: RevealOrdered, _context: HandContext, _: _Proofs) -> pb.HandEvent:
    due = pb.RevealOrdered(reason=REASON_CODE[event.reason], places=to_places(event.places))
    return pb.HandEvent(reveal_ordered=due)


def _cards_turned_up(event: CardsRevealed, _: HandContext, proofs: _Proofs) -> pb.HandEvent:
    return pb.HandEvent(cards_revealed=pb.CardsRevealed(cards=to_opened(event.cards, proofs)))


def _showdown_began(event: ShowdownBegan, _context: HandContext, _: _Proofs) -> pb.HandEvent:
    return pb.HandEvent(showdown_began=pb.ShowdownBegan(seats=event.order))


def _hand_shown(event: HandShown, _context: HandContext, proofs: _Proofs) -> pb.HandEvent:
    return pb.HandEvent(hand_shown=write_shown(event, proofs))


def _hand_mucked(event: HandMucked, _context: HandContext, _: _Proofs) -> pb.HandEvent:
    return pb.HandEvent(hand_mucked=pb.HandMucked(seat=event.seat))


def _rake_taken(event: RakeTaken, context: HandContext, _: _Proofs) -> pb.HandEvent:
    return pb.HandEvent(rake_taken=write_rake(event, context.kind))


def _pot_awarded(event: PotAwarded, context: HandContext, _: _Proofs) -> pb.HandEvent:
    return pb.HandEvent(pot_awarded=write_award(event, context.kind))


def _hand_ended(event: HandEnded, context: HandContext, _: _Proofs) -> pb.HandEvent:
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
    ended = pb.HandEnded(seats=seats, rake=to_amount(event.rake, kind), hand_no=context.hand_no)
    if event.carried_in:
        ended.carried_in.CopyFrom(to_amount(event.carried_in, kind))
    if event.carried_out:
        ended.carried_out.CopyFrom(to_amount(event.carried_out, kind))
    return pb.HandEvent(hand_ended=ended)


def _hand_voided(event: HandVoided, context: HandContext, _: _Proofs) -> pb.HandEvent:
    voided = pb.HandVoided(reason=event.reason, hand_no=context.hand_no)
    return pb.HandEvent(hand_voided=voided)


_WRITERS: Final[dict[type[Any], Callable[[Any, HandContext, _Proofs], pb.HandEvent]]] = {
    ActionTaken: _action_taken,
    BetReturned: _bet_returned,
    BetsCollected: _bets_collected,
    CardsDrawn: _cards_exchanged,
    CardsSwapped: _cards_swapped,
    CardsRevealed: _cards_turned_up,
    CarriedPotAdded: _carried_pot_added,
    DeckReshuffled: _deck_reshuffled,
    FacingChosen: _facing_chosen,
    ForcedBetPosted: _forced_bet,
    HandEnded: _hand_ended,
    HandMucked: _hand_mucked,
    HandRedealt: _hand_redealt,
    HandShown: _hand_shown,
    HandVoided: _hand_voided,
    OpenerAnnounced: _opener_announced,
    RevealOrdered: _opening_due,
    PlacesDealt: _places_dealt,
    PotAwarded: _pot_awarded,
    PotCarried: _pot_carried,
    RakeTaken: _rake_taken,
    ShowdownBegan: _showdown_began,
    SplitAnswered: _split_answered,
    SplitProposed: _split_proposed,
    StreetBegan: _street_began,
    TurnBegan: _turn_began,
}
