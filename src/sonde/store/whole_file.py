"""Files written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def replace_file(path: Path, content: str | bytes, mode: int = 0o600) -> None:
    """Write beside and rename, so that no reader sees half a file. Raises OSError."""
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".sonde-")
    try:
        with open(descriptor, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)  # a full disk would only get fuller
        raise
