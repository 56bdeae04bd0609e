"""The optional second pass: what a model is asked about a log, and what of its answer is believed."""
