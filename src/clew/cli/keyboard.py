"""Single keys from a terminal; from a pipe, the characters that stand in it."""

from __future__ import annotations

import sys
import termios
import tty

INTERRUPT = "\x03"
END = ""


def read_key() -> str:
    """Return the next key, in lower case; "" when nothing more can come."""
    if not sys.stdin.isatty():
        key = sys.stdin.read(1)
        # In a pipe, lines are easier to write than bare characters.
        return read_key() if key in "\r\n" and key else key.lower()
    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)
    try:
        tty.setcbreak(number)
        key = sys.stdin.read(1)
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)
    return END if key == INTERRUPT else key.lower()
