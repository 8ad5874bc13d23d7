"""A certificate for a server of one's own, made by the program openssl."""

from __future__ import annotations

import ipaddress
import shutil
import ssl
import subprocess
from pathlib import Path
from typing import Final

from dealer.hub.errors import ServerError

_DAYS: Final = 825
"""As long as clients of today accept a certificate."""


def is_self_made(certificate: Path) -> bool:
    """Return whether a file's certificate is signed by itself, so that clients need the file."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(certificate)
    made = context.get_ca_certs()
    return bool(made) and made[0]["subject"] == made[0]["issuer"]


def make_certificate(name: str, folder: Path) -> tuple[Path, Path]:
    """Write a key and a certificate that it signs itself; return the certificate's file and it.

    Args:
        name: host name or IP address of the server.
        folder: in which NAME.pem and NAME.key are made; it need not be there.

    Raises:
        ServerError: openssl is not there or fails, or a file is there already or cannot be made.
    """
    program = shutil.which("openssl")
    if program is None:
        raise ServerError(
            "the program openssl is not there; any certificate will do: [tls] cert and key name it"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ServerError(f"{folder}: {error.strerror or error}") from error
    certificate, key = folder / f"{name}.pem", folder / f"{name}.key"
    for path in (certificate, key):
        if path.exists():
            raise ServerError(f"{path} is there already")
    try:
        kind = f"IP:{ipaddress.ip_address(name)}"
    except ValueError:
        kind = f"DNS:{name}"
    command = [
        *(program, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
        *("-nodes", "-days", str(_DAYS), "-subj", f"/CN={name[:64]}"),
        *("-addext", f"subjectAltName={kind}", "-keyout", str(key), "-out", str(certificate)),
    ]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode:
        last = (made.stderr.strip().splitlines() or ["no reason"])[-1]
        raise ServerError(f"openssl: {last}")
    key.chmod(0o600)
    return certificate, key
