"""What everything else is built on: seeded chance, saving state without pickle, single-threaded arithmetic."""
