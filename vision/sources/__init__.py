"""Where pictures come from: one module per kind of camera, all behind `tablesight.vision.frame.FrameSource`."""
