"""How the command says no: an exit code, what is wrong, and what to do next."""

from __future__ import annotations

EXIT_CODES = {
    0: "success",
    1: "user-input error",
    2: "environment or setup error",
    3: "authentication error",
    4: "upstream error",
}


class Failure(Exception):
    """The codes above are the only ones; an error without a hint is half an error."""

    code = 1

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class InputFailure(Failure):
    code = 1


class SetupFailure(Failure):
    code = 2


class AuthFailure(Failure):
    code = 3


class UpstreamFailure(Failure):
    code = 4
