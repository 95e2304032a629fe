"""The crawl itself: the engine, everything that follows from its visits, and how it resumes."""
