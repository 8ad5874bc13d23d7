"""The scripts of the pages, run by node where it is there."""

import functools
import json
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from dealer.pages.single_page import PAGES


@functools.cache
def _modules():
    """Return a folder with the scripts, in which node takes them for modules."""
    folder = tempfile.TemporaryDirectory(prefix="page-scripts-")
    shutil.copytree(PAGES, folder.name, dirs_exist_ok=True)
    Path(folder.name, "package.json").write_text('{"type": "module"}')
    return folder


def run_script(text, document):
    """Run a module beside the scripts and return what its function `main(document)` returns.

    Skips the test where there is no node.
    """
    node = shutil.which("node") or pytest.skip("no node to run the scripts of the pages with")
    program = f"""{text}
    import {{ readFileSync }} from "node:fs";
    console.log(JSON.stringify(main(JSON.parse(readFileSync(0, "utf-8")))));
    """
    done = subprocess.run(
        [node, "--input-type=module", "-e", program],
        input=json.dumps(document),
        capture_output=True,
        encoding="utf-8",
        cwd=_modules().name,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
