"""Messages to statements: sentences, list items and table rows, with noise set aside."""
