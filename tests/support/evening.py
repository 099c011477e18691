"""An evening at one table, purely in-process: players come and go, and the outside answers at once.

The outside is simulated here and nowhere else: decks are shuffled by the test's own generator,
faces are found by place, showdowns are resolved by the engine, the wallet says yes or no. Other
tests use it to play hands with a deck of their own (`deck_of`).
"""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import TypeVar

from floor_table.domain import (
    BeginHandIn,
    CardsIn,
    CommandIn,
    DeckEffect,
    DeckIn,
    OpenTableIn,
    OperateIn,
    Operation,
    Refusal,
    ReservationIn,
    ReserveEffect,
    RevealEffect,
    SeatKeyEffect,
    SeatKeyIn,
    ShowdownEffect,
    ShowdownIn,
    Table,
    TableInput,
    Timer,
    TimeUpIn,
    TookOverIn,
    decide,
    next_hand_at,
    next_timer,
    open_effects,
    replay,
)
from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.api.common.v1.money_pb2 import Amount, Currency, Stake
from pokerfloor.api.events.v1 import hand_events_pb2, table_events_pb2
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.internal.showdown.v1.resolution_pb2 import ResolveRequest, ResolveResponse
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.cards import DECKS, STANDARD, Card, to_wire
from pokerfloor.games import (
    Hand,
    Wait,
    WaitAction,
    WaitDiscard,
    WaitFacing,
    WaitSplit,
    resolve,
)
from pokerfloor.games import Refusal as HandRefusal
from pokerfloor.games.state import HandState
from pokerfloor.tablelog import always_show, from_place, from_resolve_request, to_resolve_response

EffectT = TypeVar("EffectT")

START_MS = 1_700_000_000_000


def minor(value: int) -> Amount:
    """Return money."""
    return Amount(minor=value)


def table_settings(
    *, seats: int = 6, small: int = 1, big: int = 2, between_hands_ms: int = 0
) -> settings_pb2.TableSettings:
    """Return settings of a plain no-limit hold'em table."""
    return settings_pb2.TableSettings(
        name="Main",
        room_id="main",
        stake=Stake(money=Currency(code="EUR", exponent=2)),
        seats=seats,
        game=settings_pb2.GameSettings(
            game="holdem", small_blind=minor(small), big_blind=minor(big)
        ),
        buy_in=settings_pb2.BuyInSettings(min_minor=20 * big, max_minor=200 * big),
        clock=settings_pb2.ClockSettings(between_hands_ms=between_hands_ms),
    )


def names(step: Step | Refusal) -> list[str]:
    """Return the names of a step's events, those of the hand by their own."""
    assert isinstance(step, Step), step
    return [
        (event.hand.WhichOneof("event") if event.HasField("hand") else event.WhichOneof("event"))
        or ""
        for event in step.events
    ]


def code(outcome: Step | Refusal) -> str:
    """Return the code of a refusal, without its prefix."""
    assert isinstance(outcome, Refusal), outcome
    return errors_pb2.ErrorCode.Name(outcome.code).removeprefix("ERROR_CODE_")


class Evening:
    """A table with its log, and an outside that answers what is due.

    `do` gives an input and stores the step; `settle` answers dues until the table waits for a
    player or for time. `watch` is called after each step with the step and the table after it.
    """

    def __init__(
        self,
        settings: settings_pb2.TableSettings,
        seed: int = 1,
        *,
        table_id: str = "t1",
        deck_of: Callable[[int], Sequence[Card]] | None = None,
        watch: Callable[[Step, Table, Table], None] | None = None,
    ) -> None:
        self.random = random.Random(seed)
        self.table = Table(table_id)
        self.steps: list[Step] = []
        self.now_ms = START_MS
        self.decks: dict[int, tuple[Card, ...]] = {}
        self.reshuffled: dict[tuple[int, int], tuple[Card, ...]] = {}
        self.wallet_says_no = 0.0
        self.keys_missing: set[str] = set()
        self.refused: Counter[str] = Counter()
        self._deck_of = deck_of
        self._watch = watch
        self._commands = 0
        opened = self.do(OpenTableIn("ops", "open", b"\0" * 32, settings, "one"))
        assert not isinstance(opened, Refusal), opened

    # --- one input

    def do(self, given: TableInput) -> Step | Refusal:
        """Return an input; store the step it becomes, or return why it was refused."""
        before = self.table
        outcome = decide(before, given, self.now_ms)
        if isinstance(outcome, Refusal):
            self.refused[errors_pb2.ErrorCode.Name(outcome.code)] += 1
            return outcome
        self.table = outcome.after
        # As it is read back from the log.
        stored = Step.FromString(outcome.step.SerializeToString(deterministic=True))
        self.steps.append(stored)
        if self._watch is not None:
            self._watch(stored, before, self.table)
        return stored

    def command(
        self, sender: str, command: table_pb2.TableCommand, *, late_ms: int = 0
    ) -> Step | Refusal:
        """Send a command as a player."""
        return self.do(self.command_in(sender, command, late_ms=late_ms))

    def command_in(
        self, sender: str, command: table_pb2.TableCommand, *, late_ms: int = 0
    ) -> CommandIn:
        """Return a command under an id of its own."""
        self._commands += 1
        content = command.SerializeToString(deterministic=True)
        return CommandIn(
            sender=sender,
            command_id=f"c{self._commands}",
            digest=sha256(content).digest(),
            command=command,
            arrived_at_ms=self.now_ms + late_ms,
            has_seal_key=True,
        )

    def operate(self, kind: Operation, *, reason: str = "", hand_no: int = 0) -> Step | Refusal:
        """Do what operations and supervisors may."""
        self._commands += 1
        digest = sha256(f"{kind}{reason}{hand_no}".encode()).digest()
        return self.do(OperateIn(kind, "boss", f"o{self._commands}", digest, reason, hand_no))

    # --- what players say

    def sit(
        self, player: str, seat: int = 0, buy_in: int = 200, *, post: bool = False
    ) -> Step | Refusal:
        """Sit down and let the wallet and the shuffler answer."""
        wanted = table_pb2.SitDownCommand(
            seat=seat, buy_in_minor=buy_in, display_name=player, post_to_enter=post
        )
        outcome = self.command(player, table_pb2.TableCommand(sit_down=wanted))
        self.settle(begin=False)
        return outcome

    def leave(self, player: str) -> Step | Refusal:
        return self.command(player, table_pb2.TableCommand(leave=table_pb2.LeaveCommand()))

    def sit_out(self, player: str) -> Step | Refusal:
        return self.command(player, table_pb2.TableCommand(sit_out=table_pb2.SitOutCommand()))

    def sit_in(self, player: str, *, post: bool = False) -> Step | Refusal:
        wanted = table_pb2.SitInCommand(post_to_enter=post)
        return self.command(player, table_pb2.TableCommand(sit_in=wanted))

    def top_up(self, player: str, amount: int) -> Step | Refusal:
        wanted = table_pb2.TopUpCommand(amount_minor=amount)
        return self.command(player, table_pb2.TableCommand(top_up=wanted))

    def act(self, kind: str, to: int = 0, *, late_ms: int = 0) -> Step | Refusal:
        """Act for whoever is to act: "fold", "check", "call", "bet", "raise", "all_in"."""
        wait = self.wait()
        assert wait is not None, "nobody is to act"
        code = hand_events_pb2.ActionKind.Value(f"ACTION_KIND_{kind.upper()}")
        wanted = table_pb2.ActCommand(
            hand_no=self.table.hand_no,
            turn_no=wait.turn_no,
            kind=code,
            to=minor(to) if to else None,
        )
        player = self.table.player_at(wait.seat)
        return self.command(player, table_pb2.TableCommand(act=wanted), late_ms=late_ms)

    def exchange(self, *slots: int, late_ms: int = 0) -> Step | Refusal:
        """Exchange own cards for whoever is to exchange; without slots, stand pat."""
        wait = self.exchanging()
        assert wait is not None, "nobody is to exchange"
        wanted = table_pb2.DiscardCommand(
            hand_no=self.table.hand_no, turn_no=wait.turn_no, slots=slots
        )
        player = self.table.player_at(wait.seat)
        return self.command(player, table_pb2.TableCommand(discard=wanted), late_ms=late_ms)

    def swap(self, *slots: int, late_ms: int = 0) -> Step | Refusal:
        """Swap own cards for whoever is to act."""
        wait = self.wait()
        assert wait is not None, "nobody is to act"
        wanted = table_pb2.SwapCommand(
            hand_no=self.table.hand_no, turn_no=wait.turn_no, slots=slots
        )
        player = self.table.player_at(wait.seat)
        return self.command(player, table_pb2.TableCommand(swap=wanted), late_ms=late_ms)

    def face(self, *, down: bool = False) -> Step | Refusal:
        """Say how the next card comes for whoever is asked."""
        wait = self.facing()
        assert wait is not None, "nobody is to say how a card comes"
        wanted = table_pb2.ChooseFacingCommand(
            hand_no=self.table.hand_no, turn_no=wait.turn_no, face_down=down
        )
        player = self.table.player_at(wait.seat)
        return self.command(player, table_pb2.TableCommand(choose_facing=wanted))

    def answer_split(self, player: str, *, agrees: bool) -> Step | Refusal:
        """Answer whether to split a pot."""
        wanted = table_pb2.AnswerSplitCommand(hand_no=self.table.hand_no, agrees=agrees)
        return self.command(player, table_pb2.TableCommand(answer_split=wanted))

    def betting_state(self) -> HandState:
        """Return the state of the betting hand in play."""
        hand = self.table.playing
        assert isinstance(hand, Hand), "no betting hand is played"
        return hand.state

    def facing(self) -> WaitFacing | None:
        """Return who is to say how the next card comes."""
        wait = self._waits_for()
        return wait if isinstance(wait, WaitFacing) else None

    def splitting(self) -> WaitSplit | None:
        """Return who is asked whether to split a pot."""
        wait = self._waits_for()
        return wait if isinstance(wait, WaitSplit) else None

    def _waits_for(self) -> Wait | None:
        hand = self.table.playing
        return hand.waits_for() if isinstance(hand, Hand) else None

    @property
    def asks_players(self) -> bool:
        """Whether the hand waits for what a player says."""
        return (
            isinstance(self._waits_for(), WaitAction | WaitDiscard | WaitFacing | WaitSplit)
            and not self.table.shuffling
        )

    def vote(self, player: str, *, agrees: bool = True) -> Step | Refusal:
        """Vote for a bomb pot."""
        wanted = table_pb2.VoteBombPotCommand(agrees=agrees)
        return self.command(player, table_pb2.TableCommand(vote_bomb_pot=wanted))

    def choose_game(self, game: str, *, player: str = "", late_ms: int = 0) -> Step | Refusal:
        """Choose the next game; without a name, as whoever chooses."""
        sender = player or self.table.player_at(self.table.mix.seat)
        wanted = table_pb2.ChooseGameCommand(game=game)
        return self.command(sender, table_pb2.TableCommand(choose_game=wanted), late_ms=late_ms)

    def exchanging(self) -> WaitDiscard | None:
        """Return whose exchange it is."""
        wait = self._waits_for()
        return wait if isinstance(wait, WaitDiscard) else None

    def wait(self) -> WaitAction | None:
        """Return whose turn it is and what may be done."""
        wait = self._waits_for()
        return wait if isinstance(wait, WaitAction) else None

    def fold_around(self) -> None:
        """Play the hand in play to its end by checks and folds."""
        while self.asks_players:
            wait = self.wait()
            if wait is not None:
                self.act("check" if wait.legal.can_check else "fold")
            elif self.exchanging() is not None:
                self.exchange()
            elif self.facing() is not None:
                self.face()
            else:
                self.pass_time(15_001)
            self.settle(begin=False)

    # --- the outside

    def settle(self, *, begin: bool = True) -> None:
        """Answer all that is due, until a player or the time has to move."""
        for _ in range(1_000):
            if not self._answer_one(begin=begin):
                return
        raise AssertionError("the table asks for ever")

    def _answer_one(self, *, begin: bool) -> bool:
        for due in open_effects(self.table):
            given = self.answer_to(due)
            if given is not None:
                self._must(given)
                return True
        begins_at_ms = next_hand_at(self.table)
        if begin and begins_at_ms is not None and begins_at_ms <= self.now_ms:
            self._must(BeginHandIn())
            return True
        return False

    def _must(self, given: TableInput) -> None:
        outcome = self.do(given)
        assert not isinstance(outcome, Refusal), (given, outcome)

    def answer_to(self, due: object) -> TableInput | None:
        """Return the outside's answer to something due, None when there is nothing to say."""
        if isinstance(due, ReserveEffect):
            held = self.random.random() >= self.wallet_says_no
            if held:
                return ReservationIn(due.reservation_id, held=True)
            poor = errors_pb2.ERROR_CODE_INSUFFICIENT_FUNDS
            return ReservationIn(due.reservation_id, held=False, reason="too poor", code=poor)
        if isinstance(due, SeatKeyEffect) and due.player_id not in self.keys_missing:
            return SeatKeyIn(
                due.seat,
                sha256(due.player_id.encode()).digest(),
                table_events_pb2.KEY_REASON_SEATED,
            )
        if isinstance(due, DeckEffect):
            return self._deck_in(due)
        if isinstance(due, RevealEffect):
            places = list(due.places)
            return CardsIn(due.deck_no, [self.opened(due.deck_no, place) for place in places])
        if isinstance(due, ShowdownEffect):
            return ShowdownIn(self.resolve(due.request))
        return None

    def _deck_in(self, due: DeckEffect) -> DeckIn:
        if not due.generation:
            root = sha256(f"root {due.deck_no}".encode()).digest()
            return DeckIn(due.deck_no, 0, root, len(self.deck(due.deck_no)))
        cards = [self.card_at(due.deck_no, place)[0] for place in due.reshuffled]
        self.random.shuffle(cards)
        self.reshuffled[due.deck_no, due.generation] = tuple(cards)
        root = sha256(f"root {due.deck_no}/{due.generation}".encode()).digest()
        return DeckIn(due.deck_no, due.generation, root, len(cards))

    def _whole_deck(self) -> Sequence[Card]:
        hand = self.table.playing
        return STANDARD.cards if hand is None else DECKS[hand.setup.game.deck].cards

    def deck(self, deck_no: int) -> tuple[Card, ...]:
        """Return the order of a deck, made when it is first asked for."""
        if deck_no not in self.decks:
            cards = list(self._deck_of(deck_no) if self._deck_of else self._whole_deck())
            if not self._deck_of:
                self.random.shuffle(cards)
            self.decks[deck_no] = tuple(cards)
        return self.decks[deck_no]

    def card_at(self, deck_no: int, place: cards_pb2.Place) -> tuple[Card, cards_pb2.DeckIndex]:
        """Return the card at a place and its position, as the shuffler reads it from the log."""
        if place.kind == cards_pb2.PLACE_KIND_GAME_DRAW:
            generation, index = 0, place.slot - 1
        elif place.kind == cards_pb2.PLACE_KIND_BUTTON_DRAW:
            assert self.table.draw is not None
            generation, index = 0, self.table.draw.seats.index(place.owner)
        else:
            assert self.table.hand is not None
            generation, index = self.table.hand.deck_index(from_place(place))
        order = self.reshuffled[deck_no, generation] if generation else self.deck(deck_no)
        return order[index], cards_pb2.DeckIndex(generation=generation, index=index)

    def opened(self, deck_no: int, place: cards_pb2.Place) -> cards_pb2.RevealedCard:
        """Return a face with a proof of the right shape."""
        card, position = self.card_at(deck_no, place)
        seed = f"{deck_no}/{position.generation}/{position.index}"
        return cards_pb2.RevealedCard(
            place=place,
            card=cards_pb2.Card(code=to_wire(card)),
            proof=cards_pb2.CardProof(
                deck_index=position,
                salt=sha256(f"salt {seed}".encode()).digest(),
                path=[sha256(f"{seed}/{level}".encode()).digest() for level in range(6)],
            ),
        )

    def resolve(self, request: ResolveRequest) -> ResolveResponse:
        """Resolve a showdown as the showdown service does."""
        asked = from_resolve_request(ResolveRequest.FromString(request.SerializeToString()))
        opened = {
            place: self.opened(request.deck.deck_no, message)
            for entry, wire in zip(asked.seats, request.seat_places, strict=True)
            for place, message in zip(entry.places, wire.places, strict=True)
        }
        faces = {place: one.card.code - 1 for place, one in opened.items()}
        result = resolve(asked, faces, always_show(request))
        assert not isinstance(result, HandRefusal), result
        return to_resolve_response(
            result, request, {place: one.proof for place, one in opened.items()}
        )

    # --- time

    def next_timer(self) -> Timer | None:
        """Return the clock that runs out next."""
        return next_timer(self.table)

    def effects(self, kind: type[EffectT]) -> list[EffectT]:
        """Return what has to be done outside of one kind."""
        return [effect for effect in open_effects(self.table) if isinstance(effect, kind)]

    def can_begin(self) -> bool:
        """Tell whether a hand, or the draw for one, can begin, now or soon."""
        return next_hand_at(self.table) is not None

    def seat_no(self, player: str) -> int:
        """Return the seat that a player has or has reserved, or 0."""
        seat = self.table.seat_of(player)
        return seat.seat if seat else 0

    def is_pending(self, seat: int) -> bool:
        """Tell whether a seat is reserved and the wallet has not answered."""
        held = self.table.seats.get(seat)
        return held is not None and held.pending

    def pass_time(self, ms: int) -> None:
        """Let time pass; every clock that runs out on the way is given in at its moment."""
        end = self.now_ms + ms
        while (timer := self.next_timer()) is not None and timer.at_ms <= end:
            self.now_ms = max(self.now_ms, timer.at_ms)
            self._must(TimeUpIn(timer.clock))
            self.settle(begin=False)
        self.now_ms = end

    def take_over(self, instance: str = "two") -> None:
        """Forget everything and fold the log again, as a new owner does."""
        self.table = replay(self.table.table_id, self.steps)
        self._must(TookOverIn(instance))
