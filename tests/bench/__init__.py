"""What is fast, measured: plain scripts, `python -m tests.bench.NAME`. No test times anything."""
