"""The camera process: watches the table, reads what settles on it, talks to the web process over its pipes."""
