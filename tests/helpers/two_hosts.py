"""Two network namespaces joined by a line, each as alone as a machine of its own."""

import contextlib
import os
import subprocess

import pytest


def ip(*arguments):
    """Run `ip`; skip the test where it may not or cannot."""
    try:
        done = subprocess.run(["ip", *arguments], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no `ip` command to make network namespaces with")
    if done.returncode:
        pytest.skip(f"no network namespaces here: ip {' '.join(arguments)}: {done.stderr.strip()}")


@contextlib.contextmanager
def two_hosts(name, network, line=None):
    """Yield the address of the first, and what goes before a command on each.

    Args:
        name: what their names begin with, at most six letters; tests at the same time have others.
        network: the first three numbers of their addresses.
        line: a `BadLine` between them; None is a cable.
    """
    if os.geteuid() != 0:
        pytest.skip("network namespaces are for root")
    hosts, ends = [f"{name}-host-{one}" for one in "ab"], [f"{name}-{one}" for one in "ab"]
    with contextlib.ExitStack() as undo:
        for host in hosts:
            ip("netns", "add", host)
            undo.callback(subprocess.run, ["ip", "netns", "delete", host], check=False)
        if line is None:
            ip("link", "add", ends[0], "netns", hosts[0], "type", "veth",
               "peer", "name", ends[1], "netns", hosts[1])  # fmt: skip
        else:
            undo.enter_context(line.joining(ends))
            for host, end in zip(hosts, ends, strict=True):
                ip("link", "set", end, "netns", host)
        for number, (host, end) in enumerate(zip(hosts, ends, strict=True)):
            ip("-n", host, "addr", "add", f"{network}.{number + 1}/24", "dev", end)
            ip("-n", host, "link", "set", end, "up")
            ip("-n", host, "link", "set", "lo", "up")
        yield (
            f"{network}.1",
            [
                ("ip", "netns", "exec", host, "env", f"GLOO_SOCKET_IFNAME={end}")
                for host, end in zip(hosts, ends, strict=True)
            ],
        )
