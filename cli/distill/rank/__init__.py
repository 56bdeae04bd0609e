"""State and budget to what is shown: kept, left out, counted."""
