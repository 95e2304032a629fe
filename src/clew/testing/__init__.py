"""For authors of strategies: contract checks and tiny webs to crawl."""
