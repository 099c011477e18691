"""Showdowns between the table and the showdown service, both ways."""

from collections.abc import Mapping

from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.events.v1.hand_events_pb2 import HandMucked
from pokerfloor.api.events.v1.table_events_pb2 import HandBegan
from pokerfloor.api.internal.showdown.v1 import resolution_pb2 as pb
from pokerfloor.cards import Card
from pokerfloor.games import (
    HandSetup,
    Losers,
    Place,
    PlaceKind,
    Rake,
    Raking,
    SeatPlaces,
    ShowdownRequest,
    ShowdownResult,
    ShownHand,
    board_place,
    community_place,
    rake_of,
)
from pokerfloor.tablelog.amounts import StakeKind, from_amount, to_amount
from pokerfloor.tablelog.card_messages import (
    NO_PROOFS,
    from_place,
    from_places,
    from_revealed,
    known_card,
    shared_place,
    to_card,
    to_places,
)
from pokerfloor.tablelog.errors import LogError
from pokerfloor.tablelog.hand_setups import hand_setup, hand_stake_kind
from pokerfloor.tablelog.pot_messages import (
    read_award,
    read_pots,
    read_rake,
    write_award,
    write_pots,
    write_rake,
)
from pokerfloor.tablelog.ranked_hands import read_ranks, write_shown


def to_resolve_request(
    request: ShowdownRequest,
    opened: HandBegan,
    contributions: tuple[tuple[int, int], ...],
    cause: cards_pb2.StepRef,
) -> pb.ResolveRequest:
    """Return the question to the showdown service.

    `contributions` are what each seat dealt in put into the pots, as (seat, amount); `cause` names
    the table and the step with the showdown's opening.
    """
    kind = hand_stake_kind(opened)
    own_board = request.game.board_cards() > 0  # else it is the community cards
    boards = [
        (board_place(number, slot) if own_board else community_place(slot), card)
        for number, board in enumerate(request.boards)
        for slot, card in enumerate(board, 1)
    ]
    still_in = [entry.seat for entry in request.seats]
    moved = request.from_button != _from_left_of(opened.button, still_in)
    return pb.ResolveRequest(
        hand=cards_pb2.HandRef(table_id=cause.table_id, hand_no=opened.hand_no),
        deck=cards_pb2.DeckRef(table_id=cause.table_id, deck_no=opened.deck_no),
        cause=cause,
        began=opened,
        pots=write_pots(request.pots, kind),
        revealed_cards=[
            cards_pb2.PlacedCard(place=shared_place(place), card=to_card(card))
            for place, card in (*boards, *request.known)
        ],
        seats=request.order,
        seat_places=[
            pb.SeatPlaces(seat=entry.seat, places=to_places(entry.places))
            for entry in request.seats
        ],
        all_in=request.all_in,
        contributions=[
            pb.SeatContribution(seat=seat, amount=to_amount(amount, kind))
            for seat, amount in contributions
        ],
        rake=to_amount(request.rake.total, kind),
        from_button=request.from_button if moved else (),
    )


def from_resolve_request(message: pb.ResolveRequest) -> ShowdownRequest:
    """Return the showdown that a question asks for. Raises LogError."""
    kind = hand_stake_kind(message.began)
    setup = hand_setup(message.began)
    seats = tuple(
        [
            SeatPlaces(one.seat, from_places(one.places, "seat_places"))
            for one in message.seat_places
        ]
    )
    still_in = [entry.seat for entry in seats]
    if len(set(still_in)) != len(still_in) or sorted(message.seats) != sorted(still_in):
        raise LogError("the seats that show are not those that have places", "seats")
    boards, known = _revealed_cards(message, setup)
    pots = read_pots(message.pots, kind)
    raking, rake = _raking(message, setup, kind)
    carries = setup.game.carries()
    return ShowdownRequest(
        hand_no=setup.hand_no,
        game=setup.game,
        smallest_chip_minor=setup.settings.smallest_chip_minor,
        losers=Losers.MUCK if carries else setup.settings.losers,
        unread_hands_muck=setup.settings.unread_hands_muck,
        all_in=message.all_in,
        pots=pots,
        rake=rake,
        seats=seats,
        order=tuple(message.seats),
        from_button=_from_button(message, still_in),
        boards=boards,
        known=known,
        raking=raking if carries else None,
    )


def always_show(message: pb.ResolveRequest) -> frozenset[int]:
    """Return the seats that show even when beaten (SHW-2)."""
    return frozenset(message.began.always_show)


def to_resolve_response(
    result: ShowdownResult,
    request: pb.ResolveRequest,
    proofs: Mapping[Place, cards_pb2.CardProof] = NO_PROOFS,
) -> pb.ResolveResponse:
    """Return the showdown service's answer to `request`. Raises LogError."""
    kind = hand_stake_kind(request.began)
    raking, _ = _raking(request, hand_setup(request.began), kind)
    rake = rake_of(raking, read_pots(request.pots, kind), result.carried)
    shown = {hand.seat: hand for hand in result.shown}
    steps = [
        pb.ShowdownStep(shown=write_shown(shown[seat], proofs))
        if seat in shown
        else pb.ShowdownStep(mucked=HandMucked(seat=seat))
        for seat in request.seats
    ]
    return pb.ResolveResponse(
        hand=request.hand,
        steps=steps,
        rake=write_rake(rake, kind),
        awards=[write_award(award, kind) for award in result.awards],
        carried_pots=result.carried,
    )


def from_resolve_response(message: pb.ResolveResponse, kind: StakeKind) -> ShowdownResult:
    """Return the result in an answer; whether it can be true is the hand's to say.

    Raises LogError.
    """
    shown: list[ShownHand] = []
    mucked: list[int] = []
    for step in message.steps:
        which = step.WhichOneof("step")
        if which == "shown":
            hand = step.shown
            cards = from_revealed(hand.cards, "steps.shown.cards")
            shown.append(ShownHand(hand.seat, cards, read_ranks(hand.ranks)))
        elif which == "mucked":
            mucked.append(step.mucked.seat)
        else:
            raise LogError("a step that is neither shown nor mucked", "steps")
    awards = tuple([read_award(award, kind) for award in message.awards])
    return ShowdownResult(tuple(shown), tuple(mucked), awards, tuple(message.carried_pots))


def rake_of_response(message: pb.ResolveResponse, kind: StakeKind) -> Rake:
    """Return the rake in an answer. Raises LogError."""
    return read_rake(message.rake, kind)


def proofs_of_response(message: pb.ResolveResponse) -> dict[Place, cards_pb2.CardProof]:
    """Return the proofs of the hands shown, by place. Raises LogError."""
    return {
        from_place(card.place): card.proof
        for step in message.steps
        for card in step.shown.cards
        if card.HasField("proof")
    }


def _revealed_cards(
    message: pb.ResolveRequest, setup: HandSetup
) -> tuple[tuple[tuple[Card, ...], ...], tuple[tuple[Place, Card], ...]]:
    boards: list[list[Card]] = [[] for _ in range(setup.game.boards)]
    known: list[tuple[Place, Card]] = []
    on_board = PlaceKind.BOARD if setup.game.board_cards() else PlaceKind.COMMUNITY
    for one in message.revealed_cards:
        place = from_place(one.place, "revealed_cards.place")
        card = known_card(one.card, "revealed_cards.card")
        if place.kind is PlaceKind.SEAT:
            known.append((place, card))
        elif place.kind is not on_board or place.owner >= len(boards):
            raise LogError(f"an open card at {place}", "revealed_cards.place")
        elif place.slot != len(boards[place.owner]) + 1:
            raise LogError("board cards are in the order of slots", "revealed_cards.place")
        else:
            boards[place.owner].append(card)
    return tuple([tuple(board) for board in boards]), tuple(known)


def _from_button(message: pb.ResolveRequest, still_in: list[int]) -> tuple[int, ...]:
    order = tuple(message.from_button)
    if not order:
        return _from_left_of(message.began.button, still_in)
    if order not in [_from_left_of(seat, still_in) for seat in still_in]:
        raise LogError("the seats that show, once round the table", "from_button")
    return order


def _from_left_of(button: int, seats: list[int]) -> tuple[int, ...]:
    after = [seat for seat in sorted(seats) if seat > button]
    return (*after, *[seat for seat in sorted(seats) if seat <= button])


def _raking(message: pb.ResolveRequest, setup: HandSetup, kind: StakeKind) -> tuple[Raking, Rake]:
    """Return what the rake is reckoned from, and the rake of all pots. Raises LogError."""
    total = from_amount(message.rake, kind, "rake")
    paid = tuple(
        [
            (one.seat, from_amount(one.amount, kind, "contributions.amount"))
            for one in message.contributions
        ]
    )
    if [seat for seat, _ in paid] != [seat for seat, _ in setup.seats]:
        raise LogError("a contribution for each seat dealt in, by seat", "contributions")
    pots = read_pots(message.pots, kind)
    came_in = sum([amount for _, amount in paid]) + setup.carried.amount
    if came_in != sum([pot.amount for pot in pots]):
        raise LogError("the contributions are not what lies in the pots", "contributions")
    chip = setup.settings.smallest_chip_minor
    # A showdown comes after the last street, and so after the flop.
    raking = Raking(setup.settings.rake, paid, chip, dropped=True)
    rake = rake_of(raking, pots)
    if rake.total != total:
        raise LogError(f"a rake of {total} where {rake.total} is due", "rake")
    return raking, rake
