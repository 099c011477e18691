"""What a hand must refuse at each of its waits, and with which code (BET-3)."""

from __future__ import annotations

from random import Random

from pokerfloor.cards import DECKS
from pokerfloor.games import (
    Act,
    ActKind,
    AnswerSplit,
    Begin,
    ChooseFacing,
    Code,
    DiscardCards,
    Hand,
    Input,
    LegalSet,
    Over,
    Resolved,
    Reveal,
    ShowCards,
    ShowdownResult,
    SplitTimeUp,
    SwapCards,
    Void,
    WaitAction,
    WaitCards,
    WaitDiscard,
    WaitFacing,
    WaitShowdown,
    WaitSplit,
    burn_place,
    seat_place,
)

Bad = list[tuple[Input, Code]]
_NO_RESULT = Resolved(ShowdownResult((), (), ()))
_ANSWERS: tuple[Input, ...] = (AnswerSplit(1, agrees=False), SplitTimeUp())


def good_acts(legal: LegalSet, rng: Random) -> list[tuple[ActKind, int]]:
    """Each kind of action that is allowed: least, most, every size, one between, and all-in."""
    acts = [(ActKind.FOLD, 0)]
    if legal.can_check:
        acts.append((ActKind.CHECK, 0))
    if legal.call_by:
        acts += [(ActKind.CALL, 0), (ActKind.CALL, legal.call_to)]
    for kind, low, high in raises_of(legal):
        amounts = {low, high, *legal.sizes_to}
        if not legal.sizes_to:
            amounts.add(rng.choice(range(low, high + 1, legal.step)))
        acts += [(kind, amount) for amount in sorted(amounts)]
    if legal.all_in_as is not None:
        acts.append((ActKind.ALL_IN, 0))
    return acts


def raises_of(legal: LegalSet) -> list[tuple[ActKind, int, int]]:
    """The bet or the raise that is open, with its least and its most."""
    both = [
        (ActKind.BET, legal.bet_min, legal.bet_max),
        (ActKind.RAISE, legal.raise_min, legal.raise_max),
    ]
    return [entry for entry in both if entry[2]]


def bad_inputs(hand: Hand, rng: Random) -> Bad:
    """Inputs that the hand must refuse now, each with its code."""
    wait = hand.waits_for()
    if isinstance(wait, WaitAction):
        return _bad_turns(wait, hand) + _bad_acts(wait, rng) + _bad_swaps(wait) + _never(hand)
    if isinstance(wait, WaitDiscard):
        return _bad_discards(wait, hand) + _never(hand)
    if isinstance(wait, WaitFacing):
        return _bad_facings(wait, hand) + _never(hand)
    if isinstance(wait, WaitCards):
        return _bad_cards(wait, hand) + _never(hand)
    if isinstance(wait, WaitSplit):
        return _bad_answers(wait, hand) + _never(hand)
    if isinstance(wait, WaitShowdown):
        return [*_not_now(hand), (Reveal(()), Code.UNEXPECTED_INPUT), *_never(hand)]
    if isinstance(wait, Over):
        return _bad_after_the_end(hand)
    inputs: list[Input] = [
        Reveal(()),
        _NO_RESULT,
        ShowCards(1, ()),
        *[i for i, _ in _not_now(hand)],
    ]
    return [(given, Code.UNEXPECTED_INPUT) for given in inputs]


def _not_now(hand: Hand) -> Bad:
    seat, turn_no = hand.setup.seats[0].seat, hand.state.turn_no
    inputs: list[Input] = [Act(seat, turn_no, kind) for kind in ActKind]
    inputs += [SwapCards(seat, turn_no, (1,)), DiscardCards(seat, turn_no, ())]
    inputs += [ChooseFacing(seat, turn_no, face_down=True)]
    return [(given, Code.UNEXPECTED_INPUT) for given in (*inputs, *_ANSWERS)]


def _never(hand: Hand) -> Bad:
    """What no running hand takes."""
    seat = hand.setup.seats[0].seat
    show = ShowCards(seat, (seat_place(seat, 1),))
    return [(Begin(), Code.UNEXPECTED_INPUT), (show, Code.UNEXPECTED_INPUT)]


def _bad_turns(wait: WaitAction, hand: Hand) -> Bad:
    seat, turn_no, legal = wait
    kind = ActKind.CHECK if legal.can_check else ActKind.CALL
    bad: Bad = [
        (Act(other, turn_no, kind), Code.NOT_YOUR_TURN)
        for other in (*[number for number, _ in hand.setup.seats], -1, 99)
        if other != seat
    ]
    bad += [(Act(seat, other, kind), Code.STALE_TURN) for other in (turn_no - 1, turn_no + 1)]
    bad += [
        (Reveal(()), Code.UNEXPECTED_INPUT),
        (Reveal(((seat_place(seat, 1), 0),)), Code.UNEXPECTED_INPUT),
        (_NO_RESULT, Code.UNEXPECTED_INPUT),
        (DiscardCards(seat, turn_no, ()), Code.UNEXPECTED_INPUT),
        (ChooseFacing(seat, turn_no, face_down=False), Code.UNEXPECTED_INPUT),
        *[(given, Code.UNEXPECTED_INPUT) for given in _ANSWERS],
    ]
    return bad


def _bad_acts(wait: WaitAction, rng: Random) -> Bad:
    seat, turn_no, legal = wait
    bad: list[tuple[ActKind, int, Code]] = [
        (ActKind.FOLD, legal.step, Code.AMOUNT_NOT_EXPECTED),
        (ActKind.ALL_IN, legal.step, Code.AMOUNT_NOT_EXPECTED),
        (ActKind.CHECK, -1, Code.AMOUNT_NOT_EXPECTED),
    ]
    if not legal.can_check:
        bad.append((ActKind.CHECK, 0, Code.ACTION_NOT_ALLOWED))
        wrong = {legal.call_to - 1, legal.call_to + 1, -legal.call_to} - {0}
        bad += [(ActKind.CALL, amount, Code.AMOUNT_NOT_EXPECTED) for amount in sorted(wrong)]
    else:
        bad += [(ActKind.CALL, amount, Code.ACTION_NOT_ALLOWED) for amount in (0, legal.step)]
    most = max(legal.bet_max, legal.raise_max)
    if legal.all_in_as is None:
        code = Code.AMOUNT_TOO_LARGE if most else Code.ACTION_NOT_ALLOWED
        bad.append((ActKind.ALL_IN, 0, code))
    is_open = {kind for kind, _, _ in raises_of(legal)}
    for kind in (ActKind.BET, ActKind.RAISE):
        if kind not in is_open:
            amounts = (0, legal.step, most, rng.randint(0, 500))
            bad += [(kind, amount, Code.ACTION_NOT_ALLOWED) for amount in amounts]
    for kind, low, high in raises_of(legal):
        bad += _bad_amounts(legal, kind, low, high)
    return [(Act(seat, turn_no, kind, amount), code) for kind, amount, code in bad]


def _bad_amounts(
    legal: LegalSet, kind: ActKind, low: int, high: int
) -> list[tuple[ActKind, int, Code]]:
    bad = [(kind, low - less, Code.AMOUNT_TOO_SMALL) for less in (1, legal.step, low, 2 * low)]
    bad += [(kind, high + more, Code.AMOUNT_TOO_LARGE) for more in (1, legal.step, high)]
    if legal.sizes_to:
        between = [amount for amount in (low + 1, high - 1) if low < amount < high]
        return bad + [(kind, amount, Code.AMOUNT_NOT_A_SIZE) for amount in between]
    if legal.step > 1 and low < high:
        bad += [(kind, amount, Code.NOT_A_WHOLE_CHIP) for amount in (low + 1, high - 1)]
    return bad


def _bad_swaps(wait: WaitAction) -> Bad:
    seat, turn_no, legal = wait
    slots = legal.swap_slots
    if not slots:
        return [
            (SwapCards(seat, turn_no, named), Code.SWAP_NOT_ALLOWED) for named in ((), (1,), (1, 2))
        ]
    return [
        (SwapCards(seat, turn_no, ()), Code.WRONG_SLOTS),
        (SwapCards(seat, turn_no, (99,)), Code.WRONG_SLOTS),
        (SwapCards(seat, turn_no, (0,)), Code.WRONG_SLOTS),
        (SwapCards(seat, turn_no, slots[:1] * 2), Code.WRONG_SLOTS),
        (SwapCards(seat, turn_no, (*slots, 99)), Code.WRONG_SLOTS),
        (SwapCards(seat + 1, turn_no, slots[:1]), Code.NOT_YOUR_TURN),
        (SwapCards(seat, turn_no + 1, slots[:1]), Code.STALE_TURN),
    ]


def _bad_discards(wait: WaitDiscard, hand: Hand) -> Bad:
    seat, turn_no, least, most, places = wait
    held = tuple([place.slot for place in places])
    bad: Bad = [
        (DiscardCards(other, turn_no, held[:least]), Code.NOT_YOUR_TURN)
        for other in (*[number for number, _ in hand.setup.seats], 99)
        if other != seat
    ]
    wrong = [(*held, 99), (99,), (0,), (held[0],) * 2]
    gone = [p.slot for p in hand.state.cards.given_up.get(seat, ())]
    wrong += [(slot,) for slot in gone[:1]]
    wrong += [held[: least - 1]] if least else []
    wrong += [held[: most + 1]] if most < len(held) else []
    bad += [(DiscardCards(seat, turn_no, slots), Code.WRONG_SLOTS) for slots in wrong]
    bad += [
        (DiscardCards(seat, turn_no - 1, held[:least]), Code.STALE_TURN),
        (DiscardCards(seat, turn_no + 1, held[:least]), Code.STALE_TURN),
        (SwapCards(seat, turn_no, (held[0],)), Code.UNEXPECTED_INPUT),
        (Reveal(()), Code.UNEXPECTED_INPUT),
        (_NO_RESULT, Code.UNEXPECTED_INPUT),
    ]
    return bad + [(Act(seat, turn_no, kind), Code.UNEXPECTED_INPUT) for kind in ActKind]


def _bad_facings(wait: WaitFacing, hand: Hand) -> Bad:
    seat, turn_no = wait.seat, wait.turn_no
    bad: Bad = [
        (ChooseFacing(other, turn_no, face_down=True), Code.NOT_YOUR_TURN)
        for other in (*[number for number, _ in hand.setup.seats], 99)
        if other != seat
    ]
    bad += [
        (ChooseFacing(seat, turn_no + more, face_down=True), Code.STALE_TURN) for more in (-1, 1)
    ]
    bad += [(Reveal(()), Code.UNEXPECTED_INPUT), (_NO_RESULT, Code.UNEXPECTED_INPUT)]
    return bad + [one for one in _not_now(hand) if not isinstance(one[0], ChooseFacing)]


def _bad_answers(wait: WaitSplit, hand: Hand) -> Bad:
    asked = set(wait.seats)
    others = [seat for seat, _ in hand.setup.seats if seat not in asked]
    bad: Bad = [(AnswerSplit(seat, agrees=True), Code.ACTION_NOT_ALLOWED) for seat in (*others, 99)]
    bad += [(Reveal(()), Code.UNEXPECTED_INPUT), (_NO_RESULT, Code.UNEXPECTED_INPUT)]
    return bad + [one for one in _not_now(hand) if one[0] not in _ANSWERS]


def _bad_cards(wait: WaitCards, hand: Hand) -> Bad:
    """Wrong places, foreign cards and cards seen before; the right cards are not known here."""
    faces = hand.state.cards.faces
    places = wait.places
    unseen = [card for card in DECKS[hand.setup.game.deck].cards if card not in faces.values()]
    right = list(zip(places, unseen, strict=False))
    wrong = [
        (),
        ((burn_place(99), unseen[0]),),
        ((places[0], unseen[0]), (places[0], unseen[1])),
        (*right, (seat_place(99, 1), unseen[-1])),
        tuple([(place, -1) for place, _ in right]),
        tuple([(place, 99) for place, _ in right]),
    ]
    if len(right) > 1:
        wrong.append(tuple([(place, unseen[0]) for place, _ in right]))
    seen = next(iter(faces.values()), None)
    if seen is not None:
        wrong.append(((places[0], seen), *right[1:]))
    bad: Bad = [(Reveal(cards), Code.WRONG_CARDS) for cards in wrong]
    return [*bad, (_NO_RESULT, Code.UNEXPECTED_INPUT), *_not_now(hand)]


def bad_results(wait: WaitShowdown, good: ShowdownResult, rng: Random) -> list[ShowdownResult]:
    """The right result of a showdown, made wrong in one thing each."""
    chip = wait.request.smallest_chip_minor
    bad = [ShowdownResult((), (), ()), good._replace(mucked=(*good.mucked, 99))]
    for first in good.awards[:1]:  # none, where all is raked
        rest = good.awards[1:]
        wrong = [
            first._replace(amount=first.amount + chip),
            first._replace(amount=first.amount - chip),
            first._replace(seat=99),
            first._replace(pot_no=99),
        ]
        bad += [good._replace(awards=(award, *rest)) for award in wrong]
        bad += [good._replace(awards=rest), good._replace(awards=(*good.awards, first))]
    if good.shown:
        shown = rng.choice(good.shown)
        others = tuple([hand for hand in good.shown if hand is not shown])
        bad += [good._replace(shown=others), good._replace(shown=(*good.shown, shown))]
        bad.append(good._replace(shown=(*others, shown._replace(cards=shown.cards[1:]))))
        if len(shown.cards) > 1:
            twice = ((shown.cards[0][0], shown.cards[-1][1]), *shown.cards[1:])
            bad.append(good._replace(shown=(*others, shown._replace(cards=twice))))
    return bad


def _bad_after_the_end(hand: Hand) -> Bad:
    inputs = [given for given, _ in _not_now(hand)]
    return [(given, Code.HAND_OVER) for given in (*inputs, Begin(), Void("late"), _NO_RESULT)]
