"""The commands, a file each. Only these and `companion.cli` print."""
