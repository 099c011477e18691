"""Follows the tables' log into the book, and lets reservations expire."""

from services.wallet.follower.expiry import Expiry
from services.wallet.follower.follower import Follower

__all__ = ["Expiry", "Follower"]
