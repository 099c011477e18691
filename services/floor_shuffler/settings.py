"""The shuffler's settings: where it lives and which keys its records are under. No deck."""

from pathlib import Path
from typing import Final

from pokerfloor.servicekit import ServiceSettings

STORE_FILE: Final = "decks.sqlite"
LOCK_FILE: Final = "shuffler.lock"
_KEY_FILE: Final = "record.key"


class ShufflerSettings(ServiceSettings):
    """`record_key_file` encrypts new records; records under retired keys stay readable.

    record_key_file: 32 bytes, mode 0600 or, mounted as a secret, 0440; unset is `record.key` in
        the state folder, which is made at the first start
    retired_record_key_files: keys that were in use before, as a JSON list of paths
    """

    record_key_file: Path | None = None
    retired_record_key_files: tuple[Path, ...] = ()

    def key_path(self) -> Path:
        """Return the path of the key that new records are encrypted with."""
        return self.record_key_file or self.state_path(_KEY_FILE)
