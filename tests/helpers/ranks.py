"""Processes of a distributed run, forked from one that has imported all they need.

    python -m tests.helpers.ranks COUNT MODULE [WORD...]

gives each `MODULE.main([WORD...])`, or MODULE:FUNCTION, and ends with the largest of their exit
codes.  They meet as those of torchrun do, which imports torch for itself and once more in each
process; and nobody ends the others when one is lost.
"""

import os
import sys
from importlib import import_module

from torch import distributed

MEETING = {"MASTER_ADDR": "127.0.0.1", "TORCHELASTIC_USE_AGENT_STORE": "True"}
"""The store by which they meet is kept by the process that has forked them."""


def started(rank, count, program, words, port):
    """Fork a process; return its number.  It begins once its end of a pipe has the port."""
    child = os.fork()
    if child:
        return child
    os.environ.update(MEETING | {"RANK": str(rank), "LOCAL_RANK": str(rank)})
    os.environ.update({"WORLD_SIZE": str(count), "LOCAL_WORLD_SIZE": str(count)})
    os.environ["MASTER_PORT"] = os.read(port, 5).decode()
    code = 1
    try:
        code = program(words)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code or 0)


def main(count, module, *words):
    """Run them; return the largest exit code, that of a signal being 128 and more."""
    name, _, function = module.partition(":")
    program = getattr(import_module(name), function or "main")
    pipe, told = os.pipe()
    children = [started(rank, int(count), program, list(words), pipe) for rank in range(int(count))]
    store = distributed.TCPStore("127.0.0.1", 0, is_master=True, wait_for_workers=False)
    os.write(told, f"{store.port:05}".encode() * int(count))
    ended = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    return max(128 - code if code < 0 else code for code in ended)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
