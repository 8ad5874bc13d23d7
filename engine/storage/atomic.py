"""Writing a whole file so that nobody ever sees half of it."""

import os
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Write a text file in one piece.

    A regular file is replaced when the new text is complete, and a link stays a link to it.
    Anything else at that path, such as a pipe or a device, is written to and not replaced.

    Raises:
        OSError: it cannot be written.
    """
    target = path.resolve()
    if target.exists() and not target.is_file():
        target.write_text(text, encoding="utf-8")
        return
    unfinished = target.with_name(target.name + ".part")
    unfinished.write_text(text, encoding="utf-8")
    os.replace(unfinished, target)
