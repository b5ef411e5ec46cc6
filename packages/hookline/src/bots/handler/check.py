# Says for each handler.py named whether it compiles and has `handle`, without running a line of it.
import ast
import json
import sys


def problem(path):
    try:
        with open(path, "rb") as file:
            tree = compile(file.read(), path, "exec", ast.PyCF_ONLY_AST)
            compile(tree, path, "exec")
    except SyntaxError as error:
        return f"{path}:{error.lineno or 1}:{error.offset or 1}: {error.msg}"
    except Exception as error:
        return f"{path}: {type(error).__name__}: {error}"
    if not binds_handle(tree):
        return f"{path} has no function handle: write `async def handle(payload, bot):`"
    return None


def binds_handle(tree):
    """Looks at each part once, however deep it is: every `elif` lies within the one before."""
    parts = [tree]
    for part in parts:
        if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names = [part.name]
        elif isinstance(part, (ast.Import, ast.ImportFrom)):
            names = [name.asname or name.name for name in part.names]
        elif isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            names = [part.id]
        else:
            parts.extend(ast.iter_child_nodes(part))
            continue
        if "handle" in names or "*" in names:
            return True
    return False


print(json.dumps([problem(path) for path in sys.argv[1:]]))
