"""Learning algorithms without state of a crawl: Bayes, logistic regression, forests, rules, link analysis."""
