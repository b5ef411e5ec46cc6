"""The command as people and programs use it. Runs with pytest, and with unittest alone."""

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


def run(*args):
    """Exit code, stdout, stderr."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = cli.main(args)
        except SystemExit as end:
            code = end.code
    return code, out.getvalue(), err.getvalue()


class Basics(unittest.TestCase):
    def test_version(self):
        expected = f"{pages.TOOL} {{ '{' }}{{ cookiecutter.module }}.__version__}\n"
        self.assertEqual(run("--version"), (0, expected, ""))

    def test_help_without_a_command(self):
        code, out, err = run()
        self.assertEqual((code, err), (0, ""))
        self.assertIn("count", out)

    def test_a_bogus_verb_is_the_users_error(self):
        code, out, err = run("bogus")
        self.assertEqual((code, out), (1, ""))
        self.assertRegex(err, r"(?s)^error: .*bogus.*\nhint: .+\n$")

    def test_json_is_taken_before_and_after_the_verb(self):
        self.assertEqual(run("--json", "learn"), run("learn", "--json"))

    def test_as_a_module_in_a_process_of_its_own(self):
        source = str(Path({{ cookiecutter.module }}.__file__).parents[1])
        ended = subprocess.run(
            [sys.executable, "-m", "{{ cookiecutter.module }}", "explain", "nothing"],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": source},
        )
        self.assertEqual((ended.returncode, ended.stdout), (1, ""))
        self.assertIn("hint: ", ended.stderr)


class Learning(unittest.TestCase):
    def test_learn_names_what_a_caller_needs(self):
        code, out, _ = run("learn")
        self.assertEqual(code, 0)
        for word in ("Purpose", "Commands", "Exit-code", "--json", "explain"):
            self.assertIn(word, out)

    def test_learn_as_data(self):
        data = json.loads(run("learn", "--json")[1])
        self.assertEqual([command["path"][0] for command in data["commands"]], list(pages.SUMMARIES))
        self.assertEqual(sorted(data["exit_codes"]), ["0", "1", "2", "3", "4"])

    def test_every_verb_has_a_page_and_every_page_a_verb(self):
        self.assertEqual(set(pages.SUMMARIES), set(pages.DETAILS))
        for name in pages.SUMMARIES:
            code, out, _ = run("explain", name)
            self.assertEqual(code, 0)
            self.assertIn(pages.SUMMARIES[name], out)
            self.assertEqual(run(name, "--help")[0], 0)

    def test_an_unknown_page_names_the_nearest(self):
        code, _, err = run("explain", "cuont")
        self.assertEqual(code, 1)
        self.assertIn(f"did you mean: {pages.TOOL} explain count", err)


class Counting(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_counts(self):
        file = self.folder / "poem.txt"
        file.write_bytes("tea is\ngrün\n".encode())
        self.assertEqual(run("count", str(file)), (0, f"2 lines, 3 words, 13 bytes: {file}\n", ""))
        self.assertEqual(
            json.loads(run("count", str(file), "--json")[1]),
            {"file": str(file), "lines": 2, "words": 3, "bytes": 13},
        )

    def test_a_missing_file(self):
        code, out, err = run("count", str(self.folder / "none"), "--json")
        self.assertEqual((code, out), (1, ""))
        error = json.loads(err)
        self.assertEqual((error["code"], error["remediation"]), (1, "name a file that exists"))

    def test_a_folder_and_a_file_that_is_no_text(self):
        self.assertEqual(run("count", str(self.folder))[0], 1)
        binary = self.folder / "binary"
        binary.write_bytes(b"\xff\x00")
        self.assertEqual(run("count", str(binary))[0], 1)


class Failing(unittest.TestCase):
    def test_each_kind_of_failure_ends_with_its_code(self):
        kinds = (errors.InputFailure, errors.SetupFailure, errors.AuthFailure, errors.UpstreamFailure)
        for expected, kind in enumerate(kinds, start=1):
            with mock.patch.object(cli, "count", side_effect=kind("no", "try this")):
                self.assertEqual(run("count", "file"), (expected, "", "error: no\nhint: try this\n"))

    def test_a_bug_shows_no_traceback(self):
        with mock.patch.object(cli, "count", side_effect=RuntimeError("oops")):
            code, _, err = run("count", "file")
        self.assertEqual(code, 1)
        self.assertIn("error: unexpected: RuntimeError: oops", err)
        self.assertNotIn("Traceback", err)


if __name__ == "__main__":
    unittest.main()
