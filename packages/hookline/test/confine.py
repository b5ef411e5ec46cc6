# Runs a command under the settings of a systemd unit, as far as they can be applied without systemd: confine.py UNIT UID HOME COMMAND…
# Started as root, in a mount namespace of its own. Of each setting that it cannot apply here it writes a line into HOME/not-applied.
import ctypes
import os
import platform
import re
import resource
import struct
import subprocess
import sys

APPLIED = {
    *("ProtectSystem", "ProtectHome", "PrivateTmp", "PrivateDevices", "PrivateMounts", "ProtectProc"),
    *("ProtectControlGroups", "ProtectKernelModules", "NoNewPrivileges", "CapabilityBoundingSet"),
    *("AmbientCapabilities", "UMask", "LimitNOFILE", "User"),
}
# By one seccomp filter.
FILTERED = {"SystemCallFilter", "SystemCallArchitectures", "SystemCallErrorNumber", "RestrictNamespaces", "RestrictAddressFamilies"}
# What a unit says of its life rather than of its rights.
ABOUT = {"Description", "After", "WantedBy", "StateDirectory", "StateDirectoryMode", "Environment", "ExecStart", "ExecReload", "Restart"}


def main():
    unit, uid, home, *command = sys.argv[1:]
    said = settings(unit)
    mount_all(home)
    program = filter_of(said)
    left = sorted(said.keys() - APPLIED - ABOUT - (FILTERED if program else set()))
    with open(f"{home}/not-applied", "w") as file:
        file.write("".join(f"{name}={said[name]}\n" for name in left))
    os.chmod(f"{home}/not-applied", 0o644)
    os.umask(int(said["UMask"], 8))
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(int(said["LimitNOFILE"]), resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
    for capability in range(64):
        libc.prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP
    os.setgroups([])
    os.setgid(int(uid))
    os.setuid(int(uid))
    checked(libc.prctl(38, 1, 0, 0, 0))  # PR_SET_NO_NEW_PRIVS
    if program:
        code = ctypes.create_string_buffer(program)
        parts = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(code))
        checked(libc.prctl(22, 2, ctypes.create_string_buffer(parts), 0, 0))  # PR_SET_SECCOMP
    os.execvp(command[0], command)


libc = ctypes.CDLL(None, use_errno=True)


def checked(result):
    if result != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def settings(unit):
    with open(unit) as file:
        pairs = (line.strip().split("=", 1) for line in file if "=" in line and not line.startswith("#"))
        return dict(pairs)


def run(*words):
    subprocess.run(words, check=True)


def mount_all(home):
    run("mount", "--make-rprivate", "/")
    # PrivateTmp, in which the tests have their home.
    run("mount", "--bind", home, "/mnt")
    run("mount", "-t", "tmpfs", "-o", "mode=1777", "tmpfs", "/tmp")
    os.makedirs(home)
    run("mount", "--move", "/mnt", home)
    for folder in ("/home", "/root", "/run/user"):
        if os.path.isdir(folder):
            run("mount", "-t", "tmpfs", "-o", "ro,mode=0", "tmpfs", folder)
    run("mount", "-t", "tmpfs", "-o", "nosuid,noexec,mode=755", "tmpfs", "/mnt")
    for name in ("null", "zero", "full", "random", "urandom", "tty"):
        open(f"/mnt/{name}", "w").close()
        run("mount", "--bind", f"/dev/{name}", f"/mnt/{name}")
    for name, target in (("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        os.symlink(f"/proc/self/{target}", f"/mnt/{name}")
    os.mkdir("/mnt/shm", 0o1777)
    os.chmod("/mnt/shm", 0o1777)
    run("mount", "--move", "/mnt", "/dev")
    run("mount", "-t", "proc", "-o", "nosuid,nodev,noexec,hidepid=invisible", "proc", "/proc")
    if os.path.isdir("/usr/lib/modules"):
        run("mount", "-t", "tmpfs", "-o", "ro,mode=0", "tmpfs", "/usr/lib/modules")
    for line in open("/proc/self/mountinfo").read().splitlines():
        path, options = line.split(" ")[4:6]
        path = re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), path)
        if not re.match(r"/(dev|proc|tmp)(/|$)", path) and not path.startswith(home):
            subprocess.run(["mount", "-o", f"remount,bind,ro,{options}".replace(",rw", ""), path], stderr=subprocess.DEVNULL)


NAMESPACES = {"mnt": 0x20000, "cgroup": 0x2000000, "uts": 0x4000000, "ipc": 0x8000000, "user": 0x10000000, "pid": 0x20000000, "net": 0x40000000}
FAMILIES = {"AF_UNIX": 1, "AF_INET": 2, "AF_INET6": 10, "AF_NETLINK": 16}
ALLOW, EPERM, EAFNOSUPPORT, ENOSYS = 0x7FFF0000, 0x50001, 0x50061, 0x50026


def filter_of(said):
    """The filter that systemd would load, as BPF; None where the numbers of system calls are not known."""
    numbers = numbers_of_calls()
    if platform.machine() != "x86_64" or not numbers:
        return None
    allowed = sorted({numbers[name] for group in said["SystemCallFilter"].split() for name in calls_of(group) if name in numbers})
    forbidden = sum(flag for name, flag in NAMESPACES.items() if name not in said["RestrictNamespaces"].split())
    load = lambda offset: struct.pack("HBBI", 0x20, 0, 0, offset)
    if_equal = lambda value, skip: struct.pack("HBBI", 0x15, 0, skip, value)
    if_any_of = lambda bits, skip: struct.pack("HBBI", 0x45, 0, skip, bits)
    answer = lambda value: struct.pack("HBBI", 0x06, 0, 0, value)
    families = [FAMILIES[name] for name in said["RestrictAddressFamilies"].split()]
    code = load(4) + struct.pack("HBBI", 0x15, 1, 0, 0xC000003E) + answer(EPERM) + load(0)
    code += if_equal(numbers["clone3"], 1) + answer(ENOSYS)
    for call, argument in (("clone", 16), ("unshare", 16), ("setns", 24)):
        code += if_equal(numbers[call], 4) + load(argument) + if_any_of(forbidden, 1) + answer(EPERM) + answer(ALLOW)
    inner = load(16) + b"".join(if_equal(family, 1) + answer(ALLOW) for family in families) + answer(EAFNOSUPPORT)
    code += if_equal(numbers["socket"], len(inner) // 8) + inner
    for number in allowed:
        code += if_equal(number, 1) + answer(ALLOW)
    return code + answer(EPERM)


def numbers_of_calls():
    for path in ("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "/usr/include/asm/unistd_64.h"):
        if os.path.exists(path):
            return {name: int(number) for name, number in re.findall(r"#define __NR_(\w+) (\d+)", open(path).read())}
    return {}


def calls_of(group):
    """Sets contain others, and the set of what every service needs belongs to every list."""
    seen, waiting = set(), [group, "@default"]
    while waiting:
        name = waiting.pop()
        if not name.startswith("@"):
            seen.add(name)
            continue
        told = subprocess.run(["systemd-analyze", "--no-pager", "syscall-filter", name], check=True, capture_output=True, text=True)
        waiting += [word for line in told.stdout.splitlines()[1:] if (word := line.strip()) and not word.startswith("#")]
    return seen


main()
