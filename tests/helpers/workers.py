"""Workers without machines: a pool whose workers a test lets answer, and one of threads."""

from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

from engine.parallel import cluster
from engine.parallel.executors import PlainPool
from engine.parallel.own_programs import program_digest


def no_speed():
    """Return what every worker here is said to be capable of."""
    return 1e6


class HandPool:
    """Named workers that do a task when they are told to, one each at once."""

    named = True

    def __init__(self, **programs):
        """Take the program that each worker runs, by address; None: that of this process."""
        self.programs = programs
        self.tasks = []
        """(address, work, arguments, future) of each task that was handed out."""

    def present(self):
        return dict.fromkeys(self.programs, 1)

    def submit(self, worker, work, *arguments):
        future = Future()
        if work is cluster.present:
            program = self.programs[worker]
            if isinstance(program, Exception):
                future.set_exception(program)
            else:
                future.set_result(cluster.Worker(worker, program or program_digest(), no_speed()))
        else:
            self.tasks.append((worker, work, arguments, future))
        return future

    def do(self, number=0):
        """Let the worker of an open task do it."""
        worker, work, arguments, future = self.tasks.pop(number)
        try:
            future.set_result(work(*arguments)._replace(worker=worker))
        except Exception as error:
            future.set_exception(error)


@contextmanager
def thread_workers(count=2, replay_seed=1):
    """Yield a cluster of threads of this process, and the lines that it says."""
    lines = []
    with ThreadPoolExecutor(count) as executor:
        workers = cluster.Cluster(PlainPool(executor, count), no_speed, lines.append, replay_seed)
        workers.ready()
        try:
            yield workers, lines
        finally:
            workers.close()
