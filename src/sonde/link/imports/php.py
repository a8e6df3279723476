"""PHP: `use` binds one name; functions fall back to the global namespace."""

from __future__ import annotations

from sonde.link.imports.namespaces import Namespaces


class Php(Namespaces):
    """Namespaces are declared in files, so autoload maps are not needed to find them."""

    global_fallback = True
    relative_names = True
    constructors = ("__construct",)
    call_methods = ("__invoke",)


FAMILY = Php()
