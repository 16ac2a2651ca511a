"""Documents that no run brought: what learning, a search or a draw finds while somebody judges."""
