"""The certificate that a server shows: read from two PEM files, and read again when they have been renewed."""

from __future__ import annotations

import logging
import ssl
from pathlib import Path
from typing import Final

import grpc

from bridge.net.addresses import ListenError
from bridge.settings import TlsFiles

_log: Final = logging.getLogger(__name__)


class Certificate:
    """A certificate and its key, and the authorities of clients' certificates where these are asked for.

    Files that were renewed count from the next handshake on. While they cannot be used, such as between the writing of
    one and of the other, the certificate from before stands.
    """

    def __init__(self, files: TlsFiles) -> None:
        """Reads the files.

        Raises:
            ListenError: They cannot be read, or do not belong together.
        """
        self._files = files
        try:
            self._read_at = self._written_at()
            self._read()
        except (OSError, ssl.SSLError) as error:
            named = " and ".join(str(file) for file in _given(files))
            raise ListenError(f"no TLS with {named}: {_reason(error)}") from error

    def context(self) -> ssl.SSLContext:
        """TLS of at least version 1.2 for the next connection.

        It offers h2 and http/1.1 by ALPN but takes clients that offer none, as Godot does.
        """
        self._refresh()
        return self._context

    def grpc_credentials(self) -> grpc.ServerCredentials:
        """The same for a port of gRPC's own, which demands ALPN."""
        shown = self._configuration

        def fetch() -> grpc.ServerCertificateConfiguration | None:
            nonlocal shown
            self._refresh()
            if shown is self._configuration:
                return None
            shown = self._configuration
            return shown

        # None, for no change, is missing in the stubs.
        return grpc.dynamic_ssl_server_credentials(
            shown,
            fetch,  # type: ignore[arg-type]
            require_client_authentication=self._files.client_ca is not None,
        )

    def _written_at(self) -> tuple[int, ...]:
        return tuple(file.stat().st_mtime_ns for file in _given(self._files))

    def _read(self) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols(["h2", "http/1.1"])
        # A password would be asked for on the terminal.
        context.load_cert_chain(self._files.cert, self._files.key, password=_no_password)
        pair = (self._files.key.read_bytes(), self._files.cert.read_bytes())
        authorities: bytes | None = None
        if self._files.client_ca is not None:
            context.load_verify_locations(self._files.client_ca)
            context.verify_mode = ssl.CERT_REQUIRED
            authorities = self._files.client_ca.read_bytes()
        self._configuration = grpc.ssl_server_certificate_configuration([pair], authorities)
        self._context = context

    def _refresh(self) -> None:
        """Reads the files again if they were written since."""
        try:
            written_at = self._written_at()
            if written_at == self._read_at:
                return
            self._read_at = written_at
            self._read()
        except (OSError, ssl.SSLError) as error:
            _log.warning("the certificate stays as it was, %s cannot be used: %s", self._files.cert, _reason(error))
            return
        _log.info("the certificate was read again from %s", self._files.cert)


def _given(files: TlsFiles) -> list[Path]:
    return [file for file in (files.cert, files.key, files.client_ca) if file is not None]


def _no_password() -> str:
    raise OSError("the key has a password; expected one without")


def _reason(error: OSError | ssl.SSLError) -> str:
    if isinstance(error, ssl.SSLError):
        return f"{error.reason or error} (expected PEM files of a certificate, its key and the authorities of clients)"
    return error.strerror or str(error)
