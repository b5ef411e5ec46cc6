"""Refuses names that Python or a package index would not take, before a file is written."""

import keyword
import re
import sys

SLUG = "{{ cookiecutter.project_slug }}"
MODULE = "{{ cookiecutter.module }}"
PYTHON = "{{ cookiecutter.python_version }}"


def problems():
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", SLUG):
        yield f"project_slug {SLUG!r} takes small letters, digits and single hyphens"
    if not re.fullmatch(r"[a-z_][a-z0-9_]*", MODULE) or keyword.iskeyword(MODULE):
        yield f"module {MODULE!r} is no name for a Python module: set another with module=..."
    elif MODULE in sys.stdlib_module_names:
        yield f"module {MODULE!r} is a part of Python itself: set another with module=..."
    if not re.fullmatch(r"3\.[0-9]+", PYTHON) or int(PYTHON[2:]) < 10:
        yield f"python_version {PYTHON!r} takes 3.10 or newer"


found = list(problems())
for problem in found:
    print(f"error: {problem}", file=sys.stderr)
sys.exit(1 if found else 0)
