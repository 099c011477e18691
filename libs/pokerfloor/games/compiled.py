"""Whether the rules run compiled or as plain Python. Behaviour is the same."""

from typing import Final

from pokerfloor.games import state

#: True if this process runs the modules that `make compiled` compiled.
COMPILED: Final = not state.__file__.endswith(".py")
