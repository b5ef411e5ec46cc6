"""`python -m {{ cookiecutter.module }}` is the same command."""

import sys

from {{ cookiecutter.module }}.cli import main

sys.exit(main())
