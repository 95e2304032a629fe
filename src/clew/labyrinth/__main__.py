"""python -m clew.labyrinth: serve a synthetic web."""

from __future__ import annotations

from clew.labyrinth.process import main

if __name__ == "__main__":
    main()
