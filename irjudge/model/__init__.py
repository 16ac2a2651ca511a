"""What the field talks about, as frozen data: topics, documents, scales, qrels, runs, pools and judgments."""
