"""Pixels to dice: camera sources, detection, reading. Knows dice, knows no game."""
