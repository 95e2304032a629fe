"""One crawl by several processes, on one machine or many: each is a shard with its own folder, led by one lead."""
