"""What preferences between two prove."""
