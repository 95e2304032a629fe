"""What all tests share."""

from hypothesis import settings

# A busy machine is no failure: tests do not assert times. The same examples each time, so that CI is no lottery.
settings.register_profile("clew", deadline=None, derandomize=True)
settings.load_profile("clew")
