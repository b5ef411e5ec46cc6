"""`python -m {{ cookiecutter.module }}` is the same command."""

import sys

from .cli import main

sys.exit(main())
