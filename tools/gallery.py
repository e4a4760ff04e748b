#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""Pictures of phantoms and of real images, and docs/gallery.md, from one table (tools/gallery_table.py).

The real images are those inside the wheel of scikit-image; nothing is downloaded here.

    tools/gallery.py PROGRAM FOLDER [--only NAME,...] [--keep]    runs it all; leaves pictures and index.html in FOLDER
    tools/gallery.py --markdown                                   prints docs/gallery.md

With --keep docs/gallery.md is written, and the pictures that may be kept go to docs/pictures.
"""

import argparse
import importlib.util
import pathlib
import shutil
import sys

from gallery_table import ENTRIES, LARGE, SOURCES
from showcase import Section, Session, Step, write_page

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"

INTRODUCTION = """\
# Gallery

`make gallery` makes all of these and leaves them, with their times, in `out/gallery/index.html`. Real images are those that
scikit-image has inside its wheel (`bench/peers/requirements.txt` says which version), and one of the tests; nothing is
fetched beyond that. Pictures
of images without a clear licence, and large ones, are made there and are not part of this repository.

This page is made from `tools/gallery_table.py` by `tools/gallery.py --markdown`.
"""


def kept_name(picture):
    """The name of a picture in docs/pictures."""
    return picture.file.replace("/", "_")


def kept_pictures(entry):
    """Those that are part of this repository."""
    return [picture for picture in entry.pictures if SOURCES[entry.source].may_be_kept and picture.file not in LARGE]


def credit(entry):
    source = SOURCES[entry.source]
    return f"{source.what} Licence: {source.licence}."


def row(cells):
    return f"| {' | '.join(cells)} |"


def markdown_of(entry):
    lines, kept = [f"## {entry.title}", ""], kept_pictures(entry)
    if kept:
        lines += [row(picture.caption for picture in kept), row("---" for _ in kept),
                  row(f"![{picture.caption}](pictures/{kept_name(picture)})" for picture in kept), ""]  # fmt: skip
    for picture in entry.pictures:
        if picture not in kept:
            lines += [f"*`make gallery` makes this picture: `out/gallery/{picture.file}`, {picture.caption}.*", ""]
    commands = [f"meander {command}" for command in entry.commands]
    return "\n".join([*lines, "```sh", *commands, "```", "", entry.see, "", credit(entry), ""])


def markdown():
    return "\n".join([INTRODUCTION, *map(markdown_of, ENTRIES)])


def copy_image(name, folder):
    """Takes one image out of this repository or the wheel of scikit-image."""
    own = DOCS.parent / SOURCES[name].file
    if own.is_file():
        shutil.copy(own, folder)
        return
    package = importlib.util.find_spec("skimage")
    if package is None:
        sys.exit("scikit-image is not installed; `make gallery` installs it")
    file = pathlib.Path(package.origin).parent / "data" / SOURCES[name].file
    if not file.is_file():
        sys.exit(f"{file.name} is not inside this wheel of scikit-image")
    if file.suffix == ".png":
        shutil.copy(file, folder)
    else:
        from PIL import Image  # comes with scikit-image

        Image.open(file).getchannel("G").save(folder / f"{name}.png")


def keep(entries, folder):
    (DOCS / "gallery.md").write_text(markdown(), encoding="utf-8")
    for entry in entries:
        for picture in kept_pictures(entry):
            shutil.copy(folder / picture.file, DOCS / "pictures" / kept_name(picture))


def make(program, folder, entries):
    folder.mkdir(parents=True, exist_ok=True)
    for name in sorted({entry.source for entry in entries}):
        if SOURCES[name].file:
            copy_image(name, folder)
    sections = [Section(entry.title, [Step(entry.commands, entry.pictures, f"{entry.see} {credit(entry)}")])
                for entry in entries]
    session = Session(program, folder)
    session.make(sections)
    write_page(session, "Meander: gallery", ["Phantoms, and real images from the wheel of scikit-image."], sections)
    print(f"\nthe gallery: {folder}/index.html")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", nargs="?", help="build/bin/meander")
    parser.add_argument("folder", nargs="?", type=pathlib.Path, help="where the pictures and the page go")
    names = [entry.name for entry in ENTRIES]
    parser.add_argument("--only", default=",".join(names), help="names of entries")
    parser.add_argument("--keep", action="store_true", help="renew docs/gallery.md and its pictures")
    parser.add_argument("--markdown", action="store_true", help="print docs/gallery.md and run nothing")
    options = parser.parse_args()
    if options.markdown:
        sys.stdout.write(markdown())
        return
    if options.folder is None:
        parser.error("expected a program and a folder")
    wanted = options.only.split(",")
    if unknown := [name for name in wanted if name not in names]:
        parser.error(f"found {', '.join(unknown)}, expected some of {', '.join(names)}")
    entries = [entry for entry in ENTRIES if entry.name in wanted]
    make(options.program, options.folder, entries)
    if options.keep:
        keep(entries, options.folder)


if __name__ == "__main__":
    main()
