# SPDX-License-Identifier: BSD-3-Clause
"""How the page of `mpilens why --html` looks and answers to the keyboard, whatever job it shows."""
import json
import os
import shutil

DIRECTORY = os.path.dirname(os.path.abspath(__file__))
# Name, window, scheme, medium.
LOOKS = (
    ("desktop", (1280, 900), "light", ""),
    ("dark", (1280, 900), "dark", ""),
    ("phone", (390, 844), "dark", ""),
    ("paper", (760, 1080), "dark", "print"),
)
FEWEST_COLORS, PHOTOGRAPHED = 8, 150
LETTER_SPACE = 4  # in units of the drawing: that after the last letter counts, or not
# Fonts that a machine may have instead of this one's.
FONTS = (
    "letter-spacing: 0.35em",
    "letter-spacing: -0.15em",
    "font-weight: 900",
    "font-family: monospace",
    "font-family: serif",
    "font-family: sans-serif",
)


def find_browser():
    """Its path; None, and a message: it is not there, or nothing that draws the graph."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None or shutil.which("dot") is None:
        print("SKIPPED: no chromium, or no Graphviz")
        return None
    return path


def wrong_looks(browser):
    with open(os.path.join(DIRECTORY, "page_looks.js"), encoding="ascii") as file:
        return browser.evaluate(file.read())


def check_verdict_is_drawn(browser, picture, what):
    """Pixels of the verdict: its colours stand on the paper's."""
    left, top, width, height = browser.box_of("#verdict")
    height = min(height, PHOTOGRAPHED)
    colors, edge = browser.colors_of(picture, (left, top, width, height), (left + 1, top + height // 4, 1, height // 4))
    paper = browser.evaluate("getComputedStyle(document.body).backgroundColor")
    assert len(colors) >= FEWEST_COLORS, f"{what}: the verdict has only the colours {colors}"
    assert all(f"rgb{color}" != paper for color in edge), f"{what}: the verdict has no border"


def label_widths(browser):
    """In units of the drawing, which grows with the text of the page."""
    return browser.evaluate('[...document.querySelectorAll(".graph text")].map(text => text.getBBox().width)')


def check_fonts(browser, what):
    """Very wide, very narrow and other letters: all fits, and labels of the graph are as wide as they were."""
    widths = label_widths(browser)
    for font in FONTS:
        rule = json.dumps(f"* {{ {font} !important; }}")
        browser.evaluate(f"void document.styleSheets[0].insertRule({rule}, document.styleSheets[0].cssRules.length)")
        wrong, others = wrong_looks(browser), label_widths(browser)
        assert not wrong, f"{what}, {font}: {wrong}"
        assert all(
            abs(width - other) <= LETTER_SPACE for width, other in zip(widths, others)
        ), f"{what}, {font}: labels have the widths {others}, not {widths}"
        browser.evaluate("document.styleSheets[0].deleteRule(document.styleSheets[0].cssRules.length - 1)")


def check_looks(browser, address, picture, of_all=True):
    """In large and small windows, light and dark, and on paper. `picture`: where the pictures go, without the end. `of_all`: also in
    dark colours, on paper and with other fonts, which is the same for all pages."""
    for name, size, scheme, media in LOOKS if of_all else LOOKS[::2]:
        browser.look(*size, scheme, media)
        browser.visit(address)
        wrong = wrong_looks(browser)
        photograph = browser.photograph(f"{picture}-{name}.png")
        assert not wrong, f"{address}, {name}: {wrong}"
        check_verdict_is_drawn(browser, photograph, f"{address}, {name}")
        if of_all and name != "dark":  # which is as wide as light
            check_fonts(browser, f"{address}, {name}")
        paper = browser.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (paper == "rgb(255, 255, 255)") == (name != "dark" and name != "phone"), f"{name}: paper is {paper}"
        is_form_shown = browser.evaluate('document.getElementById("filters").checkVisibility()')
        assert is_form_shown == (media == ""), f'{name}: filters are {"" if is_form_shown else "not "}shown'
    browser.look()


def check_unfolds_for_print(browser, address):
    browser.visit(address)
    count_open = 'document.querySelectorAll(".finding details[open]").length'
    counts = [browser.evaluate(count_open)]
    for event in "beforeprint", "afterprint":
        browser.evaluate(f'void window.dispatchEvent(new Event("{event}"))')
        counts.append(browser.evaluate(count_open))
    assert counts == [0, 1, 0], f"{address}: evidence is open before, while and after printing: {counts}"


def check_node_by_key(browser, address):
    """A node that is chosen by the keyboard shows its ranks."""
    browser.visit(address)
    browser.evaluate('document.getElementById("node0").focus()')
    browser.press_enter()
    chosen = browser.evaluate("document.forms.filters.elements.rank.value")
    assert chosen == browser.evaluate('JSON.parse(document.getElementById("data").textContent).nodes[0]'), chosen
    assert browser.evaluate("document.activeElement.name") == "rank"
    assert browser.evaluate("decodeURIComponent(location.hash)") == f"#rank={chosen}"


def check_strip(browser, address, outsider, concerned):
    """Two ranks of the strip that are chosen, one by keys, one by a click: all below is of that rank only. No finding
    concerns the first one."""
    browser.visit(address)
    tell = "(key => document.getElementById('strip').dispatchEvent(new KeyboardEvent('keydown', {key})))"
    browser.evaluate("document.getElementById('strip').focus()")
    for _ in range(outsider):
        browser.evaluate(f"{tell}('ArrowRight')")
    browser.press_enter()

    def shown():
        return browser.evaluate(
            "[document.getElementById('chosen').firstElementChild.textContent, document.forms.filters.elements.rank.value, "
            "document.querySelectorAll('.finding:not(.other)').length, document.getElementById('elsewhere').checkVisibility()]"
        )

    told, rank, findings, elsewhere = shown()
    value = browser.evaluate("document.getElementById('strip').getAttribute('aria-valuetext')")
    assert told == f"Below: {value}" and value.startswith(f"rank {outsider}: "), (told, value)
    assert (rank, findings, elsewhere) == (str(outsider), 0, True), shown()
    browser.evaluate(
        f"""{{
        const strip = document.getElementById('strip'), box = strip.getBoundingClientRect(), {{width, height}} = strip.viewBox.baseVal;
        const [clientX, clientY] = [box.left + box.width * ({concerned} % width + 0.5) / width,
          box.top + box.height * (Math.floor({concerned} / width) + 0.5) / height];
        strip.dispatchEvent(new MouseEvent('click', {{clientX, clientY}}));
        }}"""
    )
    told, rank, findings, elsewhere = shown()
    assert told.startswith(f"Below: rank {concerned}: CAUSE, ") and rank == str(concerned), shown()
    assert findings > 0 and not elsewhere, shown()
    browser.evaluate(f"{tell}('Escape')")
    assert shown()[1] == "" and not browser.evaluate("document.getElementById('chosen').checkVisibility()"), shown()


def check_copies(browser, address, finding):
    """The buttons of the verdict copy commands, and all of it for a ticket, with its texts as code."""
    browser.visit(address)
    browser.evaluate(
        "Object.defineProperty(navigator, 'clipboard', {value: {writeText: async text => { window.copied = text; }}})"
    )
    browser.evaluate("document.getElementById('markdown').click()")
    copied = browser.evaluate("window.copied")
    assert copied.startswith(f"## mpilens: {finding['kind']}\n"), copied
    for text in finding["message"], *(evidence["text"] for evidence in finding["evidence"]):
        assert any(text in line and "`" in line for line in copied.splitlines()), f"{text} is not in {copied}"
    for button in range(browser.evaluate("document.querySelectorAll('button.copy').length")):
        copied, shown = browser.evaluate(
            f"(button => {{ button.click(); return [window.copied, button.previousElementSibling.textContent]; }})"
            f"(document.querySelectorAll('button.copy')[{button}])"
        )
        assert copied == shown and "mpilens" in copied, (copied, shown)


def check_zoom(browser, address):
    """The graph is as wide as its frame at most, then as its reader wants it."""
    browser.visit(address)
    width = "document.querySelector('div.graph svg').getBoundingClientRect().width"
    fitted = browser.evaluate(width)
    assert fitted <= browser.evaluate("document.querySelector('div.graph').clientWidth"), fitted
    browser.evaluate("document.querySelector('.zoom button').click()")
    assert browser.evaluate(width) > 1.2 * fitted
    browser.evaluate("document.querySelector('.zoom button[value=\"\"]').click()")
    assert abs(browser.evaluate(width) - fitted) < 1
    rectangles = "document.querySelector('.graph .node.consequence').getClientRects().length"
    assert browser.evaluate(rectangles) > 0
    browser.evaluate("document.getElementById('fold').click()")
    assert browser.evaluate(rectangles) == 0


def type_filters(browser, **texts):
    """The page after a user has reset all filters, and typed or chosen these."""
    browser.evaluate(
        'new Promise(done => { document.querySelector("#filters [type=reset]").click(); setTimeout(done); })'
    )
    for name, text in texts.items():
        control = f"document.forms.filters.elements.{name}"
        if browser.evaluate(f"{control}.tagName") == "SELECT":
            browser.evaluate(
                f"{control}.value = {json.dumps(text)}; "
                f'{control}.dispatchEvent(new Event("input", {{bubbles: true}}))'
            )
        else:
            browser.evaluate(f"{control}.focus()")
            browser.type(text)
        assert browser.evaluate(f"{control}.value") == text, f"{name}: not {text}"
    return browser.document()
