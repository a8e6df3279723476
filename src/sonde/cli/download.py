"""One file from an https address, which may lead to others of that kind only."""

from __future__ import annotations

import shutil
from http.client import HTTPException, HTTPMessage
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from sonde.cli.console import cut
from sonde.cli.outcome import Failure

_SECONDS = 60.0  # without a byte from a host


class _HttpsOnly(HTTPRedirectHandler):
    """Follows a redirect unless anybody on the way could read or change what comes."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        if urlsplit(newurl).scheme != "https":
            raise Failure(
                f"{cut(req.full_url, 120)} leads to an address that is not https: {cut(newurl, 80)}"
            )
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def download(address: str, target: Path) -> None:
    """Write what is at an address to a file."""
    try:
        opener = build_opener(_HttpsOnly)
        with opener.open(address, timeout=_SECONDS) as answer, target.open("wb") as file:
            promised = answer.length  # None where the host does not say
            shutil.copyfileobj(answer, file)
            came = file.tell()
    except (OSError, ValueError, HTTPException) as error:
        why = cut(str(getattr(error, "reason", error)), 200)
        raise Failure(f"{cut(address, 120)} could not be fetched: {why}") from error
    if promised is not None and came < promised:
        raise Failure(
            f"{cut(address, 120)} was cut short, {came:,} of {promised:,} bytes came: try again"
        )
