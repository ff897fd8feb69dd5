#!/usr/bin/env python3
"""A bot that does on its move what Rust cannot do without unsafe code: raw system calls, shared memory.

    intruder.py --mark MARK --do KIND

Each attempt tells on standard error "KIND: done" or "KIND: refused (why)"; then the bot plays on.
"""
import argparse
import ctypes
import json
import mmap
import os
import sys

libc = ctypes.CDLL(None, use_errno=True)


def syscall(*arguments):
    """Makes a system call; raises what the kernel says against it."""
    result = libc.syscall(*[ctypes.c_long(argument) for argument in arguments])
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def others():
    """The opponent and the referee: by /proc where it can be read, else by guessing numbers near our own."""
    own, parent = os.getpid(), os.getppid()
    found = [parent] if parent > 0 else []
    try:
        for name in os.listdir("/proc"):
            if name.isdigit() and int(name) != own:
                with open(f"/proc/{name}/stat") as file:
                    if int(file.read().rsplit(")", 1)[1].split()[1]) == parent:
                        found.append(int(name))
    except OSError:
        pass
    return found + [pid for pid in range(own - 10, own + 10) if pid not in (own, *found) and pid > 1]


def on_anyone(attempt):
    """Tries it on every other process; the last refusal counts if all refuse."""
    refusal = OSError("nobody is there")
    for pid in others():
        try:
            return attempt(pid)
        except OSError as error:
            refusal = error
    raise refusal


def ptrace_seize(pid):
    # Seizing stops nobody, and ends when we do.
    syscall(101, 0x4206, pid, 0, 0)


def read_memory(pid):
    syscall(310, pid, 0, 0, 0, 0, 0)


def take_descriptor(pid):
    os.close(syscall(438, os.pidfd_open(pid), 1, 0))


def share(bound=600 << 20):
    """Takes memory that is shared and anonymous, so that no limit on private data counts it."""
    kept = []
    while sum(map(len, kept)) < bound:
        block = mmap.mmap(-1, 16 << 20)
        for at in range(0, len(block), 4096):
            block[at] = 1
        kept.append(block)


def fill_files_in_memory(bound=600 << 20):
    """Takes memory through files that are in no address space."""
    kept, block, total = [], b"x" * (1 << 20), 0
    while total < bound:
        kept.append(os.memfd_create("x"))
        for _ in range(32):
            total += os.write(kept[-1], block)


def io_uring():
    os.close(syscall(425, 4, ctypes.addressof(ctypes.create_string_buffer(256))))


def namespace():
    syscall(272, 0x10000000 | 0x40000000)


def bpf():
    syscall(321, 5, 0, 0)


def keyring():
    syscall(250, 0, -3, 1)


KINDS = {
    "ptrace": lambda: on_anyone(ptrace_seize),
    "process_vm_readv": lambda: on_anyone(read_memory),
    "pidfd_getfd": lambda: on_anyone(take_descriptor),
    "io_uring": io_uring,
    "namespace": namespace,
    "keyring": keyring,
    "shared_memory": share,
    "memfd": fill_files_in_memory,
}


def attempt(kind):
    try:
        KINDS[kind]()
        print(f"{kind}: done", file=sys.stderr, flush=True)
    except OSError as error:
        print(f"{kind}: refused ({error})", file=sys.stderr, flush=True)


def say(**message):
    print(json.dumps(message), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mark")
    parser.add_argument("--do", choices=sorted(KINDS), required=True)
    kind = parser.parse_args().do
    tried = False
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say(type="hello", protocol=1, name="intruder", games=["bao-kigogo", "bao-kingulu"])
        elif message["type"] == "new_game":
            say(type="ready", id=message["id"])
        elif message["type"] == "go":
            if not tried:
                tried = True
                attempt(kind)
            say(type="move", id=message["id"], move=message["legal"].split()[0])
        elif message["type"] == "bye":
            break


main()
