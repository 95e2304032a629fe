"""The parts of adaptive: what a link says, what experience says about that, and how much of it to believe."""
