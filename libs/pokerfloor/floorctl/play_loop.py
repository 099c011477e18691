"""A person at a table: lines come in, lines go out, and the client plays what they mean."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.client import CommandRefused, NoAnswer, TableSession, Turn
from pokerfloor.floorctl.play_chips import Chips
from pokerfloor.floorctl.play_events import TableNames, event_lines
from pokerfloor.floorctl.play_input import (
    HELP,
    Action,
    AnswerSplit,
    BetTo,
    ChooseFacing,
    Discard,
    MoveCard,
    PlaceCards,
    PlayInput,
    Problem,
    Request,
    Swap,
    is_yes,
    parse_line,
)
from pokerfloor.floorctl.play_screen import table_heading, table_lines, time_left, turn_lines
from pokerfloor.rpc import now_ms

_REMIND_MS = 5_000
_TOP_UP_LATER = "they arrive when the hand is over"


class AtTable:
    """What a person sees and does.

    `say` writes a line, `lines` gives what is typed, and None at its end. Give `on_step` to the
    session that is then given to `play`.
    """

    def __init__(self, say: Callable[[str], None], lines: asyncio.Queue[str | None]) -> None:
        self._say = say
        self._lines = lines
        self._session: TableSession | None = None
        self._turn: Turn | None = None
        self._reminded = False
        self._clock_ahead_ms: int | None = None
        self._names: dict[int, str] = {}

    def on_step(self, step: table_pb2.StepView) -> None:
        """Print what happened, after the mirror has applied the step."""
        ahead_ms = step.at_ms - now_ms()
        self._clock_ahead_ms = max(ahead_ms, self._clock_ahead_ms or ahead_ms)
        if self._session is None:
            return
        names = self._table_names()
        for event in step.events:
            for line in event_lines(event, names):
                self._say(line)
            if event.hand.WhichOneof("event") in ("hand_ended", "hand_voided"):
                self._say(f"  cards proved so far: {self._session.cards_checked}")

    async def play(self, session: TableSession, hands: int = 0) -> None:
        """Play until `hands` own hands are over (0: no end), the lines end, or somebody leaves.

        The seat is kept; raises what ended the session, if something did.
        """
        self._session = session
        self._table_names()
        self._say(table_heading(session.mirror.settings))
        for line in table_lines(session.mirror):
            self._say(line)
        self._say("? is help")
        if session.mirror.asks_ready:
            self._say("everybody is asked to be ready: ready")
        turns = asyncio.create_task(self._follow_turns(session, hands))
        reading = asyncio.create_task(self._lines.get())
        try:
            while True:
                await asyncio.wait(
                    {turns, reading},
                    timeout=self._until_reminder_s(),
                    return_when="FIRST_COMPLETED",
                )
                if turns.done():
                    turns.result()
                    return
                if not reading.done():
                    self._remind()
                    continue
                typed = reading.result()
                if typed is None or not await self._take(session, typed):
                    return
                reading = asyncio.create_task(self._lines.get())
        finally:
            for task in (turns, reading):
                task.cancel()
            await asyncio.wait({turns, reading})

    async def _follow_turns(self, session: TableSession, hands: int) -> None:
        async for turn in session.turns(hands):
            self._show_turn(session, turn)

    def _show_turn(self, session: TableSession, turn: Turn) -> None:
        self._turn, self._reminded = turn, False
        for line in turn_lines(turn, session.mirror, self._now_ms()):
            self._say(line)

    def _open_turn(self, session: TableSession) -> Turn | None:
        """Return the turn that was shown, while it is open."""
        turn, yours = self._turn, session.mirror.your_turn
        if turn is None or yours is None:
            return None
        return turn if (yours.hand_no, yours.turn_no) == (turn.hand_no, turn.turn_no) else None

    # --- what is typed

    async def _take(self, session: TableSession, line: str) -> bool:
        """Do what a line asks for; return whether to go on."""
        turn = self._open_turn(session)
        given = parse_line(line, turn, Chips.of_hand(session.mirror.settings))
        try:
            if isinstance(given, Problem):
                if given.reason:
                    self._say(given.reason)
            elif isinstance(given, Request):
                return await self._answer_request(session, given)
            else:
                assert turn is not None, "parse_line gives nothing else without a turn"
                await self._act(session, given, turn)
        except CommandRefused as refused:
            self._say(f"refused: {refused.reason}")
        except NoAnswer as no_answer:
            self._say(f"no answer: {no_answer}")
        return True

    async def _act(self, session: TableSession, given: PlayInput, turn: Turn) -> None:
        match given:
            case Action():
                await getattr(turn, given.what)()
            case BetTo():
                await getattr(turn, f"{given.what}_to")(given.to)
            case Discard():
                await turn.discard_cards(given.slots)
            case Swap():
                self._show_turn(session, await turn.swap_cards(given.slots))
            case ChooseFacing():
                await turn.choose_facing(face_down=given.face_down)
            case AnswerSplit():
                await turn.answer_split(agrees=given.agrees)
            case PlaceCards():
                await turn.lay_out(given.rows)
            case MoveCard():
                await turn.move(given.slot, given.row)
                self._say(f"  card {given.slot} lies in {given.row or 'no row'}, not for good")

    async def _answer_request(self, session: TableSession, said: Request) -> bool:
        if said.what == "leave":
            return False
        if said.what == "help":
            self._say(HELP)
        elif said.what == "table":
            for line in [table_heading(session.mirror.settings), *table_lines(session.mirror)]:
                self._say(line)
        else:
            await self._send(session, said)
        return True

    async def _send(self, session: TableSession, said: Request) -> None:
        """Send what is said to the table outside of a turn."""
        words = said.words
        match said.what:
            case "sit_out":
                await session.sit_out()
            case "sit_in":
                await session.sit_in(post_to_enter=words == ("post",))
            case "ready" | "unready":
                await session.say_ready(ready=said.what == "ready")
            case "vote":
                await session.vote_bomb_pot(agrees=is_yes(words[0]))
            case "top_up":
                await self._top_up(session, words[0])
            case "show":
                await self._show(session, words)
            case "game":
                chosen = table_pb2.ChooseGameCommand(game=words[0])
                await session.command(table_pb2.TableCommand(choose_game=chosen))

    async def _top_up(self, session: TableSession, word: str) -> None:
        amount = Chips.of_wallet(session.mirror.settings).read(word)
        if not amount:
            self._say(f"{word!r} is no amount")
        elif not await session.top_up(amount):
            self._say(_TOP_UP_LATER)

    async def _show(self, session: TableSession, words: tuple[str, ...]) -> None:
        last = session.mirror.last_hand
        if last is None:
            self._say("no hand is over")
            return
        wanted = table_pb2.ShowCardsCommand(hand_no=last.hand_no, slots=[int(w) for w in words])
        await session.command(table_pb2.TableCommand(show_cards=wanted))

    # --- time and names

    def _now_ms(self) -> int:
        """Return the floor's clock, as far as it is known."""
        return now_ms() + (self._clock_ahead_ms or 0)

    def _until_reminder_s(self) -> float | None:
        turn = None if self._session is None else self._open_turn(self._session)
        if turn is None or self._reminded:
            return 1.0
        ends_ms = turn.deadline_ms + turn.bank_ms
        return max(0.0, (ends_ms - _REMIND_MS - self._now_ms()) / 1000)

    def _remind(self) -> None:
        turn = None if self._session is None else self._open_turn(self._session)
        if turn is None or self._reminded:
            return
        ends_ms = turn.deadline_ms + turn.bank_ms
        if ends_ms - self._now_ms() <= _REMIND_MS:
            self._reminded = True
            self._say(f"  {time_left(turn, self._now_ms())} left")

    def _table_names(self) -> TableNames:
        assert self._session is not None, "nothing is printed before the table is there"
        mirror = self._session.mirror
        settings = mirror.settings

        # A step that ends a hand may also let somebody go: the name is still the one before.
        for number, seat in mirror.seats.items():
            if seat.name:
                you = " (you)" if number == mirror.own_seat else ""
                self._names[number] = f"{seat.name}{you}"

        def name(seat: int) -> str:
            return self._names.get(seat, f"seat {seat}")

        return TableNames(name, Chips.of_hand(settings), Chips.of_wallet(settings))


async def leave_table(session: TableSession, say: Callable[[str], None]) -> None:
    """Give the seat up, checking or folding what is left of the hand."""
    if not session.mirror.own_seat:
        return
    say("leaving when the hand is over")
    with contextlib.suppress(CommandRefused):
        await session.leave()
