"""What `tablesight doctor` looks at: each check returns findings in plain words and changes nothing."""
