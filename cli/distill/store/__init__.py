"""What lasts between runs: files written whole or not at all, and the upgrades of old states."""
