"""HTTP routes, one blueprint a noun; what they do is done by the house and its session."""
