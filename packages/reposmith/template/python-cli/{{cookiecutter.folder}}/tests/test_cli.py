"""The command as people and programs use it. Runs with pytest, and with unittest alone."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import {{ cookiecutter.module }}
from {{ cookiecutter.module }} import cli, errors, pages


def run(*args: str) -> tuple[int, str, str]:
    """Exit code, stdout, stderr."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = cli.main(args)
        except SystemExit as end:
            code = int(end.code or 0)
    return code, out.getvalue(), err.getvalue()


class Basics(unittest.TestCase):
    def test_version(self) -> None:
        expected = f"{pages.TOOL} {{ '{' }}{{ cookiecutter.module }}.__version__}\n"
        self.assertEqual(run("--version"), (0, expected, ""))

    def test_help_without_a_command(self) -> None:
        code, out, err = run()
        self.assertEqual((code, err), (0, ""))
        self.assertIn("count", out)

    def test_a_bogus_verb_is_the_users_error(self) -> None:
        code, out, err = run("bogus")
        self.assertEqual((code, out), (1, ""))
        self.assertRegex(err, r"(?s)^error: .*bogus.*\nhint: .+\n$")

    def test_json_is_taken_before_and_after_the_verb(self) -> None:
        self.assertEqual(run("--json", "learn"), run("learn", "--json"))

    def test_as_a_module_in_a_process_of_its_own(self) -> None:
        source = str(Path({{ cookiecutter.module }}.__file__).parents[1])
        ended = subprocess.run(
            [sys.executable, "-m", "{{ cookiecutter.module }}", "explain", "nothing"],
            capture_output=True,
            check=False,
            text=True,
            env={**os.environ, "PYTHONPATH": source},
        )
        self.assertEqual((ended.returncode, ended.stdout), (1, ""))
        self.assertIn("hint: ", ended.stderr)


class Learning(unittest.TestCase):
    def test_learn_names_what_a_caller_needs(self) -> None:
        code, out, _ = run("learn")
        self.assertEqual(code, 0)
        for word in ("Purpose", "Commands", "Exit-code", "--json", "explain"):
            self.assertIn(word, out)

    def test_learn_as_data(self) -> None:
        data = json.loads(run("learn", "--json")[1])
        named = [command["path"][0] for command in data["commands"]]
        self.assertEqual(named, list(pages.SUMMARIES))
        self.assertEqual(sorted(data["exit_codes"]), ["0", "1", "2", "3", "4"])

    def test_every_verb_has_a_page_and_every_page_a_verb(self) -> None:
        self.assertEqual(set(pages.SUMMARIES), set(pages.DETAILS))
        for name in pages.SUMMARIES:
            code, out, _ = run("explain", name)
            self.assertEqual(code, 0)
            self.assertIn(pages.SUMMARIES[name], out)
            self.assertEqual(run(name, "--help")[0], 0)

    def test_an_unknown_page_names_the_nearest(self) -> None:
        code, _, err = run("explain", "cuont")
        self.assertEqual(code, 1)
        self.assertIn(f"did you mean: {pages.TOOL} explain count", err)


class Counting(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_counts(self) -> None:
        file = self.folder / "poem.txt"
        file.write_bytes("tea is\ngrün\n".encode())
        text = f"2 lines, 3 words, 13 bytes: {file}\n"
        self.assertEqual(run("count", str(file)), (0, text, ""))
        self.assertEqual(
            json.loads(run("count", str(file), "--json")[1]),
            {"file": str(file), "lines": 2, "words": 3, "bytes": 13},
        )

    def test_a_missing_file(self) -> None:
        code, out, err = run("count", str(self.folder / "none"), "--json")
        self.assertEqual((code, out), (1, ""))
        error = json.loads(err)
        self.assertEqual(error["code"], 1)
        self.assertEqual(error["remediation"], "name a file that exists")

    def test_a_folder_and_a_file_that_is_no_text(self) -> None:
        self.assertEqual(run("count", str(self.folder))[0], 1)
        binary = self.folder / "binary"
        binary.write_bytes(b"\xff\x00")
        self.assertEqual(run("count", str(binary))[0], 1)


class Failing(unittest.TestCase):
    def test_each_kind_of_failure_ends_with_its_code(self) -> None:
        kinds = (
            errors.InputFailure,
            errors.SetupFailure,
            errors.AuthFailure,
            errors.UpstreamFailure,
        )
        for expected, kind in enumerate(kinds, start=1):
            with mock.patch.object(cli, "count", side_effect=kind("no", "try this")):
                told = "error: no\nhint: try this\n"
                self.assertEqual(run("count", "file"), (expected, "", told))

    def test_a_bug_shows_no_traceback(self) -> None:
        with mock.patch.object(cli, "count", side_effect=RuntimeError("oops")):
            code, _, err = run("count", "file")
        self.assertEqual(code, 1)
        self.assertIn("error: unexpected: RuntimeError: oops", err)
        self.assertNotIn("Traceback", err)


if __name__ == "__main__":
    unittest.main()
