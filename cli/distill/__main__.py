"""`python -m distill`."""

from distill.main import run

run()
