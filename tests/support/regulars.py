"""Players who do what players do, at random: the random evening of the property tests."""

from floor_table.domain import Operation
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.api.table.v1 import table_pb2
from tests.support.evening import Evening


class Regulars:
    """Players who do what players do, at random: the random evening of the property tests."""

    def __init__(self, evening: Evening, players: int) -> None:
        self.evening = evening
        self.random = evening.random
        self.names = [f"player{number}" for number in range(1, players + 1)]

    def evening_of(self, moves: int) -> None:
        """Make so many moves; then let the hand end."""
        for _ in range(moves):
            self.move()
        self.finish()

    def finish(self) -> None:
        """Play what is in play to its end, without beginning anything new."""
        evening = self.evening
        evening.settle(begin=False)
        for _ in range(500):
            state = evening.table
            if state.playing is None and state.draw is None and not state.choosing:
                return
            if state.mix.seat:
                self._choose_game()
            elif evening.asks_players:
                self.act()
            evening.settle(begin=False)
        raise AssertionError("a hand that does not end")

    def move(self) -> None:
        """One thing that may happen at a table."""
        evening, dice = self.evening, self.random
        if dice.random() < 0.9:
            evening.settle()
        roll = dice.random()
        if evening.table.mix.seat and roll < 0.7:
            self._choose_game()
        elif evening.asks_players and roll < 0.82:
            self.act()
        elif roll < 0.9:
            self.change_seats(dice.choice(self.names))
        elif roll < 0.96:
            evening.pass_time(dice.choice((5, 500, 5_000, 20_001, 31_000, 60_000)))
        elif roll < 0.98:
            evening.take_over(f"owner{evening.table.owner_epoch + 1}")
        elif roll < 0.99 and evening.table.hand_no:
            evening.operate(Operation.VOID, reason="fouled deck", hand_no=evening.table.hand_no)
        else:
            kind = Operation.RESUME if evening.table.paused else Operation.PAUSE
            evening.operate(kind, reason="a break")

    def act(self) -> None:
        """Act for the seat in turn: mostly legal, now and then not."""
        evening, dice = self.evening, self.random
        wait = evening.wait()
        if wait is None:
            self._choose()
            return
        legal, roll = wait.legal, dice.random()
        if legal.swap_slots and dice.random() < 0.2:
            evening.swap(*dice.sample(legal.swap_slots, dice.randint(1, 2)))
        elif roll < 0.02:
            evening.act("raise", dice.randrange(1, 500))
        elif roll < 0.04 and legal.all_in_as is not None:
            evening.act("all_in")
        elif roll < 0.25 and (legal.bet_max or legal.raise_max):
            low, high = (
                (legal.bet_min, legal.bet_max)
                if legal.bet_max
                else (legal.raise_min, legal.raise_max)
            )
            to = min(high, low * dice.choice((1, 1, 2, 3)))
            evening.act("bet" if legal.bet_max else "raise", to)
        elif roll < 0.45:
            evening.act("check" if legal.can_check else "fold")
        elif legal.can_check:
            evening.act("check")
        else:
            evening.act("call" if legal.call_by else "fold")

    def _choose_game(self) -> None:
        """Choose a game, or let the time run out."""
        evening, dice = self.evening, self.random
        if dice.random() < 0.8:
            evening.choose_game(dice.choice(evening.table.rules.games))
        else:
            evening.pass_time(7_001)

    def _choose(self) -> None:
        """Choose what is to be chosen besides betting."""
        evening, dice = self.evening, self.random
        split = evening.splitting()
        if evening.exchanging() is not None:
            self._exchange()
        elif evening.facing() is not None:
            evening.face(down=dice.random() < 0.4)
        elif split is not None:
            player = evening.table.player_at(dice.choice(split.seats))
            evening.answer_split(player, agrees=dice.random() < 0.7)

    def _exchange(self) -> None:
        """Exchange as many cards as it comes, now and then more than is allowed."""
        evening, dice = self.evening, self.random
        wait = evening.exchanging()
        assert wait is not None
        slots = [place.slot for place in wait.places]
        count = dice.randint(wait.min_discards, len(slots))
        given = evening.exchange(*dice.sample(slots, count))
        assert isinstance(given, Step) == (count <= wait.max_discards), (wait, given)

    def change_seats(self, player: str) -> None:
        """Sit down, leave, sit out or in, top up, as it comes."""
        evening, dice = self.evening, self.random
        number = evening.seat_no(player)
        if not number:
            rules = evening.table.rules
            buy_in = dice.choice((rules.least_buy_in, rules.most_buy_in, rules.least_buy_in * 2))
            if dice.random() < 0.8:  # mostly as much as the rat-hole rule wants
                buy_in = max([buy_in, *self._left_with(player)])
            seat = dice.randrange(0, rules.seats + 2)
            evening.sit(player, seat, buy_in, post=dice.random() < 0.5)
            return
        roll = dice.random()
        bombs = evening.table.rules.bomb_mode
        if bombs == settings_pb2.BOMB_POT_MODE_WHEN_ALL_AGREE and dice.random() < 0.6:
            evening.vote(player, agrees=dice.random() < 0.9)
        elif roll < 0.2:
            evening.leave(player)
        elif roll < 0.4:
            evening.sit_out(player)
        elif roll < 0.75:
            evening.sit_in(player, post=dice.random() < 0.5)
        elif roll < 0.9:
            evening.top_up(player, dice.choice((20, 40, 100)))
        else:
            wanted = table_pb2.PreferencesCommand(
                always_show=dice.random() < 0.5, auto_top_up_minor=dice.choice((0, 0, 100))
            )
            evening.command(player, table_pb2.TableCommand(preferences=wanted))

    def _left_with(self, player: str) -> list[int]:
        departed = self.evening.table.departed
        return [gone.left_with for gone in departed if gone.player_id == player]
