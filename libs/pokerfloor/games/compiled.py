"""Whether the rules run compiled, or as they are written; the rules are the same."""

from typing import Final

from pokerfloor.games import state

#: This process runs the modules that `make compiled` has compiled.
COMPILED: Final = not state.__file__.endswith(".py")
