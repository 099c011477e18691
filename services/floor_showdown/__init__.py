"""The showdown service: ranks hands and resolves pots. See README.md."""
