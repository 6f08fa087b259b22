"""Outermost layer and composition root: session, store, HTTP, command line."""
