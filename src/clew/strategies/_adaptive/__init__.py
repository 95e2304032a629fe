"""The parts of the adaptive strategy: link features, counts of past outcomes, and the models that weigh them."""
