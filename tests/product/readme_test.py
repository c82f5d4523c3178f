#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""README is two screens high as GitHub shows it, and nothing in it is wider than its place. Arguments: the directory with the sources, and
perhaps one for pictures of the screens."""
import base64
import os
import re
import sys
import tempfile

try:
    import markdown
except ImportError:
    markdown = None
from lib.browser import Browser
from lib.page_looks import find_browser

SKIP = 77
WIDTH, HEIGHT, SCREENS = 1280, 1000, 2
# The fonts that GitHub asks for are as wide as Liberation Sans; DejaVu Sans, which a machine may have instead, is wider.
STYLE = """
@font-face { font-family: Wanted; src: local("Liberation Sans"), local("Arial") }
@font-face { font-family: Narrowed; src: local("DejaVu Sans"); size-adjust: 89% }
body { margin: 0; background: white; color: #1f2328; font: 16px/1.5 Wanted, Narrowed, sans-serif }
main { display: block; width: 830px; margin: 0 auto; padding: 32px 0 }
h1, h2 { margin: 24px 0 16px; padding-bottom: 0.3em; border-bottom: 1px solid #d1d9e0; line-height: 1.25 }
h1 { margin-top: 0; font-size: 2em }
h2 { font-size: 1.5em }
p, ul, table, pre { margin: 0 0 16px }
img { max-width: 100% }
a { color: #0969da }
code { padding: 0.2em 0.4em; border-radius: 6px; background: #f0f1f2; font: 85% "DejaVu Sans Mono", monospace }
pre { padding: 16px; border-radius: 6px; background: #f6f8fa; overflow: auto; font-size: 85%; line-height: 1.45 }
pre code { padding: 0; background: none; font-size: 100% }
table { display: block; width: max-content; max-width: 100%; overflow: auto; border-collapse: collapse }
th, td { padding: 6px 13px; border: 1px solid #d1d9e0 }
tr:nth-child(2n) { background: #f6f8fa }
"""
WIDER = """[...document.querySelectorAll("pre, table")].filter(one => one.scrollWidth > one.clientWidth)
    .map(one => one.innerText.split("\\n")[0])"""
BOTTOM = 'document.querySelector("main").lastElementChild.getBoundingClientRect().bottom'


def rendered(source):
    def embedded(found):
        with open(os.path.join(source, found[1]), "rb") as file:
            return f'src="data:image/png;base64,{base64.b64encode(file.read()).decode("ascii")}"'

    with open(os.path.join(source, "README.md"), encoding="utf-8") as file:
        text = markdown.markdown(file.read(), extensions=["tables", "fenced_code"])
    text = re.sub(r'src="([^"]+\.png)"', embedded, text)
    return f'<!DOCTYPE html><meta charset="utf-8"><title>README</title><style>{STYLE}</style><main>{text}</main>'


def photograph(browser, directory):
    for number in range(SCREENS):
        browser.evaluate(f'document.body.style.marginTop = "{-number * HEIGHT}px"')
        browser.photograph(os.path.join(directory, f"screen{number + 1}.png"))


def main(source, pictures=None):
    chromium = find_browser()
    if chromium is None or markdown is None:
        print("SKIPPED: no python3-markdown" if markdown is None else "")
        return SKIP
    with tempfile.TemporaryDirectory(prefix="mpilens-readme-") as directory, Browser(chromium) as browser:
        page = os.path.join(directory, "README.html")
        with open(page, "w", encoding="utf-8") as file:
            file.write(rendered(source))
        browser.look(width=WIDTH, height=HEIGHT)
        browser.visit(f"file://{page}")
        bottom, wider = browser.evaluate(BOTTOM), browser.evaluate(WIDER)
        if pictures is not None:
            photograph(browser, pictures)
    print(
        f"README ends at {bottom:.0f} of {SCREENS * HEIGHT} pixels",
        *(f"wider than its place: {one}" for one in wider),
        sep="\n",
    )
    return 1 if wider or not HEIGHT < bottom <= SCREENS * HEIGHT else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
