"""Pure learners: Bayes, logistic regression, forests, rules, link analysis."""
