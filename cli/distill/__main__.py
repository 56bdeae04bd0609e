"""`python -m distill`."""

from distill.main import main

main()
