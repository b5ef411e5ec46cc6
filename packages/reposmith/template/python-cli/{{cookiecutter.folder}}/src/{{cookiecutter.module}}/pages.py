"""What `learn` and `explain` say.

One page for each verb; cli.py takes its one-line help from here.
"""

from __future__ import annotations

from . import DESCRIPTION, __version__
from .errors import EXIT_CODES

TOOL = "{{ cookiecutter.project_slug }}"

SUMMARIES = {
    "learn": "Teach this command on one page",
    "explain": "Explain one verb",
    "count": "Count lines, words and bytes of a text file",
}

DETAILS = {
    "learn": f"`{TOOL} learn` prints one page for people and agents; with `--json` the same facts as data.",
    "explain": f"`{TOOL} explain count` prints the page of one verb, as Markdown. Without a name it lists what there is.",
    "count": f"""`{TOOL} count FILE` prints how long a file is. It reads the file and changes nothing.

With `--json`: `{% raw %}{{"file", "lines", "words", "bytes"}}{% endraw %}`. Exit 1 when FILE is missing, a folder, or not UTF-8; exit 2 when it may not be read.""",
}


def learn() -> str:
    """Markdown."""
    verbs = "\n".join(
        f"- `{TOOL} {name}`: {summary}" for name, summary in SUMMARIES.items()
    )
    codes = "\n".join(f"- {code}: {meaning}" for code, meaning in EXIT_CODES.items())
    return f"""# {TOOL}

## Purpose

{DESCRIPTION}

## Commands

{verbs}

## Machine-readable output

`--json`, before or after the verb: one object on stdout. An error is one line on stderr: `{% raw %}{{"code", "message", "remediation"}}{% endraw %}`;
without `--json` it is `error: ...`, then `hint: ...`.

## Exit-code policy

{codes}

## More detail

`{TOOL} explain <verb>`"""


def learn_as_data() -> dict[str, object]:
    return {
        "tool": TOOL,
        "version": __version__,
        "purpose": DESCRIPTION,
        "commands": [
            {"path": [name], "summary": summary} for name, summary in SUMMARIES.items()
        ],
        "exit_codes": {str(code): meaning for code, meaning in EXIT_CODES.items()},
        "json_support": True,
        "explain_pointer": f"{TOOL} explain <verb>",
    }


def explain(name: str) -> str | None:
    """The page of one verb; the list of pages for no name; None for a name without a page."""
    if name in ("", TOOL):
        return f"# {TOOL}\n\n" + "\n".join(
            f"- `{verb}`: {summary}" for verb, summary in SUMMARIES.items()
        )
    if name not in DETAILS:
        return None
    return f"# {TOOL} {name}\n\n{SUMMARIES[name]}.\n\n{DETAILS[name]}"
