"""Drives chromium through chromedriver: the few calls of the WebDriver protocol that tests need, in plain HTTP."""

import json
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key under which the protocol names an element
CONTROL = "\ue009"  # the key of that name, held until the keys end
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
         "--disable-background-networking", "--disable-component-update", "--hide-scrollbars"]


def find_browser():
    """The paths of the browser and of its driver, or None."""
    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    return (browser, driver) if browser and driver else None


class Browser:
    def __init__(self):
        browser, driver = find_browser()
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.session = None
        self.process = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            self.address = f"http://127.0.0.1:{self._port()}"
            options = {"binary": browser, "args": [*FLAGS, f"--user-data-dir={self.profile.name}"]}
            wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
            answer = self._call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
            self.session = f"/session/{answer['sessionId']}"
        except BaseException:
            self.close()
            raise

    def _port(self):
        for line in self.process.stdout:
            if "started successfully on port" in line:
                return int(line.rstrip(".\n").rsplit(" ", 1)[1])
        raise RuntimeError("chromedriver does not start")

    def _call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def post(self, path, **body):
        return self._call("POST", self.session + path, body)

    def open(self, address):
        self.post("/url", url=address)

    def run(self, script, *arguments):
        """The value that the body of a function returns."""
        return self.post("/execute/sync", script=script, args=list(arguments))

    def find(self, selector):
        return self.post("/element", using="css selector", value=selector)[ELEMENT]

    def click(self, selector):
        self.post(f"/element/{self.find(selector)}/click")

    def type(self, selector, text):
        self.post(f"/element/{self.find(selector)}/value", text=text)

    def clear(self, selector):
        self.post(f"/element/{self.find(selector)}/clear")

    def devtools(self, command, **parameters):
        return self.post("/goog/cdp/execute", cmd=command, params=parameters)

    def resize(self, width, height):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def color_scheme(self, scheme):
        self.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def console(self):
        """What was logged since the last call."""
        return [f"{entry['level']} {entry['message']}" for entry in self.post("/se/log", type="browser")]

    def wait_for(self, script, seconds=10):
        end = time.monotonic() + seconds
        while not self.run(f"return {script}"):
            if time.monotonic() > end:
                raise AssertionError(f"still not after {seconds} s: {script}")
            time.sleep(0.05)

    def close(self):
        try:
            if self.session:
                self._call("DELETE", self.session)
        finally:
            self.process.terminate()
            self.process.wait()
            self.process.stdout.close()
            self.profile.cleanup()
