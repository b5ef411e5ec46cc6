# Runs one bot's handler.py. Descriptor 3 is the server: JSON lines come in and answers go out; when it closes, so do we.
import asyncio
import errno
import importlib.util
import inspect
import json
import os
import signal
import sys
import threading
import traceback

SERVER = 3
# What the server takes for: descriptor 3 was closed. EX_IOERR of sysexits.h.
EXIT_NO_SERVER = 74


def main():
    os.set_inheritable(SERVER, False)
    lines = read_lines()
    start = json.loads(next(lines))
    limit_resources(start["memory_bytes"])
    sys.stdout.reconfigure(line_buffering=True)
    # Beside this file lie our own sources; a handler imports from its own folder.
    sys.path[0] = os.path.dirname(start["handler"])
    try:
        handle = load(start["handler"])
    except BaseException as error:
        send({"ready": False, "error": explain(error, start)})
        return
    send({"ready": True})
    asyncio.run(serve(start, handle, lines))


def load(path):
    spec = importlib.util.spec_from_file_location("handler", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["handler"] = module
    spec.loader.exec_module(module)
    handle = getattr(module, "handle", None)
    if not callable(handle):
        raise TypeError("handler.py has no function handle: write `async def handle(payload, bot):`")
    return handle


async def serve(start, handle, lines):
    loop = asyncio.get_running_loop()
    requests = asyncio.Queue()
    running = None
    threading.Thread(target=follow, args=(lines, loop, requests), daemon=True).start()
    while True:
        request = json_of(await requests.get())
        if "cancel" in request:
            if running is not None:
                running.cancel()
        else:
            running = asyncio.create_task(answer(start, handle, request))


def follow(lines, loop, requests):
    try:
        for line in lines:
            loop.call_soon_threadsafe(requests.put_nowait, line)
    finally:
        # The server is gone or wants us gone. What the handler started goes too, and busy code cannot hold us up.
        os.killpg(0, signal.SIGKILL)


async def answer(start, handle, request):
    try:
        bot = Bot(request["bot"], json.loads(start["state"]))
        text = handle(request["payload"], bot)
        if inspect.isawaitable(text):
            text = await text
        check(text, start["text_bytes"])
        state = dump_state(bot.state, start["state_bytes"])
    except BaseException as error:
        send({"call": request["call"], "error": explain(error, start)})
        return
    changed = state != start["state"]
    start["state"] = state
    send({"call": request["call"], "text": text, **({"state": state} if changed else {})})


class Bot:
    def __init__(self, about, state):
        self.__dict__.update(about)
        self.state = state


class Refused(Exception):
    pass


def check(text, limit):
    if text is None:
        return
    if not isinstance(text, str):
        raise Refused(
            f"handle returned {type(text).__name__}: return a str (the message) or None (nothing is posted)"
        )
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > limit:
        raise Refused(f"handle returned {size} bytes: {limit} are allowed")


def dump_state(state, limit):
    if not isinstance(state, dict):
        raise Refused(f"bot.state is {type(state).__name__}: it must stay a dict")
    try:
        text = json.dumps(state, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise Refused(f"bot.state is not JSON: {error}") from None
    if len(text) > limit:
        raise Refused(f"bot.state has {len(text)} bytes: {limit} are allowed")
    return text


def explain(error, start):
    if isinstance(error, Refused):
        return str(error)
    frames = error.__traceback__
    while frames is not None and frames.tb_frame.f_code.co_filename != start["handler"]:
        frames = frames.tb_next
    text = "".join(traceback.format_exception(type(error), error, frames))
    text += limit_met(error)
    # The end of a traceback says what happened.
    return text if len(text) <= 8192 else "…" + text[-8191:]


def limit_met(error):
    """One line for those who ran into a limit of ours, whose name says nothing of it."""
    try:
        number, words = getattr(error, "errno", None), str(error)
    except Exception:
        return ""  # an exception of the handler's own, which may fail when it is looked at
    if isinstance(error, MemoryError) or number == errno.ENOMEM:
        met = "memory"
    elif number == errno.EFBIG:
        met = "the size of one file"
    elif number == errno.EMFILE:
        met = "open files"
    elif number == errno.EAGAIN or words == "can't start new thread":
        met = "processes, threads and memory"
    else:
        return ""
    return f"{type(error).__name__}: a handler has a limit on {met}: see `hookline explain handler`\n"


def json_of(line):
    try:
        return json.loads(line)
    except ValueError:
        # Python refuses to read integers of more than 4300 digits, which are JSON all the same.
        return json.loads(line, parse_int=lambda digits: int(digits) if len(digits) < 4300 else float(digits))


def read_lines():
    pieces = []
    while True:
        piece = os.read(SERVER, 65536)
        if not piece:
            return
        *whole, rest = piece.split(b"\n")
        for end in whole:
            pieces.append(end)
            yield b"".join(pieces)
            pieces.clear()
        pieces.append(rest)


def send(message):
    data = json.dumps(message).encode() + b"\n"
    try:
        while data:
            data = data[os.write(SERVER, data) :]
    except OSError:
        os._exit(EXIT_NO_SERVER)


def limit_resources(memory_bytes):
    import resource

    for limit, value in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_AS, memory_bytes)):
        try:
            resource.setrlimit(limit, (value, value))
        except (OSError, ValueError):
            pass  # macOS knows no RLIMIT_AS


# Not in a process of multiprocessing, which imports this file under another name.
if __name__ == "__main__":
    main()
