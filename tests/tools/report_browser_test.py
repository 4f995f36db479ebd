#!/usr/bin/env python3
"""The page of a study in a real browser: nothing is logged, charts are drawn, the table sorts and filters, buttons copy,
nothing overflows on a phone, hostile names run no script.

  report_browser_test.py --driver REPORT_DRIVER

Exit code 77: chromium or chromedriver is missing.
"""

import argparse
import http.server
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

from web_driver import CONTROL, Browser, find_browser

SKIP = 77
CHARTS = "[...document.querySelectorAll('figure>svg, .tree>svg')].filter((s) => s.checkVisibility())"
FIRST = "document.querySelector('#trials-table tbody tr')"


class QuietServer(http.server.SimpleHTTPRequestHandler):
    """Serves a folder, as `search watch` does; its `revision` is what the test says."""

    revision = "1"

    def do_GET(self):
        if self.path != "/revision":
            super().do_GET()
            return
        body = type(self).revision.encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class ReportTest(unittest.TestCase):
    driver = ""

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        subprocess.run([cls.driver, cls.scratch.name], check=True, timeout=120)
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.browser.resize(1200, 900)
        self.browser.color_scheme("light")

    def show(self, page, reload=True):
        if reload:
            self.browser.open("about:blank")
            self.browser.console()
        self.browser.open(Path(self.scratch.name, page + ".html").as_uri())

    def value(self, expression):
        return self.browser.run(f"return {expression}")

    def column(self, index):
        return self.value(f"[...document.querySelectorAll('#trials-table tbody tr')].map((r) => r.cells[{index}].textContent)")

    # ---- every page

    def test_nothing_is_logged(self):
        for page in ("normal", "unfinished", "large", "hostile", "empty", "failed"):
            with self.subTest(page):
                self.show(page)
                self.assertEqual(self.browser.console(), [])

    def test_charts_are_drawn(self):
        for page, least in (("normal", 12), ("unfinished", 12), ("large", 12), ("empty", 0), ("failed", 0)):
            for width in (1200, 360):
                with self.subTest(page, width=width):
                    self.browser.resize(width, 900)
                    self.show(page)
                    sizes = self.value(CHARTS + """.map((svg) => {
                        const box = svg.getBoundingClientRect();
                        const drawn = [...svg.querySelectorAll('path, circle, text')].filter((e) => {
                          const b = e.getBBox(); return b.width > 0 || b.height > 0; });
                        return [box.width, box.height, drawn.length, svg.getAttribute('aria-label').length]; })""")
                    self.assertGreaterEqual(len(sizes), least)
                    for size in sizes:
                        self.assertTrue(size[0] > 100 and size[1] > 20 and size[2] >= 5 and size[3] > 0, size)
                    if least == 0:
                        self.assertEqual(sizes, [])

    def test_labels_of_charts_stay_inside_and_apart(self):
        for page in ("normal", "unfinished", "large"):
            for width in (1200, 360):
                with self.subTest(page, width=width):
                    self.browser.resize(width, 900)
                    self.show(page)
                    problems = self.value("(() => { const bad = []; for (const svg of " + CHARTS + """) {
                        const all = svg.viewBox.baseVal, texts = [...svg.querySelectorAll('text:not([transform])')];
                        const boxes = texts.map((t) => [t.textContent, t.getBBox()]);
                        for (const [text, b] of boxes) {
                          if (b.x < -1 || b.x + b.width > all.width + 1 || b.y < all.y - 1 ||
                              b.y + b.height > all.y + all.height + 1) bad.push('outside: ' + text);
                        }
                        boxes.forEach(([text, a], i) => boxes.slice(i + 1).forEach(([other, b]) => {
                          const w = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
                          const h = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
                          if (w > 1 && h > 4) bad.push('overlap: ' + text + ' | ' + other);
                        })); } return bad; })()""")
                    self.assertEqual(problems, [])

    def test_nothing_overflows_on_a_phone(self):
        self.browser.resize(360, 740)
        for page in ("normal", "unfinished", "large", "hostile", "empty", "failed"):
            with self.subTest(page):
                self.show(page)
                self.assertEqual(self.value("document.documentElement.scrollWidth"), 360)

    def test_dark_pages_are_dark(self):
        def brightness(element):
            color = self.value(f"getComputedStyle({element}).backgroundColor")
            return sum(int(c) for c in color[color.index("(") + 1:-1].split(",")[:3]) / 765

        self.show("normal")
        self.assertGreater(brightness("document.body"), 0.9)
        self.assertEqual(self.value("getComputedStyle(document.querySelector('figure>svg')).filter"), "none")
        self.browser.color_scheme("dark")
        self.assertLess(brightness("document.body"), 0.2)
        self.assertIn("invert", self.value("getComputedStyle(document.querySelector('figure>svg')).filter"))

    def test_hostile_names_run_no_script(self):
        self.show("hostile")
        self.browser.run("document.querySelectorAll('*').forEach((e) => e.dispatchEvent(new MouseEvent('mouseover', {bubbles: true})))")
        self.browser.click("#trials-table th button")
        time.sleep(0.3)
        self.assertIsNone(self.value("window.ran ?? null"))
        self.assertEqual(self.value("document.querySelectorAll('img, iframe, object, embed').length"), 0)
        self.assertEqual(self.value("[...document.querySelectorAll('*')].filter((e) => "
                                    "e.getAttributeNames().some((n) => n.startsWith('on'))).length"), 0)
        self.assertTrue(self.value(f"{FIRST}.cells[2].textContent").startswith("</script></title>"))

    def test_without_scripts_functions_and_charts_are_there(self):
        self.browser.devtools("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.show("normal")
        finally:
            self.browser.devtools("Emulation.setScriptExecutionDisabled", value=False)
        self.assertEqual(self.value("document.querySelectorAll('.cards figure>svg').length"), 6)
        self.assertEqual(self.value("getComputedStyle(document.querySelector('.buttons')).display"), "none")
        self.assertEqual(self.value("document.querySelectorAll('#trials-table tbody tr').length"), 0)

    # ---- the table of trials

    def test_sorts_by_clicking(self):
        self.show("normal")
        scores = [float(s) for s in self.column(1)]
        self.assertEqual(len(scores), 100)
        self.assertEqual(scores, sorted(scores, reverse=True))  # the best first
        self.browser.click("#trials-table th:nth-child(1) button")
        self.assertEqual(self.column(0), [str(i) for i in range(100)])  # as numbers: 2 before 10
        self.assertEqual(self.value("document.querySelector('#trials-table th').getAttribute('aria-sort')"), "ascending")
        self.browser.click("#trials-table th:nth-child(1) button")
        self.assertEqual(self.column(0), [str(i) for i in range(239, 139, -1)])
        self.browser.click("#trials-table th:nth-child(3) button")
        self.assertEqual(self.column(2), sorted(self.column(2)))
        for _ in range(2):  # what has no score comes last either way
            self.browser.click("#trials-table th:nth-child(2) button")
            self.assertNotIn("", self.column(1))
        self.assertEqual(self.browser.console(), [])

    def test_shows_more(self):
        self.show("normal")
        self.assertEqual(self.value("document.getElementById('more').textContent"), "show 100 more")
        self.browser.click("#more")
        self.assertEqual(len(self.column(0)), 200)
        self.browser.click("#more")
        self.assertEqual(len(self.column(0)), 240)
        self.assertTrue(self.value("document.getElementById('more').hidden"))
        self.assertEqual(self.column(1)[-1], "")

    def test_filters(self):
        self.show("normal")
        self.browser.type("#filter", "SoftPlus(")
        expressions = self.column(2)
        self.assertTrue(0 < len(expressions) <= 100)
        self.assertTrue(all("softplus(" in e for e in expressions), expressions)
        self.assertRegex(self.value("document.getElementById('count').textContent"), r"^\d+ of 240 trials$")
        self.browser.clear("#filter")
        self.browser.type("#filter", "no such thing")
        self.assertEqual(self.column(0), [])
        self.browser.clear("#filter")
        self.browser.type("#status", "failed")
        self.assertEqual(set(self.column(3)), {"failed"})
        self.assertIn("the loss became NaN in epoch 2", self.column(6))

    # ---- copying

    def pasted(self):
        self.browser.run("""const area = document.createElement('textarea'); area.id = 'pasted';
            document.getElementById('pasted')?.remove(); document.body.prepend(area); area.focus();""")
        self.browser.type("#pasted", CONTROL + "v")
        return self.value("document.getElementById('pasted').value")

    def check_copying(self):
        for selector, beginning in (("[data-copy=export-0-0]", "import torch\n\n\nclass Found(torch.nn.Module):\n    def"),
                                    ("[data-copy=export-1-2]", "import jax\n\t# with a tab: swish(x)\n"),
                                    ("[data-copy=export-2-4]", "\\operatorname{found}(x) = \\max\\{x, 0\\}")):
            self.browser.click(selector)
            self.browser.wait_for(f"document.querySelector('{selector}').textContent === 'copied'")
            expected = self.value(f"document.getElementById('{selector[11:-1]}').textContent")
            self.assertTrue(expected.startswith(beginning), expected)
            self.assertEqual(self.pasted(), expected)
        self.browser.wait_for("document.querySelector('[data-copy=export-2-4]').textContent === 'LaTeX'")
        self.assertEqual(self.browser.console(), [])

    def test_copies(self):
        self.show("normal")
        self.check_copying()

    def test_copies_without_the_clipboard_interface(self):
        self.show("normal")
        self.browser.run("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
        self.check_copying()

    # ---- a study that is still running

    def serve(self):
        folder = self.scratch.name

        class Server(QuietServer):
            def __init__(self, *arguments):
                super().__init__(*arguments, directory=folder)

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return server, Server

    def test_follows_a_running_study(self):
        server, handler = self.serve()
        try:
            self.browser.open(f"http://127.0.0.1:{server.server_port}/live.html")
            self.browser.type("#filter", "swish")
            self.browser.click("#trials-table th:nth-child(1) button")
            self.browser.run("window.old = true; scrollTo(0, 700)")
            time.sleep(2.5)
            self.assertTrue(self.value("window.old"))  # nothing has changed
            page = Path(self.scratch.name, "live.html")
            handler.revision = "2"
            page.write_text(page.read_text().replace('{"revision":"1"}', '{"revision":"2"}'))
            self.browser.wait_for("!window.old && document.readyState === 'complete'")
            self.browser.wait_for("scrollY === 700")
            self.assertEqual(self.value("document.getElementById('filter').value"), "swish")
            self.assertEqual(self.column(0), sorted(self.column(0), key=int))
            self.assertTrue(self.value("document.getElementById('ended').hidden"))
            self.browser.run("window.old = true")
            time.sleep(2.5)
            self.assertTrue(self.value("window.old"))  # it does not load itself again and again
            self.assertEqual(self.browser.console(), [])
        finally:
            server.shutdown()
            server.server_close()
        self.browser.wait_for("!document.getElementById('ended').hidden")
        self.assertIn("server has ended", self.value("document.getElementById('ended').textContent"))
        self.browser.console()

    # ---- speed

    def test_ten_thousand_trials_open_quickly(self):
        self.show("large")
        times = self.value("(() => { const t = performance.getEntriesByType('navigation')[0]; "
                           "return [t.domContentLoadedEventEnd, t.loadEventEnd]; })()")
        size = Path(self.scratch.name, "large.html").stat().st_size
        print(f"10,000 trials: {size / 1e6:.2f} MB, loaded in {times[1]:.0f} ms", flush=True)
        self.assertLess(size, 5e6)
        self.assertLess(times[1], 5000)  # a busy machine is no slow page
        self.assertEqual(len(self.column(0)), 100)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--driver", required=True)
    arguments, rest = parser.parse_known_args()
    if not find_browser():
        print("skipped: chromium and chromedriver are not installed; scripts/setup installs them")
        return SKIP
    ReportTest.driver = arguments.driver
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    sys.exit(main())
