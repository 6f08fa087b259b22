"""One module per `tablesight` command: `add_arguments(parser)` and `run(args) -> exit status`."""
