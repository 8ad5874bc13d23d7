"""The parts of a long study that are finished, kept in its work folder, and how far it is."""

import time

from engine.console.progress import LivingLine, RateLimiter
from engine.errors import ArtifactMismatch
from engine.storage.artifacts import Kind, load_artifact, save_artifact

_KIND = Kind("part of a study", 1, "remove it, and it is made again")
_LINE_SECONDS, _LONGEST_SECONDS = 30.0, 120.0


class Parts:
    """Arrays by the name of their part; a part of other settings is refused."""

    def __init__(self, folder, settings):
        """Take a folder that is made with the first part.

        Args:
            settings: plain values that all parts depend on.
        """
        self.folder = folder
        self.settings = settings

    def has(self, name):
        """Return whether a part is there."""
        return (self.folder / name).exists()

    def save(self, name, arrays):
        """Write a part."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        save_artifact(path, _KIND, self.settings | {"part": name}, arrays)

    def load(self, name):
        """Return the arrays of a part.

        Raises:
            ArtifactMismatch: it is damaged, of other settings, or another part.
        """
        part = load_artifact(self.folder / name, _KIND)
        if part.facts != self.settings | {"part": name}:
            raise ArtifactMismatch(
                f"{self.folder / name} is of other settings or another part; {_KIND.remedy}"
            )
        return part.arrays


def take(steps):
    """Take all steps of a study, (stage, parts done, of so many), and show how far they are."""
    stage, begun, first = "", 0.0, 0
    lines = RateLimiter(_LINE_SECONDS, longest_seconds=_LONGEST_SECONDS)
    with LivingLine() as line:
        for name, done, of in steps:
            if name != stage:
                stage, begun, first = name, time.monotonic(), done
            text = f"{stage}: {done:,} of {of:,}"
            if done > first:
                left = (time.monotonic() - begun) / (done - first) * (of - done)
                text += f", {left / 60:.0f} minutes left of this"
            (line.show if line.living else lines)(text)
