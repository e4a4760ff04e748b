# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""The pages that `make demo`, `make gallery` and docs/gallery.md show."""

import html.parser
import json
import os
import pathlib
import re
import stat
import subprocess
import sys

from conftest import PROGRAM, needs_gif, needs_png, needs_tiff

ROOT = pathlib.Path(__file__).resolve().parents[2]
VOID = {"meta", "img", "br", "hr", "link", "input"}


class Page(html.parser.HTMLParser):
    """What is in a page, and whether every element that was opened is closed in turn."""

    def __init__(self, text):
        super().__init__()
        self.open, self.images, self.commands, self.words, self.links = [], [], [], [], []
        self.figures = {"figure": 0, "figcaption": 0}
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag not in VOID:
            self.open.append(tag)
        if tag == "img":
            assert attributes["alt"]
            self.images.append(attributes["src"])
        if tag in self.figures:
            self.figures[tag] += 1
        if tag == "code":
            self.commands.append("")
        self.links += [value for key, value in attributes.items() if key in ("src", "href")]
        assert tag not in ("script", "link", "iframe", "object")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "code" in self.open:
            self.commands[-1] += data
        elif self.open and self.open[-1] != "style":
            self.words.append(data)


def tool(name, *arguments, **options):
    return subprocess.run([sys.executable, "-B", ROOT / "tools" / name, *map(str, arguments)], capture_output=True,
                          text=True, timeout=300, **options)  # fmt: skip


def recorder(tmp_path):
    """A program that notes its arguments and then is the real one."""
    path = tmp_path / "recorder"
    path.write_text(f'#!/bin/sh\necho "meander $*" >>"{tmp_path}/ran.txt"\nexec "{PROGRAM}" "$@"\n')
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def looked_at(tmp_path, folder):
    """The page of a folder, after all that must be true of every such page."""
    text = (folder / "index.html").read_text(encoding="utf-8")
    page = Page(text)
    assert page.images and all((folder / name).stat().st_size > 0 for name in page.images)
    assert all(not os.path.isabs(link) and ":" not in link for link in page.links)
    assert str(tmp_path) not in text and "url(" not in text and "@import" not in text
    assert page.figures["figure"] == page.figures["figcaption"] == len(page.images)
    ran = (tmp_path / "ran.txt").read_text().splitlines()
    assert page.commands and set(page.commands) <= set(ran)
    return page


@needs_png
@needs_tiff
@needs_gif
def test_the_demo_shows_what_it_ran(tmp_path):
    folder = tmp_path / "out" / "demo"
    done = tool("demo.py", recorder(tmp_path), folder, "--size", 192, "--pictures-only")
    assert done.returncode == 0, done.stderr
    page = looked_at(tmp_path, folder)
    assert sum("--model edge" in command for command in page.commands) == 1
    assert {"stages/figure.png", "stages/4_outline.png", "ushape_evolution.gif", "star_outline.png"} <= set(page.images)
    reports = {entry["command"]: entry["report"] for entry in json.loads((folder / "reports.json").read_text())}
    assert set(page.commands) == set(reports)
    text = "\n".join(page.words)
    scores = [report["result"]["iou"] for report in reports.values() if "iou" in report.get("result", {})]
    # The third is speckle, which takes more pixels than there are here.
    assert len(scores) == 5 and min(scores[:2] + scores[3:]) > 0.9
    found = [report["result"] for report in reports.values() if "objects_found" in report.get("result", {})]
    assert [one["objects_found"] for one in found if one["objects_found"] > 1] == [24, 9]
    assert "24 objects found, 0 missed, 0 false" in text and "objects followed" in text
    assert all(f"IoU {score:.4f}" in text for score in scores)
    version = reports[page.commands[0]]["version"]
    assert re.search(rf"Meander {version} on cpu \(.+\), \d+ threads?\.", text)


def test_a_demo_whose_program_fails_ends_with_its_name_and_without_a_page(tmp_path):
    done = tool("demo.py", "/bin/false", tmp_path / "out")
    assert done.returncode == 1
    assert done.stderr.startswith("`meander phantom star star.png") and "ended with exit code 1" in done.stderr
    assert not (tmp_path / "out" / "index.html").exists()


@needs_png
def test_the_gallery_shows_what_it_ran(tmp_path):
    done = tool("gallery.py", recorder(tmp_path), tmp_path / "out", "--only", "flow")
    assert done.returncode == 0, done.stderr
    page = looked_at(tmp_path, tmp_path / "out")
    assert page.images == ["flow.png"]


def test_the_gallery_page_is_up_to_date_and_its_pictures_exist():
    text = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    made = tool("gallery.py", "--markdown", env=os.environ | {"PYTHONIOENCODING": "utf-8"})
    assert made.returncode == 0, made.stderr
    assert text == made.stdout, "renew it: tools/gallery.py --markdown >docs/gallery.md"
    pictures = re.findall(r"!\[[^]]+\]\(([^)]+)\)", text)
    assert len(pictures) > 5
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in pictures:
        size = (ROOT / "docs" / name).stat().st_size
        assert 0 < size < 150_000 or name in readme, name


def test_pictures_without_a_clear_licence_are_not_kept(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "tools")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    import gallery_table as table

    unclear = [entry for entry in table.ENTRIES if not table.SOURCES[entry.source].may_be_kept]
    assert [entry for entry in unclear if entry.source == "coins"]
    for entry in unclear:
        for picture in entry.pictures:
            assert not (ROOT / "docs" / "pictures" / picture.file.replace("/", "_")).exists()
    for name, source in table.SOURCES.items():
        assert source.may_be_kept == (name == "phantom" or source.licence.startswith(("CC0", "BSD-3-Clause"))), name
