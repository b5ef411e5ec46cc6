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
    line = line_of_misfit(tree)
    if line is not None:
        return f"{path}:{line}: handle must take two arguments: write `async def handle(payload, bot):`"
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


def line_of_misfit(tree):
    """Of the function that is called in the end, if it cannot take a payload and a bot."""
    handle = [part for part in tree.body if binds_handle(part)][-1]
    if not isinstance(handle, (ast.FunctionDef, ast.AsyncFunctionDef)) or handle.decorator_list:
        return None
    takes = handle.args
    named = len(takes.posonlyargs) + len(takes.args)
    fits = named - len(takes.defaults) <= 2 and (named >= 2 or takes.vararg) and None not in takes.kw_defaults
    return None if fits else handle.lineno


print(json.dumps([problem(path) for path in sys.argv[1:]]))
