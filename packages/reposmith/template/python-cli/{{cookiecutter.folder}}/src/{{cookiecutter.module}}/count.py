"""The example verb.

A verb is a plain function: it takes values, gives a dict, and raises a Failure.
"""

from __future__ import annotations

from pathlib import Path

from .errors import InputFailure, SetupFailure


def count(file: str) -> dict[str, object]:
    """Lines, words and bytes of one text file."""
    try:
        data = Path(file).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise InputFailure(
            f"there is no file {file}", "name a file that exists"
        ) from None
    except IsADirectoryError:
        raise InputFailure(f"{file} is a folder", "name a file in it") from None
    except OSError as error:
        raise SetupFailure(
            f"cannot read {file}: {error.strerror}", "check its permissions"
        ) from None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise InputFailure(f"{file} is not UTF-8 text", "name a text file") from None
    return {
        "file": str(file),
        "lines": len(text.splitlines()),
        "words": len(text.split()),
        "bytes": len(data),
    }
