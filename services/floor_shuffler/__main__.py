"""`python -m floor_shuffler`."""

from floor_shuffler.main import main
from floor_shuffler.settings import ShufflerSettings
from pokerfloor.servicekit import run

if __name__ == "__main__":
    run("shuffler", ShufflerSettings, main)
