# SPDX-License-Identifier: BSD-3-Clause
"""The page of `mpilens why --html` of real jobs, in a headless browser: the verdict, every rank in the graph, and the queues
that `mpilens show` tells of; how it looks, and what the filters leave when they are typed.

Exit status 77: there is no browser, or no Graphviz.
"""
import os
import re
import sys

from lib.browser import Browser
from lib.command import FINDING, GOOD, argument_parser
from lib.job import SKIP, JobFailed
from lib.length import IS_FULL
from lib.page_looks import check_looks, check_node_by_key, find_browser, type_filters
from page_test import contains, nodes_of, rows_of
from why_test import INTERVAL, WhyTest, one_line, parse_arguments, without_moment

RANKS, WHAT, FUNCTION, DETAILS, PEER, TAG, COMMUNICATOR, STATUS, AGE, PLACE = range(10)
QUEUES = {"sends": "send", "receives": "receive", "unexpected": "unexpected"}
NODE_RANKS = re.compile(r"ranks? \[?([\d,:-]+)\]?: ")


def comparable(text):
    return without_moment(one_line(text))


def queue_rows(document):
    """(rank, what, function, peer, tag) of every operation in a queue, of what `mpilens show --json` has said."""
    found = set()
    for process in document["processes"]:
        for communicator in process["communicators"]:
            for queue, what in QUEUES.items():
                for operation in communicator[queue]:
                    peer, tag = operation["peer"]["local"], operation["tag"]
                    found.add(
                        (
                            process["rank"],
                            what,
                            operation["function"],
                            "any" if peer is None else str(peer),
                            "any" if tag is None else str(tag),
                        )
                    )
    return found


class LivePage:
    """The page of a job, while the job is there."""

    def __init__(self, test, browser, job, picture):
        """`picture`: None: how it looks is not asked."""
        self.test = test
        self.browser = browser
        self.ranks = test.expected.ranks
        self.picture = picture
        path = os.path.join(job.directory, "why.html")
        self.address = f"file://{path}"
        self.result = test.command.run(
            "why", "--interval", INTERVAL, *test.expected.options, "--html", path, job.launcher
        )
        self.shown = test.command.show("--json", job.launcher).document()

    def check_finding(self, document, finding):
        assert self.result.status == FINDING, self.result
        told = comparable(document.by_id("verdict").text())
        for text in finding["kind"], finding["message"], *(evidence["text"] for evidence in finding["evidence"]):
            assert comparable(text) in told, f"{text} is not in {told}"
        causes = [rank for rank in range(self.ranks) if "CAUSE" in self.node_of(document, rank)]
        assert causes == sorted(self.test.expected.culprits), f"{causes} are causes in the graph"

    def check_nothing(self, document):
        assert self.result.status == GOOD, self.result
        assert "Nothing wrong found" in document.by_id("verdict").text()
        assert not any("CAUSE" in node.text() for node in nodes_of(document))

    @staticmethod
    def node_of(document, rank):
        """The text of the one node that has the rank."""
        found = []
        for node in nodes_of(document):
            lines = [text.text() for text in node.find_all("text")]
            if contains(NODE_RANKS.match(lines[0]).group(1), rank):
                found.append("\n".join(lines))
        assert len(found) == 1, f"rank {rank} is in the nodes {found}"
        return found[0]

    def check_rows(self, rows):
        """Checks that the queues of a job that hangs are what they were."""
        queues = {
            (rank, row[WHAT].split(" ")[0], row[FUNCTION], row[PEER], row[TAG])
            for row in rows
            for rank in range(self.ranks)
            if contains(row[RANKS], rank) and row[WHAT].split(" ")[0] in QUEUES.values()
        }
        expected = queue_rows(self.shown)
        assert queues == expected, f"rows {sorted(queues)}, not {sorted(expected)}"
        for process in self.shown["processes"]:
            for call in (thread["call"] for thread in process["threads"] if thread["call"]):
                place = f'{os.path.basename(call["site"]["file"])}:{call["site"]["line"]}'
                assert any(
                    contains(row[RANKS], process["rank"])
                    and row[WHAT] == "call"
                    and row[FUNCTION] == call["function"]
                    and row[PLACE].startswith(place)
                    for row in rows
                ), f"{call} is in no row of {rows}"

    def check_filters(self, rows):
        def left(**texts):
            return rows_of(type_filters(self.browser, **texts))

        assert left() == rows
        for rank in range(self.ranks):
            assert left(rank=str(rank)) == [row for row in rows if contains(row[RANKS], rank)], f"rank {rank}"
        for name, column in ("tag", TAG), ("what", WHAT), ("function", FUNCTION):
            for text in {row[column].split(" ")[0] for row in rows} - {""}:
                expected = [row for row in rows if row[column].split(" ")[0] == text]
                assert left(**{name: text}) == expected, f"{name} {text}: {left(**{name: text})}, not {expected}"
        assert left(rank="-", text="") == rows, "what is no rank filters"
        assert "Ranks are written as" in self.browser.document().by_id("count").text()
        assert left(text="no such text") == []

    def check(self, verdict):
        document = self.browser.open(self.address)
        rows = rows_of(document)
        for rank in range(self.ranks):
            assert any(
                contains(row[RANKS], rank) and row[WHAT] == "call" for row in rows
            ), f"no call of rank {rank}: {rows}"
            self.node_of(document, rank)
        if self.test.expected.kinds:
            self.check_finding(document, verdict["findings"][0])
            self.check_rows(rows)
        else:
            self.check_nothing(document)
        if self.picture is not None:
            check_looks(self.browser, self.address, self.picture, of_all=IS_FULL)  # page_test does the others
            check_node_by_key(self.browser, self.address)
        self.browser.visit(self.address)
        self.check_filters(rows)


def run(arguments, browser, source, program):
    test = WhyTest(
        parse_arguments(
            [
                "--mpilens",
                arguments.mpilens,
                "--mpiexec",
                arguments.mpiexec,
                "--flavour",
                arguments.flavour,
                "--source",
                source,
                program,
            ]
        )
    )
    with test.job() as job:
        wrong, result = test.hung_or_running(job)
        assert not wrong, f"{source}: {wrong}\n{result}"
        job.demote()
        name = os.path.splitext(os.path.basename(source))[0]
        picture = os.path.join(arguments.pictures or job.directory, f"{arguments.flavour}-{name}")
        looks = arguments.looks or IS_FULL
        LivePage(test, browser, job, picture if looks else None).check(result.document())
        print(f"{name}: right after {job.seconds():.1f} s", flush=True)


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--flavour", required=True, help="name of that MPI")
    parser.add_argument("--case", nargs=2, action="append", required=True, metavar=("SOURCE", "PROGRAM"))
    parser.add_argument("--looks", action="store_true", help="also how the pages look")
    parser.add_argument("--pictures", help="directory for the screenshots, to be kept")
    arguments = parser.parse_args()
    path = find_browser()
    if path is None:
        return SKIP
    with Browser(path) as browser:
        for source, program in arguments.case:
            try:
                run(arguments, browser, source, program)
            except JobFailed as failure:
                print(failure)
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
