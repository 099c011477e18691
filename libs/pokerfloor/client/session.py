"""A table, attached: commands go in, and a mirror of the table is kept up to date."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from types import TracebackType
from typing import Self

from pokerfloor.api.common.v1 import money_pb2
from pokerfloor.api.events.v1 import hand_events_pb2 as events
from pokerfloor.api.table.v1 import table_pb2, table_pb2_grpc
from pokerfloor.client.errors import CommandRefused, NoAnswer, SessionOver
from pokerfloor.client.keys import PlayerKeys
from pokerfloor.client.link import TableLink
from pokerfloor.client.mirror import TableMirror
from pokerfloor.client.mirror_deck import DeckMirror, PlaceKey
from pokerfloor.client.mirror_hand import place_key
from pokerfloor.client.mirror_state import TopUpStage, amount_of
from pokerfloor.client.placement import Placement
from pokerfloor.client.proofs import CardChecker
from pokerfloor.client.turn import ActionKind, Legal, SlotRange, Turn
from pokerfloor.refusal import Refusal

OnStep = Callable[[table_pb2.StepView], None]

_ANSWER_MS = 15_000
_SEAT_MS = 30_000
_LEAVE_MS = 120_000
# Own cards come a moment after the step that dealt them; a turn is not held back for longer.
_OWN_CARDS_MS = 3_000
_MAX_EARLY_BOXES = 16


class TableSession:
    """A player's or spectator's line to one table. Made by `FloorClient.table`.

    `mirror` is what is known of the table; it changes only between two awaits. Everything raises
    what ended the session, if something did: ProofFailed, CommandRefused, ConnectionLost, or
    SessionOver after `close`.
    """

    def __init__(
        self,
        stub: table_pb2_grpc.TableServiceAsyncStub,
        attach: table_pb2.AttachCommand,
        *,
        player_id: str,
        keys: PlayerKeys | None,
        give_up_after_ms: int,
        on_step: OnStep | None,
    ) -> None:
        self._checker = CardChecker(attach.table_id, keys)
        self.mirror = TableMirror(attach.table_id, player_id, self._checker.check_opened)
        self._on_step = on_step
        self._early_boxes: deque[table_pb2.HoleCards] = deque(maxlen=_MAX_EARLY_BOXES)
        self._changed = asyncio.Event()
        self._link = TableLink(
            stub,
            attach,
            take=self._take,
            resume_after=lambda: self.mirror.view_no,
            give_up_after_ms=give_up_after_ms,
        )
        self._running = asyncio.create_task(self._link.run(), name=f"table {attach.table_id}")
        self._running.add_done_callback(self._ended)

    @property
    def cards_checked(self) -> int:
        """How many cards were proved against a committed root so far."""
        return self._checker.checked

    @property
    def connections(self) -> int:
        """How often the stream was opened: 1, and one more for each time it was lost."""
        return self._link.connections

    @property
    def over(self) -> bool:
        """Whether the session has ended, for whatever reason."""
        return self._running.done()

    def raise_if_over(self) -> None:
        """Raise what ended the session, if something did."""
        if not self.over:
            return
        if self._running.cancelled():
            raise SessionOver("the session is closed")
        failure = self._running.exception()
        assert failure is not None, "a link ends with a reason only"
        raise failure

    async def close(self) -> None:
        """Detach. The seat stays; use `leave` to give it up."""
        self._running.cancel()
        await asyncio.wait({self._running})

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        await self.close()

    async def wait_for(
        self, condition: Callable[[TableMirror], bool], timeout_ms: int | None
    ) -> None:
        """Wait until the mirror fulfils a condition; raises NoAnswer when the time is over."""
        try:
            async with asyncio.timeout(None if timeout_ms is None else timeout_ms / 1000):
                while not condition(self.mirror):
                    self.raise_if_over()
                    changed = self._changed
                    await changed.wait()
        except TimeoutError:
            raise NoAnswer("what was waited for did not happen in time") from None

    async def command(
        self, command: table_pb2.TableCommand, timeout_ms: int = _ANSWER_MS
    ) -> table_pb2.CommandResult:
        """Send any command. It gets an id unless it has one; a repeat is answered once.

        Raises CommandRefused when the table refuses it, NoAnswer when the time is over.
        """
        self.raise_if_over()
        return await self._link.command(command, timeout_ms)

    async def sit_down(
        self,
        buy_in_minor: int,
        seat: int = 0,
        *,
        name: str = "",
        post_to_enter: bool = False,
        timeout_ms: int = _SEAT_MS,
    ) -> int:
        """Take a seat (0: any) and give its number when the wallet has paid the buy-in (TBL-2).

        Raises CommandRefused with the table's code, or with the wallet's when it does not pay
        (INSUFFICIENT_FUNDS, UNKNOWN_ACCOUNT, RESERVATION_GONE).
        """
        sit_down = table_pb2.SitDownCommand(
            seat=seat,
            buy_in_minor=buy_in_minor,
            display_name=name or self.mirror.player_id[:32],
            post_to_enter=post_to_enter,
        )
        answer = await self.command(table_pb2.TableCommand(sit_down=sit_down), timeout_ms)

        def answered(mirror: TableMirror) -> bool:
            known = mirror.view_no >= answer.table_seq
            return known and (bool(mirror.own_seat) or mirror.refused_buy_in is not None)

        await self.wait_for(answered, timeout_ms)
        refused = self.mirror.refused_buy_in
        if not self.mirror.own_seat and refused is not None:
            raise _command_refused(refused, "sit_down.buy_in_minor")
        return self.mirror.own_seat

    async def leave(self, *, play_on: bool = False, timeout_ms: int = _LEAVE_MS) -> None:
        """Leave; the stack goes back to the wallet when the hand is over (TBL-4).

        Returns when the seat is free, checking or folding what is left of the hand. With `play_on`
        it returns when the table has taken it in, and the hand is the caller's to finish.
        """
        await self.command(table_pb2.TableCommand(leave=table_pb2.LeaveCommand()))
        if play_on:
            return
        try:
            async with asyncio.timeout(timeout_ms / 1000):
                async for turn in self.turns():
                    # A turn that is over meanwhile needs no answer.
                    with contextlib.suppress(CommandRefused):
                        await turn.check_or_fold()
        except TimeoutError:
            raise NoAnswer("the seat was not free in time") from None

    async def sit_out(self) -> None:
        """Sit out from the next hand on."""
        await self.command(table_pb2.TableCommand(sit_out=table_pb2.SitOutCommand()))

    async def sit_in(self, *, post_to_enter: bool = False) -> None:
        """Come back (TBL-16)."""
        sit_in = table_pb2.SitInCommand(post_to_enter=post_to_enter)
        await self.command(table_pb2.TableCommand(sit_in=sit_in))

    async def top_up(self, amount_minor: int, timeout_ms: int = _SEAT_MS) -> bool:
        """Ask for more chips (TBL-3). Tells whether they lie in the stack already.

        False during a hand: the wallet holds them, and they arrive when the hand is over (the
        mirror's `top_up` says when). Raises CommandRefused with the table's code, or with the
        wallet's when it does not pay; NoAnswer when it is not known what became of it.
        """
        top_up = table_pb2.TopUpCommand(amount_minor=amount_minor)
        answer = await self.command(table_pb2.TableCommand(top_up=top_up), timeout_ms)

        def answered(mirror: TableMirror) -> bool:
            waits = mirror.top_up is not None and mirror.top_up.stage is TopUpStage.ASKED
            return mirror.view_no >= answer.table_seq and not waits

        await self.wait_for(answered, timeout_ms)
        became = self.mirror.top_up
        if became is None:
            raise NoAnswer("a new snapshot came meanwhile; the stack says what became of it")
        if became.refused is not None:
            raise _command_refused(became.refused, "top_up.amount_minor")
        return became.stage is TopUpStage.ADDED

    async def act(
        self, hand_no: int, turn_no: int, kind: ActionKind, to: int | None = None
    ) -> table_pb2.CommandResult:
        """Act in a turn; `to` is the total in front of the seat, for bets and raises only."""
        act = table_pb2.ActCommand(hand_no=hand_no, turn_no=turn_no, kind=kind)
        if to is not None:
            act.to.CopyFrom(self._amount(to))
        return await self.command(table_pb2.TableCommand(act=act))

    async def discard(
        self, hand_no: int, turn_no: int, slots: Iterable[int]
    ) -> table_pb2.CommandResult:
        """Discard hole cards by slot and draw as many; none is to stand pat (DRW-4)."""
        wanted = table_pb2.DiscardCommand(hand_no=hand_no, turn_no=turn_no, slots=slots)
        return await self.command(table_pb2.TableCommand(discard=wanted))

    async def swap(self, hand_no: int, turn_no: int, slots: Iterable[int]) -> Turn:
        """Swap hole cards by slot before acting (SWP-1); gives the same turn with the new cards.

        Raises NoAnswer when the turn is over before the cards are here, and when the table is away
        for so long that the swap is not seen, which is stored all the same.
        """
        wanted = table_pb2.SwapCommand(hand_no=hand_no, turn_no=turn_no, slots=slots)
        answer = await self.command(table_pb2.TableCommand(swap=wanted))
        await self.wait_for(lambda m: m.view_no >= answer.table_seq, _ANSWER_MS)
        with contextlib.suppress(NoAnswer):
            await self.wait_for(lambda m: m.own_cards_complete, _OWN_CARDS_MS)
        yours = self.mirror.your_turn
        if yours is None or (yours.hand_no, yours.turn_no) != (hand_no, turn_no):
            raise NoAnswer("the turn was over before the new cards were here")
        return self._turn()

    async def choose_facing(
        self, hand_no: int, turn_no: int, *, face_down: bool
    ) -> table_pb2.CommandResult:
        """Say whether the next own card comes down (MAT-3)."""
        wanted = table_pb2.ChooseFacingCommand(
            hand_no=hand_no, turn_no=turn_no, face_down=face_down
        )
        return await self.command(table_pb2.TableCommand(choose_facing=wanted))

    async def answer_split(self, hand_no: int, *, agrees: bool) -> table_pb2.CommandResult:
        """Say whether to split a pot that nobody qualified for (MAT-6)."""
        wanted = table_pb2.AnswerSplitCommand(hand_no=hand_no, agrees=agrees)
        return await self.command(table_pb2.TableCommand(answer_split=wanted))

    async def confirm_placement(
        self, hand_no: int, turn_no: int, placements: Iterable[events.SlotPlacement]
    ) -> table_pb2.CommandResult:
        """Lay the cards of a turn out for good; every one of them is named (OFC-4, SCP-1)."""
        wanted = table_pb2.ConfirmPlacementCommand(
            hand_no=hand_no, turn_no=turn_no, placements=placements
        )
        return await self.command(table_pb2.TableCommand(confirm_placement=wanted))

    async def move_placement(
        self, hand_no: int, turn_no: int, placement: events.SlotPlacement
    ) -> table_pb2.CommandResult:
        """Move a card in the open, not for good (OFC-3)."""
        wanted = table_pb2.MovePlacementCommand(
            hand_no=hand_no, turn_no=turn_no, placement=placement
        )
        return await self.command(table_pb2.TableCommand(move_placement=wanted))

    async def say_ready(self, *, ready: bool = True) -> None:
        """Say to be ready for the first hand, or not any more (TBL-6)."""
        wanted = table_pb2.ReadyCommand(ready=ready)
        await self.command(table_pb2.TableCommand(ready=wanted))

    async def vote_bomb_pot(self, *, agrees: bool) -> None:
        """Agree to a bomb pot, or take that back (BMB-2)."""
        wanted = table_pb2.VoteBombPotCommand(agrees=agrees)
        await self.command(table_pb2.TableCommand(vote_bomb_pot=wanted))

    async def choose_game(self, game: str) -> None:
        """Choose the next game, by its name in `mirror.game_choice` (MIX-3)."""
        wanted = table_pb2.ChooseGameCommand(game=game)
        await self.command(table_pb2.TableCommand(choose_game=wanted))

    async def turns(self, hands: int = 0) -> AsyncIterator[Turn]:
        """Yield every own turn, until `hands` own hands are over (0: no end) or the seat is lost.

        A turn that nothing was sent for is the clock's to decide (CLK-2).
        """
        last_hand = self.mirror.own_hands_finished + hands if hands else None
        answered = (0, 0)
        while True:
            turn = await self._next_turn(answered, last_hand)
            if turn is None:
                return
            answered = (turn.hand_no, turn.turn_no)
            yield turn

    async def _next_turn(self, answered: tuple[int, int], last_hand: int | None) -> Turn | None:
        def over(mirror: TableMirror) -> bool:
            finished = last_hand is not None and mirror.own_hands_finished >= last_hand
            return finished or not mirror.own_seat

        def asked(mirror: TableMirror) -> bool:
            yours = mirror.your_turn
            return yours is not None and (yours.hand_no, yours.turn_no) != answered

        while True:
            await self.wait_for(lambda m: asked(m) or over(m), None)
            if not asked(self.mirror):
                return None
            with contextlib.suppress(NoAnswer):
                await self.wait_for(lambda m: m.own_cards_complete or not asked(m), _OWN_CARDS_MS)
            if asked(self.mirror):
                return self._turn()

    def _turn(self) -> Turn:
        mirror, hand = self.mirror, self.mirror.hand
        yours = mirror.your_turn
        assert yours is not None, "a turn is asked for"
        assert hand is not None, "a turn belongs to a hand"
        opponents = sum(not s.folded for s in hand.seats.values() if s.seat != mirror.own_seat)
        return Turn(
            hand_no=yours.hand_no,
            turn_no=yours.turn_no,
            seat=yours.seat,
            game=hand.game,
            street_name=hand.street_name,
            deadline_ms=yours.deadline_ms,
            bank_ms=yours.bank_ms,
            hole_cards=mirror.hole_cards,
            own_slots=mirror.own_slots,
            boards=tuple(hand.board(number) for number in range(max(1, hand.boards))),
            community_cards=hand.community_cards(),
            pot=mirror.pot,
            stack=mirror.own_stack,
            opponents=opponents,
            legal=Legal.of(yours.legal, amount_of(hand.game.smallest_chip) or 1),
            discard=SlotRange.of(yours.discard) if yours.HasField("discard") else None,
            swap=SlotRange.of(yours.swap) if yours.HasField("swap") else None,
            choices=frozenset(yours.choices),
            placement=(
                Placement.of(yours.placement, hand, yours.seat)
                if yours.HasField("placement")
                else None
            ),
            _table=self,
        )

    def _amount(self, number: int) -> money_pb2.Amount:
        """Return an amount of the kind this table plays for."""
        kind = self.mirror.settings.stake.WhichOneof("kind")
        if kind == "tournament":
            return money_pb2.Amount(tournament_chips=number)
        if kind == "points":
            return money_pb2.Amount(points=number)
        return money_pb2.Amount(minor=number)

    def _take(self, update: table_pb2.TableUpdate) -> None:
        kind = update.WhichOneof("update")
        if kind == "snapshot":
            self.mirror.take_snapshot(update.snapshot)
        elif kind == "step":
            if self.mirror.take_step(update.step) and self._on_step is not None:
                self._on_step(update.step)
        elif kind == "hole_cards":
            self._early_boxes.append(update.hole_cards)
        self._open_boxes()
        self._pulse()

    def _open_boxes(self) -> None:
        """Open the boxes of the deck in use; those of a deck still to come are kept."""
        deck = self.mirror.deck
        if deck is None or not self._early_boxes or not deck.roots:
            return
        kept: list[table_pb2.HoleCards] = []
        for own in self._early_boxes:
            if own.deck_no > deck.deck_no:
                kept.append(own)
                continue
            if own.deck_no < deck.deck_no:
                continue
            if not all(_is_checkable(deck, place_key(box.place)) for box in own.boxes):
                kept.append(own)  # the step that deals or commits to them is still to come
                continue
            for box in own.boxes:
                card = self._checker.unseal_own(deck, box)
                if card is not None:
                    self.mirror.learn_own(own.hand_no, place_key(box.place), card)
        self._early_boxes = deque(kept, maxlen=_MAX_EARLY_BOXES)

    def _ended(self, running: asyncio.Task[None]) -> None:
        if not running.cancelled():
            running.exception()  # kept for whoever asks next, so it is not lost
        self._pulse()

    def _pulse(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()


def _is_checkable(deck: DeckMirror, place: PlaceKey) -> bool:
    """Tell whether it is known where a place's card lies, and the root of that generation."""
    position = deck.positions.get(place)
    return position is not None and position[0] in deck.roots


def _command_refused(refused: Refusal, field: str) -> CommandRefused:
    return CommandRefused(refused.code, refused.reason, field)
