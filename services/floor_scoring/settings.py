"""Settings of the scoring service."""

from pokerfloor.servicekit import ServiceSettings


class ScoringSettings(ServiceSettings):
    """Nothing beyond what every service is told: scores depend on the request alone."""
