"""Stubs generated from `protos/` by `make stubs`. Never edited, never committed."""
