"""A certificate for this machine's names and addresses, made once and kept beside the data.

Browsers give a page the live camera and a screen that stays on over https only. Nobody outside can vouch
for a computer in a home network, so the certificate vouches for itself, and each phone asks once.
"""

from __future__ import annotations

import contextlib
import ipaddress
import ssl
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

LIFE = timedelta(days=397)
"""Apple's phones refuse certificates that live longer than 398 days."""
RENEW = timedelta(days=30)


def tls_context(folder: Path, hosts: Iterable[str]) -> ssl.SSLContext:
    """Ready to serve; makes the certificate where there is none that fits."""
    file = folder / "certificate.pem"
    wanted = frozenset(hosts)
    if not _still_good(file, wanted):
        _write(file, _new_certificate(wanted))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(file)
    return context


def fingerprint(folder: Path) -> str:
    """For whoever wants to compare it on the phone."""
    certificate = x509.load_pem_x509_certificate((folder / "certificate.pem").read_bytes())
    return certificate.fingerprint(hashes.SHA256()).hex(":").upper()


def _still_good(file: Path, wanted: frozenset[str]) -> bool:
    """A laptop in another network has another address: then it needs another certificate."""
    try:
        certificate = x509.load_pem_x509_certificate(file.read_bytes())
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (OSError, ValueError, x509.ExtensionNotFound):
        return False
    known = {*names.get_values_for_type(x509.DNSName), *map(str, names.get_values_for_type(x509.IPAddress))}
    return wanted <= known and certificate.not_valid_after_utc > datetime.now(UTC) + RENEW


def _new_certificate(hosts: frozenset[str]) -> bytes:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Companion on this network")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + LIFE)
        .add_extension(x509.SubjectAlternativeName([_general_name(host) for host in sorted(hosts)]), False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return private + certificate.public_bytes(serialization.Encoding.PEM)


def _general_name(host: str) -> x509.GeneralName:
    with contextlib.suppress(ValueError):
        return x509.IPAddress(ipaddress.ip_address(host))
    return x509.DNSName(host)


def _write(file: Path, data: bytes) -> None:
    """Readable by its owner only: the private key is in it."""
    file.touch(mode=0o600)
    file.chmod(0o600)
    file.write_bytes(data)
