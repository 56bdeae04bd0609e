"""One file a command: opens files, calls the corridor, writes the answer. Imported when called."""
