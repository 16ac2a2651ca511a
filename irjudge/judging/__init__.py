"""Sessions, queues, undo and redo: the only code that appends events."""
