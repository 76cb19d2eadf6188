#!/usr/bin/env python3
"""width_table.py >src/base/width_table.c - makes the table of characters that
take no column of a terminal, or two. Run by hand when a new version of Unicode
is worth it; the version is that of the Python it runs with.
"""

import unicodedata

HEAD = """/* Made by tools/width_table.py from Unicode %s: do not edit. */
#include "base/width.h"
"""


def is_zero(point):
    """Marks, and vowels and finals of Hangul, which join what is before them."""
    return (unicodedata.category(chr(point)) in ("Mn", "Me")
            or 0x1160 <= point <= 0x11ff or 0xd7b0 <= point <= 0xd7ff)


def is_wide(point):
    """East Asian Width W and F; what is not assigned yet only where Unicode says
    that it will be wide."""
    return (unicodedata.east_asian_width(chr(point)) in "WF"
            and not is_zero(point)
            and (unicodedata.category(chr(point)) != "Cn"
                 or 0x20000 <= point <= 0x3fffd))


def ranges(holds):
    """The ranges of points that a property holds for."""
    found, start = [], None
    for point in range(0x80, 0x110001):
        inside = (point <= 0x10ffff and not 0xd800 <= point <= 0xdfff
                  and holds(point))
        if inside and start is None:
            start = point
        elif not inside and start is not None:
            found.append((start, point - 1))
            start = None
    return found


def table(name, found):
    """A table in C."""
    print("\nconst struct width_range width_%s[] = {" % name)
    line = "   "
    for first, last in found:
        item = " {0x%x, 0x%x}," % (first, last)
        if len(line + item) > 80:
            print(line)
            line = "   "
        line += item
    print(line + "\n};\n")
    print("const size_t n_width_%s = sizeof(width_%s) / sizeof(width_%s[0]);"
          % (name, name, name))


print(HEAD % unicodedata.unidata_version, end="")
table("zero", ranges(is_zero))
table("wide", ranges(is_wide))
