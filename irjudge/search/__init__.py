"""A collection's postings, rankers on them, and the learner that says what to judge next."""
