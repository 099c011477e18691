"""Work in forks of this process, a few at once."""

import os
import pickle
import select
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, NoReturn, TypeVar

Task = TypeVar("Task")
Answer = Callable[[Any], NoReturn]


def in_forks(
    tasks: Iterable[Task], do: Callable[[Task, Answer], NoReturn], children: int
) -> Iterator[tuple[Task, Any]]:
    """Yield each task with what its fork answered, as they end; None of a fork that was killed.

    `do` runs in the fork, which ends with its answer. Tasks are taken when there is room.
    """
    waiting = iter(tasks)
    running: dict[int, tuple[int, Task]] = {}  # by the pipe that the answer comes from
    while True:
        for task in islice(waiting, children - len(running)):
            reading, writing = os.pipe()
            pid = os.fork()
            if not pid:
                os.close(reading)
                _work(task, do, writing)
            os.close(writing)
            running[reading] = pid, task
        if not running:
            return
        for pipe in select.select(list(running), [], [])[0]:
            pid, task = running.pop(pipe)
            with os.fdopen(pipe, "rb") as answered:
                answer = answered.read()
            _, status = os.waitpid(pid, 0)
            code = os.waitstatus_to_exitcode(status)
            if code > 0:
                raise SystemExit(f"trying {task} ended with {code}")
            yield task, pickle.loads(answer) if answer else None  # noqa: S301  from our own fork


def _work(task: Task, do: Callable[[Task, Answer], NoReturn], writing: int) -> NoReturn:
    def answer(value: Any) -> NoReturn:
        with os.fdopen(writing, "wb") as pipe:
            pickle.dump(value, pipe)
        os._exit(0)

    try:
        do(task, answer)
    finally:
        os._exit(1)
