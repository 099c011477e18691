"""A real PostgreSQL for tests: one server for a test process, an empty ledger for each store.

The server never runs as root. What commits is on the disk, as in earnest. The ledger's roles have
passwords and no more rights than in a casino. A ledger's database is emptied and given out again
once its test is over, for making one takes longer than most tests; not so one whose schema or
rights the test has changed, as tests of tampering do.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

import asyncpg

from floor_wallet.store.postgres.connection import Address
from floor_wallet.store.postgres.schema import migrate
from tests.support.needed import need, postgres_folder
from tests.support.ports import free_port

_T = TypeVar("_T")

_STARTS: Final = 3
# What becomes the server: it ends when this process ends, however that ends, and is not root.
# Python must not run in a fork of a process with threads, so all this is done after the exec.
_LAUNCHER: Final = """
import ctypes, os, signal, sys
user = int(sys.argv[1])
if user:
    os.setgroups([])
    os.setuid(user)
set_parent_death_signal = 1
ctypes.CDLL(None, use_errno=True).prctl(set_parent_death_signal, int(signal.SIGQUIT))
os.execv(sys.argv[2], sys.argv[2:])
"""
_START_S: Final = 30.0
_STOP_S: Final = 10.0
_PREFIX: Final = "floor-pg-"
_OLD_S: Final = 60.0
_MEMORY_BYTES: Final = 2 * 1024**3
_PASSWORD: Final = "test-only"  # between this process and its own server
_TEMPLATE: Final = "ledger_template"
OWNER: Final = "floor_owner"
SERVICE: Final = "floor_service"
#: A service's role that has to log in by SCRAM, as most servers want it.
SCRAM_SERVICE: Final = "floor_scram_service"
# Whatever changes a ledger's schema or its rights is noted in its database, whoever does it.
_WATCH: Final = """
    CREATE SCHEMA of_tests;
    CREATE TABLE of_tests.altered (command text NOT NULL);
    CREATE FUNCTION of_tests.note() RETURNS event_trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
        INSERT INTO of_tests.altered VALUES (tg_tag);
    END $$;
    CREATE EVENT TRIGGER altered ON ddl_command_end EXECUTE FUNCTION of_tests.note();
    ALTER EVENT TRIGGER altered ENABLE ALWAYS;
    TRUNCATE of_tests.altered;
"""
_ALTERED: Final = "SELECT EXISTS (SELECT FROM of_tests.altered)"
# Empties a ledger, as only a superuser can: the triggers that forbid it do not fire.
_EMPTY: Final = """
    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
        WHERE datname = '{database}' AND pid <> pg_backend_pid();
    SET session_replication_role = replica;
    TRUNCATE floor_wallet.ledger, floor_wallet.currencies, floor_wallet.accounts,
        floor_wallet.entries, floor_wallet.postings, floor_wallet.requests,
        floor_wallet.reservations, floor_wallet.tables, floor_wallet.hands, floor_wallet.outbox,
        floor_wallet.reversals_asked;
    INSERT INTO floor_wallet.ledger (one, ledger_id) VALUES (1, 'book');
"""


class Database(NamedTuple):
    """A database, as the ledger's service and its owner reach it."""

    name: str
    ledger_url: str
    owner_url: str
    # As the server's superuser, for what no role of the ledger may do.
    admin_url: str


class PostgresServer:
    """A server in a folder of its own, on one port, that ends with this process."""

    def __init__(self, under: Path | None = None) -> None:
        """Make an empty server `under` a folder that every user may enter, or in memory."""
        self._binaries = _binaries()
        self._user = _unprivileged_user()
        # Not under pytest's folder: that is closed to the user that the server runs as.
        self._folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=under or _quick_folder()))
        # Held until this process ends, however that ends.
        self._lock = (self._folder / "lock").open("w")
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        _sweep(self._folder.parent)
        self._data = self._folder / "data"
        self._log = self._folder / "log"
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self._numbers = count(1)
        # Databases with a ledger: those of the test that runs, and those that it may have.
        self._taken: list[Database] = []
        self._free: list[Database] = []
        if self._user is not None:
            shutil.chown(self._folder, self._user)
        self._init()

    def start(self) -> None:
        assert self._process is None, "the server runs"
        settings = {
            "port": self.port,
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": self._folder,
            "shared_buffers": "32MB",
            "max_connections": 60,
            # Checkpoints of many small databases would be most of the work.
            "max_wal_size": "4GB",
            "checkpoint_timeout": "1h",
            "autovacuum": "off",
            "recovery_init_sync_method": "syncfs",
        }
        options = [f"-c{name}={value}" for name, value in settings.items()]
        # The port may be held for a moment by what the last server leaves behind.
        for _ in range(_STARTS):
            self._launch(options)
            if self._comes_up():
                return
        raise AssertionError(f"postgres ended: {self._log.read_text()}")

    def _launch(self, options: Sequence[str]) -> None:
        launcher = (sys.executable, "-I", "-c", _LAUNCHER, str(self._user or 0))
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [*launcher, self._binaries / "postgres", "-D", self._data, *options],
                stdout=log,
                stderr=log,
            )

    def _comes_up(self) -> bool:
        """Wait until the server answers; tells whether it does, or has ended."""
        assert self._process is not None, "the server was launched"
        deadline = time.monotonic() + _START_S
        while not self._answers():
            if self._process.poll() is not None:
                return False
            assert time.monotonic() < deadline, f"postgres is not up: {self._log.read_text()}"
            time.sleep(0.02)
        return True

    def kill9(self) -> None:
        """End the server and all of its processes at once, as when the machine loses power."""
        self._end(signal.SIGQUIT)

    def stop(self) -> None:
        """End the server as `pg_ctl stop -m fast` does."""
        self._end(signal.SIGINT)

    def remove(self) -> None:
        self._end(signal.SIGQUIT)
        shutil.rmtree(self._folder, ignore_errors=True)
        self._lock.close()

    def url(self, user: str, database: str) -> str:
        return f"postgresql://{user}:{_PASSWORD}@127.0.0.1:{self.port}/{database}"

    def new_database(self) -> Database:
        """An empty ledger of the id "book", until the test is over."""
        database = self._used_before()
        if database is None:
            database = self._named(f"ledger_{next(self._numbers)}")
            self.sql(f"CREATE DATABASE {database.name} TEMPLATE {_TEMPLATE} OWNER {OWNER}")
        self._taken.append(database)
        return database

    def _used_before(self) -> Database | None:
        """A ledger of an earlier test, emptied: one whose schema is still the template's."""
        while self._free:
            database = self._free.pop()
            if _apart(partial(_emptied, database)):
                return database
        return None

    def bare_database(self) -> Database:
        """A database in which there is no ledger yet."""
        database = self._named(f"bare_{next(self._numbers)}")
        self.sql(f"CREATE DATABASE {database.name} TEMPLATE template0 OWNER {OWNER}")
        return database

    def set_for_all(self, setting: str, value: str) -> None:
        """Change a setting of the server while it runs; "DEFAULT" as it was."""
        self.sql(f"ALTER SYSTEM SET {setting} = {value}")
        self.sql("SELECT pg_reload_conf()")

    def ended_test(self) -> None:
        """Take the ledgers of a test back."""
        self._free += self._taken
        self._taken = []

    def sql(self, statement: str, database: str = "postgres") -> None:
        """Carry out a statement as the superuser, outside of any event loop."""
        _apart(lambda: _execute(self.url("postgres", database), statement))

    def make_template(self) -> None:
        """Make roles, and an empty ledger to copy from."""
        self.sql(f"CREATE ROLE {OWNER} LOGIN PASSWORD '{_PASSWORD}'")
        self.sql(f"CREATE ROLE {SERVICE} LOGIN PASSWORD '{_PASSWORD}'")
        self.sql(f"CREATE ROLE {SCRAM_SERVICE} LOGIN PASSWORD '{_PASSWORD}'")
        self.sql(f"CREATE DATABASE {_TEMPLATE} TEMPLATE template0 OWNER {OWNER}")
        owner = Address.of(self.url(OWNER, _TEMPLATE), "the owner's URL")
        _apart(lambda: migrate(owner, SERVICE, "book"))
        self.sql(_WATCH, _TEMPLATE)

    def _named(self, name: str) -> Database:
        return Database(name, *(self.url(user, name) for user in (SERVICE, OWNER, "postgres")))

    def _init(self) -> None:
        password = self._folder / "password"
        password.write_text(_PASSWORD)
        if self._user is not None:
            shutil.chown(password, self._user)
        subprocess.run(
            [
                self._binaries / "initdb",
                f"--pgdata={self._data}",
                "--username=postgres",
                # Over the loopback, for all but one: asyncpg's SCRAM takes longer than a test.
                "--auth=password",
                f"--pwfile={password}",
                "--encoding=UTF8",
                "--locale=C.UTF-8",
                "--no-sync",
                "--no-instructions",
            ],
            check=True,
            capture_output=True,
            user=self._user,
            extra_groups=[] if self._user else None,
            timeout=_START_S,
        )
        password.unlink()
        access = self._data / "pg_hba.conf"
        by_scram = f"host all {SCRAM_SERVICE} 127.0.0.1/32 scram-sha-256\n"
        access.write_text(by_scram + access.read_text())

    def _answers(self) -> bool:
        try:
            self.sql("SELECT 1")
        except (OSError, asyncpg.PostgresError):
            return False
        return True

    def _end(self, number: signal.Signals) -> None:
        if self._process is None:
            return
        self._process.send_signal(number)
        try:
            self._process.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(_STOP_S)
        self._process = None


_servers: list[PostgresServer] = []


def postgres_server() -> PostgresServer:
    """The server of this test process; skips the test when there are no binaries."""
    if not _servers:
        server = PostgresServer()
        _servers.append(server)
        server.start()
        server.make_template()
    return _servers[0]


def ended_test() -> None:
    """Take back the ledgers that the test was given."""
    for server in _servers:
        server.ended_test()


def end() -> None:
    """End the server, if there is one."""
    while _servers:
        _servers.pop().remove()


def new_database() -> Database:
    """A database with an empty ledger; skips the test when PostgreSQL is not installed."""
    return postgres_server().new_database()


def _binaries() -> Path:
    """The folder of the server's programs; skips the test without them."""
    need("postgres")
    found = postgres_folder()
    assert found is not None
    return found


def _sweep(parent: Path) -> None:
    """Remove what test processes that were killed have left there."""
    for folder in parent.glob(f"{_PREFIX}*"):
        try:
            if time.time() - folder.stat().st_mtime < _OLD_S:
                continue
            with (folder / "lock").open("a") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue  # in use, or another's


def _quick_folder() -> Path | None:
    """Memory, where there is enough: a process that is killed loses nothing that it wrote there."""
    memory = Path("/dev/shm")
    if memory.is_dir() and shutil.disk_usage(memory).free > _MEMORY_BYTES:
        return memory
    return None


def _unprivileged_user() -> int | None:
    """Who the server runs as: None is the user of this process."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name).pw_uid
        except KeyError:
            continue
    raise AssertionError("root needs a user to run PostgreSQL as")


def _apart(work: Callable[[], Coroutine[None, None, _T]]) -> _T:
    """Run a coroutine in a thread, for the test may have an event loop of its own."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(work())).result()


async def _execute(url: str, statement: str) -> None:
    connection = await asyncpg.connect(url, timeout=_START_S)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


async def _emptied(database: Database) -> bool:
    """Empty a ledger for the next test; tells whether it is as good as a new one then."""
    connection = await asyncpg.connect(database.admin_url, timeout=_START_S)
    try:
        if await connection.fetchval(_ALTERED):
            return False
        await connection.execute(_EMPTY.format(database=database.name))
        return True
    finally:
        await connection.close()
