"""The one error of this package."""


class LogError(ValueError):
    """A stored message that cannot be what it claims to be.

    `reason` is a sentence for people, `field` the path of the field at fault, or "".
    """

    def __init__(self, reason: str, field: str = "") -> None:
        super().__init__(f"{reason} ({field})" if field else reason)
        self.reason = reason
        self.field = field
