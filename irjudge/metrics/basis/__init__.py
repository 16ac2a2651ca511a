"""What measures share: judged rankings, gains, bounds and workings."""
