"""interests."""
