"""Code that several strategies share."""
