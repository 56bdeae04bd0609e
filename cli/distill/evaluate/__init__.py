"""Labels in, states in, figures out: how well a distilled state tells what people marked in the log."""
