"""The referee: pure rules of four table games (standard library only, no I/O, no clock, no randomness)."""
