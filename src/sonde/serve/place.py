"""Where a server can be found by the commands of the same user."""

from __future__ import annotations

import hashlib
import os

# Imported by every command before anything else, so it uses only what Python has loaded anyway.
_LONGEST = 100  # bytes; the system allows 108


def socket_path(cache: str, root: str) -> str:
    """The socket of a workspace's server: in the cache, or elsewhere if that name is too long."""
    name = hashlib.blake2b(os.fsencode(root), digest_size=8).hexdigest()
    near = os.path.join(cache, "serve", f"{name}.sock")
    if len(os.fsencode(near)) <= _LONGEST:
        return near
    import tempfile  # which loads a dozen modules

    both = hashlib.blake2b(os.fsencode(f"{cache}\0{root}"), digest_size=8).hexdigest()
    return os.path.join(tempfile.gettempdir(), f"sonde-{os.getuid()}", f"{both}.sock")


def settings_of(environment: os._Environ[str]) -> dict[str, str]:
    """What the environment says about settings: both sides must agree on it."""
    return {
        name: value
        for name, value in sorted(environment.items())
        if name.startswith("SONDE_") and name not in ("SONDE_CACHE_DIR", "SONDE_TRACEBACK")
    }
