"""The ONNX files and their cards. The code that makes them is in models/training (not installed)."""
