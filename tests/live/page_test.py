# SPDX-License-Identifier: BSD-3-Clause
"""The page of `mpilens why --html`, in a headless browser: the verdict in words, the nodes of the graph, and the table
with its filters, of jobs of 4 and of 4,000 ranks whose communicator has a name that is made to do harm.

Exit status 77: there is no browser, or no Graphviz.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import urllib.parse

from lib.browser import Browser
from lib.command import Command
from lib.job import SKIP
from lib.length import IS_FULL
from lib.page_looks import (
    check_copies,
    check_looks,
    check_node_by_key,
    check_strip,
    check_unfolds_for_print,
    check_zoom,
    find_browser,
)

HOSTILE = '</script><b>"&amp;'
CAUSE = (0xB3, 0x26, 0x1E)  # the border of what is to blame, on light paper
CAUSE_BOX = (0xFD, 0xEC, 0xEA)
MOST_BYTES = 1000000  # of a page of 4,000 ranks


class Page:
    """The page of one job, opened with any filters."""

    def __init__(self, test, pattern, ranks):
        self.browser = test.browser
        self.picture = os.path.join(test.pictures, f"{pattern}-{ranks}")
        snapshot = os.path.join(test.directory, f"{pattern}-{ranks}.mpilens")
        self.path = os.path.join(test.directory, f"{pattern}-{ranks}.html")
        subprocess.run([test.page_job, pattern, str(ranks), HOSTILE, snapshot], check=True)
        result = test.command.run("why", "--html", self.path, snapshot)
        assert result.status == 1 and result.output == "", result
        self.verdict = test.command.run("why", "--json", snapshot).document()
        self.snapshot = snapshot

    @property
    def address(self):
        return f"file://{self.path}"

    def open(self, **filters):
        return self.browser.open(f"{self.address}#{urllib.parse.urlencode(filters)}")


def contains(ranks, rank):
    """Whether "0,4-7,10-30:2" has the rank."""
    for part in ranks.split(","):
        first, last, stride = re.fullmatch(r"(\d+)(?:-(\d+)(?::(\d+))?)?", part).groups()
        if rank in range(int(first), int(last or first) + 1, int(stride or 1)):
            return True
    return False


def rows_of(document):
    """Cells of the rows of the table: ranks, what, function, details, peer, tag, communicator, status, age, place."""
    body = document.by_id("rows").find_all("tbody")[0]
    return [[cell.text() for cell in row.find_all("td")] for row in body.find_all("tr")]


def nodes_of(document):
    return [element for element in document.walk() if re.fullmatch(r"node\d+", element.attributes.get("id", ""))]


def check_verdict(page, document):
    finding = page.verdict["findings"][0]
    told = document.by_id("verdict").text()
    assert finding["kind"] in told and finding["message"] in told, f'{finding["message"]} is not in {told}'
    for evidence in finding["evidence"]:
        assert evidence["text"] in told, f'{evidence["text"]} is not in {told}'


def check_harmless(document):
    assert len(document.find_all("script")) == 2, "a name has begun a script"
    assert not document.find_all("b"), "a name has become an element"
    for element in document.walk():
        for name in ("src", "href", "xlink:href"):
            address = element.attributes.get(name, "#")
            assert address.startswith("#"), f"the page refers to {address}"
        assert not any(name.startswith("on") for name in element.attributes), element.attributes


def check_graph(document, count, texts):
    nodes = nodes_of(document)
    assert len(nodes) == count, f"{len(nodes)} nodes"
    told = "\n".join(node.text() for node in nodes)
    for text in texts:
        assert text in told, f"{text} is not in {told}"
    assert all(node.attributes.get("tabindex") == "0" for node in nodes), "nodes cannot be reached by the keyboard"


def check_barrier(page, ranks):
    document = page.open()
    check_verdict(page, document)
    check_harmless(document)
    last, others = ranks - 1, f"[1-{ranks - 2}]" if ranks > 4 else "[1,2]"
    check_graph(document, 3, ["rank 0: CAUSE", f"rank {last}: CAUSE", f"ranks {others}: stuck because of it"])
    everything = rows_of(document)
    assert any(row[6] == HOSTILE for row in everything), everything[:3]

    rank = 3
    some = rows_of(page.open(rank=rank))
    assert some and all(contains(row[0], rank) for row in some), some
    assert len(some) < len(everything), "the filter of ranks filters nothing"
    if ranks > 4:
        return
    unexpected = rows_of(page.open(what="unexpected", rank=1))
    assert [(row[0], row[4], row[5], row[2]) for row in unexpected] == [("1", "0", "100", "MPI_Send")], unexpected
    assert all(row[5] == "7" and row[0] == str(last) for row in rows_of(page.open(tag=7)))
    barrier = rows_of(page.open(function="MPI_Barrier", communicator=HOSTILE))
    assert [(row[0], row[1]) for row in barrier] == [(f"0-{last - 1}", "call")], barrier
    by_text = rows_of(page.open(text="ring.c:41"))
    assert by_text and all("ring.c:41" in row[9] for row in by_text), by_text
    assert rows_of(page.open(rank=ranks)) == [], "rows of a rank that is not there"


def check_long(page):
    """A ring of thousands: not all rows are made at once, and all can be found."""
    document = page.open()
    check_verdict(page, document)
    check_graph(
        document,
        1,
        ["ranks [0-3999]: CAUSE", "<- rank+1 mod 4000", "each waits for the next", "21\n", "...\n", "3999\n"],
    )
    assert len(rows_of(document)) < 1500, "all rows are made at once"
    assert not document.by_id("more").attributes.get("hidden") and "8,000 rows" in document.by_id("count").text()
    found = rows_of(page.open(rank="3998-3999"))
    assert [row[0] for row in found] == ["3998", "3998", "3999", "3999"], found


def check_picture(page, of_all=True):
    check_looks(page.browser, page.address, page.picture, of_all)
    check_node_by_key(page.browser, page.address)
    page.browser.visit(page.address)
    (colors,) = page.browser.colors_of(page.browser.photograph(), page.browser.box_of(".graph"))
    count = {color: colors.get(color, 0) for color in (CAUSE, CAUSE_BOX)}
    assert count[CAUSE] > 500 and count[CAUSE_BOX] > 5000, f"{page.path} does not show what is to blame: {count}"


def check_without_graphviz(test, page):
    path = os.path.join(test.directory, "list.html")
    subprocess.run(
        [test.command.path, "why", "--html", path, page.snapshot], check=False, env=dict(os.environ, PATH="/nowhere")
    )
    document = test.browser.open(f"file://{path}")
    told = document.text()
    assert not nodes_of(document) and "Graphviz is not installed" in told, told
    assert "CAUSE" in told and f"MPI_Barrier on {HOSTILE}" in told, told
    check_harmless(document)
    assert rows_of(document)


class Test:
    def __init__(self, arguments, browser, directory):
        self.browser = browser
        self.directory = directory
        self.pictures = arguments.pictures or directory
        self.page_job = arguments.page_job
        self.command = Command(arguments.mpilens)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpilens", required=True)
    parser.add_argument("--page-job", required=True)
    parser.add_argument("--pictures", help="directory for the screenshots, to be kept")
    arguments = parser.parse_args()
    path = find_browser()
    if path is None:
        return SKIP
    with Browser(path) as browser, tempfile.TemporaryDirectory(prefix="mpilens-page-") as directory:
        test = Test(arguments, browser, directory)
        for ranks in (4, 4000):
            page = Page(test, "barrier", ranks)
            check_barrier(page, ranks)
            check_strip(browser, page.address, 1, ranks - 1)
            assert os.path.getsize(page.path) < MOST_BYTES, f"{page.path} is large"
            if ranks == 4 or IS_FULL:
                check_copies(browser, page.address, page.verdict["findings"][0])
                check_zoom(browser, page.address)
                check_picture(page)
        check_without_graphviz(test, page)
        page = Page(test, "ring", 4000)
        assert os.path.getsize(page.path) < MOST_BYTES, f"{page.path} is large"
        check_long(page)
        check_picture(page, of_all=IS_FULL)
        page = Page(test, "tags", 24)  # whose lines of evidence are not merged
        check_unfolds_for_print(browser, page.address)
    return 0


if __name__ == "__main__":
    sys.exit(main())
