"""A hand driven by a few words, for the tests of pokerfloor.games."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

from pokerfloor.cards import DECKS, Card, parse_cards
from pokerfloor.games import (
    GAMES,
    HOLDEM,
    NOTHING_CARRIED,
    Act,
    ActKind,
    AnswerSplit,
    Carried,
    ChooseFacing,
    DiscardCards,
    Event,
    ForcedBet,
    ForcedKind,
    GameRow,
    Hand,
    HandSettings,
    HandSetup,
    Input,
    LegalSet,
    Over,
    Place,
    Refusal,
    Resolved,
    Reveal,
    SeatStack,
    SplitTimeUp,
    Structure,
    SwapCards,
    WaitAction,
    WaitCards,
    WaitDiscard,
    WaitFacing,
    WaitShowdown,
    WaitSplit,
    board_place,
    community_place,
    resolve,
    seat_place,
)

WORDS = {
    "f": ActKind.FOLD,
    "k": ActKind.CHECK,
    "c": ActKind.CALL,
    "b": ActKind.BET,
    "r": ActKind.RAISE,
    "a": ActKind.ALL_IN,
}


def blinds(small: int, big: int, seats: int) -> tuple[ForcedBet, ...]:
    """Blinds with the button on the last seat (heads-up the button posts the small blind)."""
    small_seat, big_seat = (2, 1) if seats == 2 else (1, 2)
    return (
        ForcedBet(small_seat, ForcedKind.SMALL_BLIND, small),
        ForcedBet(big_seat, ForcedKind.BIG_BLIND, big),
    )


def antes(amount: int, seats: int, kind: ForcedKind = ForcedKind.ANTE) -> tuple[ForcedBet, ...]:
    return tuple(ForcedBet(seat, kind, amount) for seat in range(1, seats + 1))


def table(
    *stacks: int,
    small: int = 1,
    big: int = 2,
    forced: tuple[ForcedBet, ...] | None = None,
    extra: tuple[ForcedBet, ...] = (),
    button: int | None = None,
    carried: Carried = NOTHING_CARRIED,
    structure: Structure = Structure.NO_LIMIT,
    game: GameRow = HOLDEM,
    **settings: object,
) -> HandSetup:
    """Seats 1, 2, … with these stacks, the button on the last one."""
    base = HandSettings(smallest_chip_minor=1, min_bet_minor=big)
    return HandSetup(
        hand_no=1,
        game=game,
        structure=structure,
        settings=replace(base, **settings),  # type: ignore[arg-type]  # fields by name
        seats=tuple(SeatStack(seat, stack) for seat, stack in enumerate(stacks, 1)),
        button=len(stacks) if button is None else button,
        forced=(blinds(small, big, len(stacks)) if forced is None else forced) + extra,
        carried=carried,
    )


E = TypeVar("E")


def refused(hand: Hand, given: Input) -> Refusal:
    """Return a hand what must be refused, which must change nothing."""
    before = hand.digest()
    refusal = hand.execute(given)
    assert isinstance(refusal, Refusal), (given, refusal)
    assert hand.digest() == before
    return refusal


def done(hand: Hand, given: Input) -> tuple[Event, ...]:
    """Return a hand what must be accepted."""
    events = hand.execute(given)
    assert not isinstance(events, Refusal), (given, events)
    return events


def due(hand: Hand) -> tuple[Place, ...]:
    """The places that a hand waits for, or that its winner chose to show."""
    wait = hand.waits_for()
    assert isinstance(wait, WaitCards | Over), wait
    return wait.places if isinstance(wait, WaitCards) else wait.pending


class Scenario:
    """Plays a hand; cards due are revealed by themselves, showdowns are resolved."""

    def __init__(
        self,
        setup: HandSetup,
        hole: dict[int, str] | None = None,
        board: str | tuple[str, ...] = "",
        always_show: Iterable[int] = (),
        *,
        turning: bool = True,
        resolving: bool = True,
    ) -> None:
        self.turning = turning
        self.resolving = resolving
        self.faces = faces(setup, hole or {}, (board,) if isinstance(board, str) else board)
        self.always_show = frozenset(always_show)
        self.hand, begun = Hand.begin(setup)
        self.events: list[Event] = list(begun)
        self.advance()

    @property
    def turn(self) -> WaitAction:
        wait = self.hand.waits_for()
        assert isinstance(wait, WaitAction), wait
        return wait

    @property
    def seat(self) -> int:
        return self.turn.seat

    @property
    def legal(self) -> LegalSet:
        return self.turn.legal

    @property
    def over(self) -> Over:
        wait = self.hand.waits_for()
        assert isinstance(wait, Over), wait
        return wait

    @property
    def stacks(self) -> list[int]:
        return self.hand.state.stacks

    def act(self, kind: ActKind, amount_to: int = 0) -> Refusal | None:
        """Let the seat in turn act; a refusal is returned and must have changed nothing."""
        before = self.hand.digest()
        events = self.hand.execute(Act(self.turn.seat, self.turn.turn_no, kind, amount_to))
        if isinstance(events, Refusal):
            assert self.hand.digest() == before
            return events
        self.events += events
        self.advance()
        return None

    def play(self, words: str) -> "Scenario":
        """Play actions such as `f k c b10 r30 a`, each by the seat in turn; all must be legal.

        `s12` swaps the cards at slots 1 and 2, `x35` discards those at 3 and 5, `x` none. `u` and
        `d` take the next card up or down. `y3` and `n3` are seat 3's answer to a split, `t` is the
        end of the time to answer.
        """
        for word in words.split():
            if word[0] in "sx":
                self.change(word[0], tuple([int(slot) for slot in word[1:]]))
                continue
            if word[0] in "ud":
                self.give(ChooseFacing(self.facing.seat, self.facing.turn_no, word == "d"))
                continue
            if word[0] in "ynt":
                given = AnswerSplit(int(word[1:]), word[0] == "y") if word != "t" else SplitTimeUp()
                self.give(given)
                continue
            refusal = self.act(WORDS[word[0]], int(word[1:] or 0))
            assert refusal is None, (word, refusal)
        return self

    def change(self, letter: str, slots: tuple[int, ...]) -> None:
        """Swap or discard cards by the seat in turn."""
        wait = self.hand.waits_for()
        assert isinstance(wait, WaitAction | WaitDiscard), wait
        kind = SwapCards if letter == "s" else DiscardCards
        self.events += done(self.hand, kind(wait.seat, wait.turn_no, slots))
        self.advance()

    def give(self, given: Input) -> None:
        """Give the hand what must be accepted."""
        self.events += done(self.hand, given)
        self.advance()

    @property
    def facing(self) -> WaitFacing:
        wait = self.hand.waits_for()
        assert isinstance(wait, WaitFacing), wait
        return wait

    @property
    def split(self) -> WaitSplit:
        wait = self.hand.waits_for()
        assert isinstance(wait, WaitSplit), wait
        return wait

    @property
    def discard(self) -> WaitDiscard:
        wait = self.hand.waits_for()
        assert isinstance(wait, WaitDiscard), wait
        return wait

    def advance(self) -> None:
        while True:
            wait = self.hand.waits_for()
            if isinstance(wait, WaitCards) and self.turning:
                events = self.hand.execute(Reveal(tuple((p, self.faces[p]) for p in wait.places)))
            elif isinstance(wait, WaitShowdown) and self.resolving:
                result = resolve(wait.request, self.faces, self.always_show)
                assert not isinstance(result, Refusal), result
                events = self.hand.execute(Resolved(result))
            else:
                return
            assert not isinstance(events, Refusal), events
            self.events += events

    def refused(self, kind: ActKind, amount_to: int = 0) -> Refusal:
        """Let the seat in turn try what must be refused."""
        refusal = self.act(kind, amount_to)
        assert refusal is not None, (kind, amount_to)
        return refusal

    def of(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    def last(self, kind: type[E]) -> E:
        return self.of(kind)[-1]

    def awards(self) -> list[tuple[int, int, int]]:
        """(pot, seat, amount) in the order of payment."""
        return [(a.pot_no, a.seat, a.amount) for a in self.over.result.awards]


def stud(
    *stacks: int,
    hole: dict[int, str] | None = None,
    name: str = "stud7",
    ante: int = 1,
    **settings: Any,
) -> "Scenario":
    """A table of small bet 10 and big bet 20, the button on the last seat."""
    setup = table(
        *stacks,
        game=GAMES[name],
        structure=Structure.FIXED_LIMIT,
        forced=antes(ante, len(stacks)),
        big=10,
        **{"big_bet_minor": 20, **settings},
    )
    return Scenario(setup, hole)


def faces(setup: HandSetup, hole: dict[int, str], boards: tuple[str, ...]) -> dict[Place, Card]:
    """Faces for every place of a hand: those named, and any other cards for the rest.

    In a game with community cards, those are the board.
    """
    game = setup.game
    middle = game.community_cards()
    named = {
        **{seat_place(seat, k): card for seat, t in hole.items() for k, card in _slots(t)},
        **{
            community_place(k) if middle else board_place(n, k): card
            for n, text in enumerate(boards)
            for k, card in _slots(text)
        },
    }
    dealt = game.hole_cards_dealt(len(game.streets) - 1)
    seats = [seat for seat, _ in setup.seats]
    places = [community_place(k + 1) for k in range(middle or game.community_last)]
    places += [seat_place(seat, k + 1) for k in range(dealt) for seat in seats]
    for number in range(game.boards):
        places += [board_place(number, k + 1) for k in range(game.board_cards())]
    # The replacements of swapped and discarded cards.
    places += [seat_place(seat, k + 1) for k in range(dealt, 3 * dealt) for seat in seats]
    rest = [card for card in DECKS[game.deck].cards if card not in named.values()]
    others = [place for place in places if place not in named]
    return {**dict(zip(others, rest, strict=False)), **named}


def _slots(text: str) -> list[tuple[int, Card]]:
    return list(enumerate(parse_cards(text), 1))
