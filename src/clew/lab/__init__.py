"""Worlds that stand still, the oracle, metrics and comparisons; checks for strategies."""
