# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""Runs the program step by step in a folder and leaves one page there: pictures, captions, the commands that made
them and the figures of their reports. What tools/demo.py and tools/gallery.py share."""

import dataclasses
import html
import json
import os
import pathlib
import shlex
import subprocess
import sys

STYLE = """
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 78rem; padding: 0 1rem }
h1 { font-weight: 600; line-height: 1.2 }
h2 { border-top: 1px solid #8886; font-weight: 600; margin-top: 3rem; padding-top: 1rem }
.steps { display: grid; gap: 2rem 1.5rem; grid-template-columns: repeat(auto-fill, minmax(min(22rem, 100%), 1fr)) }
article { min-width: 0 }
article.wide { grid-column: 1 / -1 }
.pictures { align-items: start; display: flex; flex-wrap: wrap; gap: 1rem }
figure { flex: 1 1 9rem; margin: 0; max-width: 32rem }
figure.wide { flex-basis: 100%; max-width: 100% }
img { background: #fff; display: block; max-width: 100%; width: 100% }
figcaption, .figures { font-size: .875rem }
pre { background: #8882; border-radius: .3rem; font-size: .8125rem; overflow-wrap: anywhere; padding: .5rem .75rem; white-space: pre-wrap }
.figures { margin: -.25rem 0 0; opacity: .8 }
"""


@dataclasses.dataclass(frozen=True)
class Picture:
    file: str
    caption: str
    wide: bool = False


@dataclasses.dataclass(frozen=True)
class Step:
    """Commands, each a line without the program's name and --json, and the pictures that they leave."""

    commands: list[str]
    pictures: list[Picture] = ()
    text: str = ""

    @property
    def wide(self):
        return len(self.pictures) > 2 or any(picture.wide for picture in self.pictures)


@dataclasses.dataclass(frozen=True)
class Section:
    title: str
    steps: list[Step]


# What of a result is told, and how.
FIGURES = {
    "iou": "IoU {:.4f}",
    "objects_found": "{} objects found",
    "objects_missed": "{} missed",
    "objects_false": "{} false",
    "tracks": "{} objects followed",
    "cycles": "{} cycles",
    "steps": "{} steps",
}


class Session:
    """Runs the program in a folder and keeps the report of every command; ends when one fails."""

    def __init__(self, program, folder):
        self.program = os.path.abspath(program)
        self.folder = pathlib.Path(folder)
        self.reports = {}

    def run(self, command, **options):
        print(f"\n$ meander {command}", flush=True)
        try:
            done = subprocess.run([self.program, *shlex.split(command)], cwd=self.folder, text=True, **options)
        except OSError as error:
            sys.exit(f"{self.program}: {error.strerror}")
        if done.returncode != 0:
            sys.exit(f"`meander {command}` ended with exit code {done.returncode}")
        return done

    def report(self, command):
        """Runs a command with --json, says its figures and keeps its report."""
        self.reports[command] = json.loads(self.run(f"{command} --json", stdout=subprocess.PIPE).stdout)
        print(figures_of(self.reports[command]))

    def make(self, sections):
        for section in sections:
            for step in section.steps:
                for command in step.commands:
                    self.report(command)
                for picture in step.pictures:
                    if not (self.folder / picture.file).is_file():
                        sys.exit(f"`meander {step.commands[-1]}` left no {picture.file}")

    def machine(self):
        """Version, device and threads in words, of the last run that had a device."""
        runs = [run for report in self.reports.values() for run in runs_of(report)]
        report = [run for run in runs if run.get("device")][-1]
        device, threads = report["device"], report["threads"]
        return (f"Meander {report['version']} on {device['name']} ({device['description']}), "
                f"{threads} thread{'s' if threads != 1 else ''}")  # fmt: skip


def duration(seconds):
    return f"{1e3 * seconds:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def runs_of(report):
    """A report by itself, or those of the runs of a sweep."""
    return [run["report"] for run in report["runs"]] if "sweep" in report else [report]


def figures_of(report):
    """Time and figures of one report in words."""
    runs = runs_of(report)
    words = [f"{len(runs)} runs"] if "sweep" in report else []
    if "seconds" in runs[0]:
        compute, total = (sum(run["seconds"][key] for run in runs) for key in ("compute", "total"))
        words.append(f"{duration(compute)} computing, {duration(total)} in all")
    result = report.get("result", {})
    for key, text in FIGURES.items():
        if result.get(key) is not None:
            words.append(text.format(result[key]))
    return ", ".join(words)


def figure(picture):
    name, caption = html.escape(picture.file), html.escape(picture.caption)
    kind = ' class="wide"' if picture.wide else ""
    return f'<figure{kind}><img src="{name}" alt="{caption}"><figcaption>{caption}</figcaption></figure>'


def article(step, reports):
    lines = ['<article class="wide">' if step.wide else "<article>"]
    if step.pictures:
        lines.append('<div class="pictures">' + "".join(map(figure, step.pictures)) + "</div>")
    if step.text:
        lines.append(f"<p>{html.escape(step.text)}</p>")
    for command in step.commands:
        lines.append(f"<pre><code>meander {html.escape(command)} --json</code></pre>")
        lines.append(f'<p class="figures">{html.escape(figures_of(reports[command]))}</p>')
    return "\n".join([*lines, "</article>"])


def write_page(session, title, introduction, sections):
    """Leaves index.html, and reports.json with all that the program said."""
    parts = ['<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
             '<meta name="viewport" content="width=device-width, initial-scale=1">',
             f"<title>{html.escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>",
             f"<h1>{html.escape(title)}</h1>"]  # fmt: skip
    parts += [f"<p>{html.escape(line)}</p>" for line in (*introduction, session.machine() + ".")]
    for section in sections:
        parts.append(f'<section>\n<h2>{html.escape(section.title)}</h2>\n<div class="steps">')
        parts += [article(step, session.reports) for step in section.steps]
        parts.append("</div>\n</section>")
    parts.append("</main>\n</body>\n</html>\n")
    reports = [{"command": f"meander {command} --json", "report": report} for command, report in session.reports.items()]
    (session.folder / "reports.json").write_text(json.dumps(reports, indent=1) + "\n")
    (session.folder / "index.html").write_text("\n".join(parts), encoding="utf-8")
