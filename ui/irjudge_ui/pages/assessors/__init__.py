"""Many assessors: work handed out, agreement, adjudication, quality."""
