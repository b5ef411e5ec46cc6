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
    if not any(binds_handle(node) for node in tree.body):
        return f"{path} has no function handle: write `async def handle(payload, bot):`"
    return None


def binds_handle(node):
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return node.name == "handle"
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return any((name.asname or name.name) in ("handle", "*") for name in node.names)
    # Bound in an assignment, or somewhere below an `if` or `try`.
    return any(isinstance(inner, ast.Name) and inner.id == "handle" and isinstance(inner.ctx, ast.Store)
               or inner is not node and isinstance(inner, ast.stmt) and binds_handle(inner)
               for inner in ast.walk(node))


print(json.dumps([problem(path) for path in sys.argv[1:]]))
