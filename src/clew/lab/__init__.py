"""The laboratory: worlds for simulated crawls, the oracle, metrics, experiments and reports."""
