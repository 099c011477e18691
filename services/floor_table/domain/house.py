"""The table's own doing: the next hand, the draw for the button, and the shuffler's answers."""

from floor_table.domain.bomb_pots import bomb_game, bomb_pot_bets, is_bomb_pot
from floor_table.domain.carried_pot import joining, next_hand_at
from floor_table.domain.draft import Draft
from floor_table.domain.game_choice import find_game, game_was_drawn, next_settings
from floor_table.domain.hand_flow import go_on
from floor_table.domain.inputs import CardsIn, DeckIn, ShowdownIn
from floor_table.domain.matches import begin_match, fantasyland_owed, next_players
from floor_table.domain.outcome import FloorRefusal
from floor_table.domain.readiness import all_ready
from floor_table.domain.refusals import of_hand, unexpected, wrong_state
from floor_table.domain.rules import TableRules, table_rules
from floor_table.domain.seat_changes import close_if_idle
from floor_table.domain.seating import Candidate, Plan, plan_hand, plan_without_blinds
from floor_table.domain.state import Draw, TableState
from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.events.v1 import table_events_pb2 as pb
from pokerfloor.api.events.v1.table_events_pb2 import TableEvent
from pokerfloor.cards import STANDARD
from pokerfloor.games import Begin, ForcedBet, ForcedKind, Resolved, Reveal, WaitShowdown
from pokerfloor.tablelog import (
    FORCED_CODE,
    LogError,
    Posting,
    from_card,
    from_opened,
    from_resolve_response,
    proofs_of,
    proofs_of_response,
    rake_of_response,
    to_amount,
)

_ROOT_BYTES = 32


def can_begin(state: TableState) -> bool:
    """Tell whether a hand, or the draw for one, can begin, but for the time between hands."""
    busy = state.playing is not None or state.draw is not None or state.hand_shows
    busy = busy or state.choosing
    if state.settings is None or state.unsettled or busy:
        return False
    if state.matches.match is not None:  # it is played to its end, though the table closes (OFC-6)
        return state.closing or not state.paused
    if state.closing or state.paused or not all_ready(state):
        return False
    return len(next_players(state)) >= 2


def begin_hand(draft: Draft) -> FloorRefusal | None:
    """Open the next hand, or draw for the first button (TBL-6, TBL-10)."""
    state = draft.state
    if not can_begin(state):
        return wrong_state("no hand can begin now")
    if draft.now_ms < next_hand_at(state):
        return wrong_state(f"the next hand begins at {next_hand_at(state)}")
    ready = next_players(state)
    candidates = [Candidate(one.seat, one.player_id, one.entering, one.post) for one in ready]
    if state.rules.posting is Posting.BLINDS:
        plan = plan_hand(candidates, state.last)
    else:
        plan = plan_without_blinds(candidates, state.last)
    if plan is None:
        _begin_draw(draft, [seat.seat for seat in ready])
    elif find_game(draft, plan):
        begin_match(draft)
        draft.emit(TableEvent(hand_began=_opened(state, plan)))
    return None


def _opened(state: TableState, plan: Plan) -> pb.HandBegan:
    settings = next_settings(state)
    rules = table_rules(settings)
    kind = rules.kind
    if plan.big and rules.posting is not Posting.BLINDS:  # where other games of the mix have blinds
        plan = plan._replace(dealt=tuple([seat.seat for seat in next_players(state)]), posts=())
    seats = [state.seats[number] for number in plan.dealt]
    hand_no = state.hands + 1
    bomb = is_bomb_pot(rules, plan, state.last, hand_no, frozenset(state.bomb_votes))
    carried = joining(state, plan)
    forced = bomb_pot_bets(rules, plan) if bomb else forced_bets(state, rules, plan)
    posted = not bomb and rules.posting is Posting.BLINDS
    return pb.HandBegan(
        hand_no=hand_no,
        deck_no=state.decks + 1,
        game=bomb_game(settings) if bomb else settings.game,
        rake=settings.rake,
        seats=[
            pb.HandSeat(seat=one.seat, player_id=one.player_id, stack=to_amount(one.stack, kind))
            for one in seats
        ],
        button=plan.button,
        forced_bets=[
            pb.ForcedBet(seat=seat, kind=FORCED_CODE[bet], amount=to_amount(amount, kind))
            for seat, bet, amount in forced
        ],
        always_show=[one.seat for one in seats if one.always_show],
        bomb_pot=bomb,
        small_blind_seat=0 if posted else plan.small,
        big_blind_seat=0 if posted else plan.big,
        carried=to_amount(carried.amount, kind) if carried else None,
        carried_seats=carried.seats if carried else (),
        match_no=state.matches.match.match_no if state.matches.match else 0,
        fantasyland=fantasyland_owed(state),
    )


def forced_bets(state: TableState, rules: TableRules, plan: Plan) -> list[ForcedBet]:
    """Return who posts what: antes, blinds, then posts from the left of the big blind (TBL-13).

    `rules` are those of the game that the hand is.
    """
    bets: list[ForcedBet] = []
    if rules.ante_kind is ForcedKind.ANTE:
        order = plan.from_button()
        bets += [ForcedBet(seat, ForcedKind.ANTE, rules.ante) for seat in order]
    if rules.posting is Posting.BUTTON_BLIND:
        bets.append(ForcedBet(plan.button, ForcedKind.BIG_BLIND, rules.big_blind))
    if rules.posting is Posting.BLINDS:
        bets += _blinds(state, rules, plan)
    return bets


def _blinds(state: TableState, rules: TableRules, plan: Plan) -> list[ForcedBet]:
    bets: list[ForcedBet] = []
    if rules.ante_kind is ForcedKind.ANTE_FOR_ALL:
        bets.append(ForcedBet(plan.big, ForcedKind.ANTE_FOR_ALL, rules.ante))
    if rules.small_blind:
        bets.append(ForcedBet(plan.small, ForcedKind.SMALL_BLIND, rules.small_blind))
    bets.append(ForcedBet(plan.big, ForcedKind.BIG_BLIND, rules.big_blind))
    for seat in plan.posts:
        bets.append(ForcedBet(seat, ForcedKind.POST, rules.big_blind))
        if rules.dead_small and rules.small_blind and state.seats[seat].small_missed:
            bets.append(ForcedBet(seat, ForcedKind.DEAD_SMALL, rules.small_blind))
    return bets


def draw_places(seats: tuple[int, ...] | list[int]) -> list[cards_pb2.Place]:
    """Return the places of a draw for the button, in the order of the deck."""
    return [
        cards_pb2.Place(kind=cards_pb2.PLACE_KIND_BUTTON_DRAW, owner=seat, slot=1) for seat in seats
    ]


def _begin_draw(draft: Draft, seats: list[int]) -> None:
    places = draw_places(seats)
    first = cards_pb2.DeckIndex(generation=0, index=0)
    dealt = hand_events_pb2.PlacesDealt(places=places, first=first)
    reason = hand_events_pb2.REVEAL_REASON_BUTTON_DRAW
    due = hand_events_pb2.RevealOrdered(reason=reason, places=places)
    began = pb.ButtonDrawBegan(deck_no=draft.state.decks + 1, seats=seats)
    draft.emit(TableEvent(button_draw_began=began))
    draft.emit(TableEvent(hand=hand_events_pb2.HandEvent(places_dealt=dealt)))
    draft.emit(TableEvent(hand=hand_events_pb2.HandEvent(reveal_ordered=due)))


def deck_ready(draft: Draft, given: DeckIn) -> FloorRefusal | None:
    """Take a deck's commitment in: begin the hand that it is for, or go on after a reshuffle."""
    state = draft.state
    draw, record = state.draw, state.record
    for_draw = draw is not None and draw.deck_no == given.deck_no and not draw.root
    of_hand = (
        record is not None
        and state.playing is not None
        and record.opened.deck_no == given.deck_no
        and (not record.root or bool(state.shuffling))
    )
    if not for_draw and not of_hand:
        return unexpected(f"deck {given.deck_no} is not waited for")
    if len(given.root) != _ROOT_BYTES or given.generation != state.shuffling:
        reason = f"a root of {len(given.root)} bytes for generation {given.generation}"
        return FloorRefusal(errors_pb2.ERROR_CODE_INVALID_FIELD, reason, "root")
    committed = pb.DeckCommitted(
        deck_no=given.deck_no, generation=given.generation, root=given.root, size=given.size
    )
    draft.emit(TableEvent(deck_committed=committed))
    if of_hand:
        before = state.last
        if not given.generation:
            refused = draft.play(Begin())
            assert refused is None, "a hand that does not begin"
        go_on(draft, before)
    return None


def cards_revealed(draft: Draft, given: CardsIn) -> FloorRefusal | None:
    """Take in faces that were due to be turned up."""
    state = draft.state
    draw, record = state.draw, state.record
    try:
        if draw is not None and draw.deck_no == given.deck_no:
            drawn = game_was_drawn if draw.cards else _button_drawn
            return drawn(draft, draw, given)
        if record is None or record.opened.deck_no != given.deck_no:
            return unexpected(f"no card of deck {given.deck_no} is due")
        cards, proofs = from_opened(given.cards), proofs_of(given.cards)
    except LogError as error:
        return FloorRefusal(errors_pb2.ERROR_CODE_WRONG_CARDS, error.reason, error.field)
    before, over = state.last, state.hand_over
    refused = draft.play(Reveal(cards), proofs)
    if refused is not None:
        return of_hand(refused)
    if over:  # these were shown by choice, after the hand
        close_if_idle(draft)
    else:
        go_on(draft, before)
    return None


def _button_drawn(draft: Draft, draw: Draw, given: CardsIn) -> FloorRefusal | None:
    """Give the button to the highest card, by rank and then by suit (TBL-10)."""
    due = draw_places(draw.seats)
    faces = [from_card(one.card) for one in given.cards]
    fit = [one.place for one in given.cards] == due and len(set(faces)) == len(faces)
    if not draw.root or not fit or not all(face in STANDARD for face in faces):
        reason = "the cards are not those of the draw"
        return FloorRefusal(errors_pb2.ERROR_CODE_WRONG_CARDS, reason, "cards")
    seat = draw.seats[faces.index(max(faces))]  # a card's number goes by rank, then by suit
    draft.emit(TableEvent(button_drawn=pb.ButtonDrawn(cards=given.cards, seat=seat)))
    close_if_idle(draft)
    return None


def showdown_resolved(draft: Draft, given: ShowdownIn) -> FloorRefusal | None:
    """Take in who shows and who wins, after checking that it can be true."""
    state, response = draft.state, given.response
    hand = state.playing
    wait = hand.waits_for() if hand is not None else None
    if not isinstance(wait, WaitShowdown):
        return unexpected("no showdown is waited for")
    asked = cards_pb2.HandRef(table_id=state.table_id, hand_no=state.hand_no)
    if response.hand != asked:
        return unexpected(f"hand {response.hand.hand_no} has another showdown")
    bad = errors_pb2.ERROR_CODE_BAD_SHOWDOWN
    lying = {(c.place.kind, c.place.owner, c.place.slot): c for c in state.opened_cards}
    try:
        result = from_resolve_response(response, state.rules.kind)
        proofs = proofs_of(lying.values()) | proofs_of_response(response)
        rake = rake_of_response(response, state.rules.kind)
    except LogError as error:
        return FloorRefusal(bad, error.reason, error.field)
    # Where pots can be carried, only those paid are raked, and the hand reckons that itself.
    if wait.request.raking is None and rake != wait.request.rake:
        return FloorRefusal(bad, f"a rake of {rake} where {wait.request.rake} is due", "rake")
    before = state.last
    refused = draft.play(Resolved(result), proofs)
    if refused is not None:
        return of_hand(refused)
    go_on(draft, before)
    return None
