"""Java, Kotlin and Scala: packages, wildcard and static imports, implicit this."""

from __future__ import annotations

from sonde.link.imports.namespaces import Namespaces

_LANG = """
String Object Integer Long Short Byte Double Float Boolean Character Void Math System Thread
Runnable Exception RuntimeException Error Throwable Iterable Class Enum Override Deprecated
SuppressWarnings FunctionalInterface IllegalArgumentException IllegalStateException
NullPointerException UnsupportedOperationException StringBuilder StringBuffer Comparable
CharSequence Number Process ProcessBuilder Runtime InterruptedException AutoCloseable Cloneable
Any Unit Nothing Int List Map Set Option Some None Seq println print require check error
listOf mapOf setOf mutableListOf mutableMapOf arrayOf lazy run let apply also with
"""


class Jvm(Namespaces):
    """One family, because the three import each other."""

    implicit_self = True
    constructors = ("<init>", "constructor", "init", "this")
    call_methods = ("invoke", "apply")
    everywhere = frozenset(_LANG.split())


FAMILY = Jvm()
