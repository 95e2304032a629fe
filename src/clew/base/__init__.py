"""What everything stands on: seeded chance, state without pickle, arithmetic in one thread."""
