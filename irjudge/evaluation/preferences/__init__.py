"""What preferences say: who agrees with whom, and which system or document is better."""
