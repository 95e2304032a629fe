"""labyrinth."""
