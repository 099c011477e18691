"""Follows the tables' log into the book, and lets reservations expire."""

from floor_wallet.follower.expiry import Expiry
from floor_wallet.follower.follower import Follower

__all__ = ["Expiry", "Follower"]
