"""Teach my dice: what a table's own dice look like, told by its people, and how that helps later readings."""
