"""What you type: parses, runs one verb, prints its result.

Results go to stdout, everything else to stderr.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import sys
from typing import TYPE_CHECKING, NoReturn

from . import DESCRIPTION, __version__, pages
from .count import count
from .errors import Failure, InputFailure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Data = dict[str, object]
    Run = Callable[[argparse.Namespace], tuple[Data, str]]


def main(args: Sequence[str] | None = None) -> int:
    """Runs one command line, and gives the exit code."""
    args = sys.argv[1:] if args is None else list(args)
    try:
        options = build_parser().parse_args(args)
        if options.run is None:
            build_parser().print_help()
            return 0
        show(*options.run(options), as_json=options.json)
        sys.stdout.flush()
        return 0
    except Failure as failure:
        return tell(failure, as_json="--json" in args)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader, such as `head -1`, has seen enough. Python would complain again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:  # noqa: BLE001
        # A bug is told like any other failure, without a traceback.
        message = f"unexpected: {type(error).__name__}: {error}"
        unexpected = InputFailure(message, "this is a bug: please report it")
        return tell(unexpected, as_json="--json" in args)


class Parser(argparse.ArgumentParser):
    """argparse ends with 2 for a mistyped command; here that is 1, and has a hint."""

    def error(self, message: str) -> NoReturn:
        raise InputFailure(message, f"see: {self.prog} --help")


def build_parser() -> Parser:
    parser = Parser(prog=pages.TOOL, description=DESCRIPTION, allow_abbrev=False)
    version = f"{pages.TOOL} {__version__}"
    parser.add_argument("--version", action="version", version=version)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=None)
    verbs = parser.add_subparsers(title="commands", metavar="COMMAND")

    def verb(name: str, run: Run) -> argparse.ArgumentParser:
        summary = pages.SUMMARIES[name]
        sub: argparse.ArgumentParser = verbs.add_parser(
            name, help=summary, description=summary, allow_abbrev=False
        )
        # Not set again by the verb when it was given before it.
        sub.add_argument(
            "--json",
            action="store_true",
            default=argparse.SUPPRESS,
            help="print one JSON object",
        )
        sub.set_defaults(run=run)
        return sub

    verb("learn", run_learn)
    verb("explain", run_explain).add_argument("path", nargs="*", help="a verb")
    verb("count", run_count).add_argument("file", help="a text file")
    return parser


def run_learn(_: argparse.Namespace) -> tuple[Data, str]:
    return pages.learn_as_data(), pages.learn()


def run_explain(options: argparse.Namespace) -> tuple[Data, str]:
    name = " ".join(options.path)
    page = pages.explain(name)
    if page is None:
        near = difflib.get_close_matches(name, pages.SUMMARIES, n=1)
        hint = f"see what there is: {pages.TOOL} explain"
        if near:
            hint = f"did you mean: {pages.TOOL} explain {near[0]}"
        raise InputFailure(f"no explain entry for: {name}", hint)
    return {"path": options.path, "markdown": page}, page


def run_count(options: argparse.Namespace) -> tuple[Data, str]:
    counted = count(options.file)
    text = "{lines} lines, {words} words, {bytes} bytes: {file}"
    return counted, text.format(**counted)


def show(data: Data, text: str, *, as_json: bool) -> None:
    print(json.dumps(data, ensure_ascii=False) if as_json else text)


def tell(failure: Failure, *, as_json: bool) -> int:
    """The process ends with the same code that the JSON names."""
    if as_json:
        error = {
            "code": failure.code,
            "message": failure.message,
            "remediation": failure.hint,
        }
        print(json.dumps(error, ensure_ascii=False), file=sys.stderr)
    else:
        print(f"error: {failure.message}\nhint: {failure.hint}", file=sys.stderr)
    return failure.code
