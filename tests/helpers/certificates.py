"""Certificates of the test's own making, by the openssl program."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True)
class Certificate:
    """Two files."""

    file: Path
    key: Path


def make_certificate(folder: Path, name: str = "localhost") -> Certificate:
    """Return one that vouches for itself; skips the test where there is no openssl."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no openssl here")
    made = Certificate(folder / f"{name}.pem", folder / f"{name}.key")
    subprocess.run(
        [
            *(openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
            *("-nodes", "-days", "2", "-subj", f"/CN={name}"),
            *("-addext", f"subjectAltName=DNS:{name},IP:127.0.0.1"),
            *("-keyout", made.key, "-out", made.file),
        ],
        check=True,
        capture_output=True,
    )
    return made
