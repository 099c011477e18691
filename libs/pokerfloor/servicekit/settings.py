"""Settings that every service has, from the environment and a TOML file."""

from __future__ import annotations

import json
import os
import socket
import sys
from pathlib import Path
from typing import Any, Literal, Self, TypeVar

from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from pokerfloor.rpc import (
    CannotStart,
    TlsFiles,
    TokenSource,
    file_token,
)
from pokerfloor.servicekit.listen import parse_listen

CONFIG_VARIABLE = "FLOOR_CONFIG"
_PREFIX = "FLOOR_"


class ServiceSettings(BaseSettings):
    """The settings of every service: `FLOOR_<FIELD>` in the environment, or the file's own keys.

    The environment wins over the file named by `FLOOR_CONFIG`.
    """

    model_config = SettingsConfigDict(env_prefix=_PREFIX, extra="forbid", frozen=True)

    instance: str = Field(default_factory=socket.gethostname, pattern=r"^[A-Za-z0-9._-]{1,64}$")
    grpc_listen: str = "127.0.0.1:0"
    metrics_listen: str = "127.0.0.1:0"
    nats_url: str = "nats://127.0.0.1:4222"
    nats_wait_ms: int = Field(default=10_000, ge=0, le=600_000)
    state_dir: Path = Path(".floor")
    key_set: Path
    token_file: Path | None = None
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    drain_budget_ms: int = Field(default=10_000, ge=100, le=600_000)
    max_message_bytes: int = Field(default=256 * 1024, ge=1024, le=64 * 1024 * 1024)
    max_concurrent_calls: int = Field(default=256, ge=1, le=100_000)
    max_concurrent_streams: int = Field(default=1024, ge=1, le=100_000)
    tls_certificate: Path | None = None
    tls_private_key: Path | None = None
    tls_authority: Path | None = None

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Order: arguments, environment, the TOML file. No .env, no secrets folder."""
        del dotenv_settings, file_secret_settings
        config = os.environ.get(CONFIG_VARIABLE)
        if not config:
            return init_settings, env_settings
        toml = TomlConfigSettingsSource(settings_cls, toml_file=Path(config))
        return init_settings, env_settings, toml

    @field_validator("grpc_listen", "metrics_listen")
    @classmethod
    def _listen_is_host_and_port(cls, value: str) -> str:
        parse_listen(value)
        return value

    @model_validator(mode="after")
    def _tls_whole_or_not_at_all(self) -> Self:
        given = [self.tls_certificate, self.tls_private_key, self.tls_authority]
        if any(given) and not all(given):
            raise ValueError(
                "tls_certificate, tls_private_key and tls_authority are set together or not at all"
            )
        return self

    @classmethod
    def read(cls) -> Self:
        """Read environment and file; `load_settings` also says what is wrong in one line."""
        values: dict[str, Any] = {}
        return cls(**values)  # what is required comes from the sources, which mypy cannot know

    @property
    def tls(self) -> TlsFiles | None:
        """The TLS files, or None when TLS is off."""
        if not (self.tls_certificate and self.tls_private_key and self.tls_authority):
            return None
        return TlsFiles(self.tls_certificate, self.tls_private_key, self.tls_authority)

    def state_path(self, name: str) -> Path:
        """Return the path of the service's own file `name`, making its folder."""
        try:
            self.state_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise CannotStart(
                f"state_dir {self.state_dir} cannot be made: {error.strerror}"
            ) from error
        return self.state_dir / name

    def token_source(self) -> TokenSource:
        """Return the service's own token, read again when its file changes."""
        if self.token_file is None:
            raise CannotStart("token_file is not set, and this service calls others")
        return file_token(self.token_file)


S = TypeVar("S", bound=ServiceSettings)


def load_settings(settings_class: type[S]) -> S:
    """Read the settings, or print one JSON line that says what is wrong and exit with 2."""
    config = os.environ.get(CONFIG_VARIABLE)
    if config and not Path(config).is_file():
        raise _refused(f"{CONFIG_VARIABLE} names {config}, which is no file")
    try:
        return settings_class.read()
    except ValidationError as error:
        reason = "; ".join(_sentence(item["loc"], item["msg"]) for item in error.errors()[:5])
    except (SettingsError, ValueError, OSError) as error:  # a TOML error is a ValueError
        reason = " ".join(str(error).split())
    raise _refused(reason)


def _refused(reason: str) -> SystemExit:
    line = {"event": "cannot_start", "level": "error", "reason": f"bad settings: {reason}"}
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()
    return SystemExit(2)


def _sentence(location: tuple[int | str, ...], message: str) -> str:
    field = ".".join(str(part) for part in location)
    if not field:
        return message.removeprefix("Value error, ")
    name = field if field.startswith(_PREFIX) else f"{_PREFIX}{field.upper()}"
    return f"{name}: {message.removeprefix('Value error, ')}"
