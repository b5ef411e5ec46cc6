// A terminal: Python's pty serves as one.

/** For `python3`: before the words of the command that runs in it. */
export const IN_TERMINAL = [
  '-c',
  'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))',
]
