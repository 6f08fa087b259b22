"""A table drawn with numpy and OpenCV: the camera when none is attached, and ground truth for tests and training."""
