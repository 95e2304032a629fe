"""The service over crawl folders: plain data, the REST interface, server-sent events and MCP."""
