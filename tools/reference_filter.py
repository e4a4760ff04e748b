#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""reference_filter.py HEADER: the header as Doxygen reads it, line by line where it was.

Options describe themselves (see meander/options.hpp): their members get their help, unit and range for a comment. What
says nothing to a reader is left out: comparison by members, moves, and how options become text.
"""
import re
import sys

HIDDEN = (
    r"^ *friend bool operator==\([^\n]*\) = default;$",
    r"^ *(?:\w+|\w+& operator=)\(\w+&&\) noexcept;$",
    r"^template <>\nconstexpr PixelType pixel_type_of<.*?^\}$",
    r"^ *template <class Visitor>\n *void describe\(Visitor& v\) \{.*?^  \}$",
)
SPECIALISATION = r"^template <[^\n]*>\n(?:requires [^\n]*\n)?struct (?:OptionText|ChoiceNames)<[^\n]*> \{\n(.*?)^\};$"


# Several members in one line, of which Doxygen gives one the comment.
MEMBERS = r"^(?P<above>(?: *///(?!<)[^\n]*\n)*) +(?P<type>[\w:<>]+) (?P<names>\w+[^;,()\n]*(?:, \w+[^;,()\n]*)+);(?: *///< (?P<beside>[^\n]*))?$"


def blank(text):
    return "\n" * text.count("\n")


def options_of(text):
    """Name, place and comment of each option."""
    for match in re.finditer(r"\bv\((\w+),\s*\{(.*?)\}\);", text, re.DOTALL):
        value = {key: found[1] for key in ("min", "max") if (found := re.search(rf"\.{key} = ([-\w.]+)", match[2]))}
        strings = {key: "".join(re.findall(r'"(.*?)(?<!\\)"', found[1])) for key in ("unit", "help")
                   if (found := re.search(rf'\.{key} =\s*((?:"[^"]*"\s*)+)', match[2]))}
        if "help" not in strings:
            continue
        comment = strings["help"][0].upper() + strings["help"][1:] + "."
        if "unit" in strings:
            comment += f" In {strings['unit']}."
        if len(value) == 2:
            comment += f" From {value['min']} to {value['max']}."
        elif value:
            comment += f" At {'least' if 'min' in value else 'most'} {next(iter(value.values()))}."
        yield match[1], match.start(), comment


def apart(match):
    comment = (match["beside"] or re.sub(r"\s*///\s*", " ", match["above"])).strip()
    return blank(match["above"]) + " ".join(f"/** {comment} */ {match['type']} {name};" for name in match["names"].split(", "))


def filtered(text):
    lines = text.split("\n")
    for name, place, comment in options_of(text):
        number = text.count("\n", 0, place)
        while number >= 0 and not re.match(rf"  [\w:<>, ]+ {name}\b[^()]*;", lines[number]):
            number -= 1
        if number >= 0 and "///" not in lines[number] and not lines[number - 1].strip().startswith("///"):
            lines[number] += "  ///< " + comment
    text = re.sub(MEMBERS, apart, "\n".join(lines), flags=re.MULTILINE)
    for pattern in HIDDEN:
        text = re.sub(pattern, lambda match: blank(match[0]), text, flags=re.MULTILINE | re.DOTALL)

    def emptied(match):
        is_documented = re.search(r"^ *///[^\n]*\n\Z", text[: match.start()], re.MULTILINE)
        return match[0].replace(match[1], blank(match[1])) if is_documented else blank(match[0])

    return re.sub(SPECIALISATION, emptied, text, flags=re.MULTILINE | re.DOTALL)


if __name__ == "__main__":
    print(filtered(open(sys.argv[1], encoding="utf8").read()), end="")
