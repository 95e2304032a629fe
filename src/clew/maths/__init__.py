"""Pure calculations: text, online learners, graphs, rules."""
