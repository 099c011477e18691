"""Run a command that dies with the process that started it, however that one ends.

`python tether.py <parent's pid> <command> ...`: asks the kernel (Linux, prctl(2)
PR_SET_PDEATHSIG) to kill this process when its parent is gone, then becomes the command, which
keeps that wish. Without it a launcher that is killed with SIGKILL would leave a floor behind.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Tie this process to its parent, then become the command."""
    parent, command = int(sys.argv[1]), sys.argv[2:]
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG) failed")
    if os.getppid() != parent:  # it died before the wish was heard
        raise SystemExit(1)
    os.execv(command[0], command)  # noqa: S606 - becoming the command is what this is for


if __name__ == "__main__":
    main()
