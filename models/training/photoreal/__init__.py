"""Photoreal tables: planned here with exact truth, rendered by Blender's Cycles in an environment of its own."""
