"""A certificate for this machine, as files."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from pathlib import Path

import trustme

from bridge.settings import TlsFiles

TOKEN = "a-token-for-tests-0123456789"


@dataclass(frozen=True, slots=True)
class Identity:
    """A certificate and what a client has to trust."""

    files: TlsFiles
    trusted: bytes

    def client_context(self) -> ssl.SSLContext:
        """TLS of a client without ALPN, as Godot's is."""
        return ssl.create_default_context(cadata=self.trusted.decode())

    @property
    def options(self) -> tuple[str, ...]:
        """The options of a command that name the files."""
        return "--tls-cert", str(self.files.cert), "--tls-key", str(self.files.key)


def issued_by(authority: trustme.CA, folder: Path) -> Identity:
    """Writes a new certificate into a folder."""
    issued = authority.issue_cert("localhost", "127.0.0.1", "::1")
    files = TlsFiles(folder / "server.crt", folder / "server.key")
    issued.cert_chain_pems[0].write_to_path(files.cert)
    issued.private_key_pem.write_to_path(files.key)
    return Identity(files, authority.cert_pem.bytes())
