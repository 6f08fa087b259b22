"""Measures the models on folders of labelled photos."""
