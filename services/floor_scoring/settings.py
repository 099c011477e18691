"""Settings of the scoring service."""

from pokerfloor.servicekit import ServiceSettings


class ScoringSettings(ServiceSettings):
    """Nothing beyond the settings of every service: scores depend on the request alone."""
