"""`python -m services.shuffler`."""

from libs.floorkit import run
from services.shuffler.main import main
from services.shuffler.settings import ShufflerSettings

if __name__ == "__main__":
    run("shuffler", ShufflerSettings, main)
