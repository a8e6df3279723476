"""`python -m sonde` is `sonde`."""

from __future__ import annotations

import sys

from sonde.cli import main

sys.exit(main())
