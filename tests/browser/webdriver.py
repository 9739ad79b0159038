# SPDX-License-Identifier: Apache-2.0
"""Control a headless Chromium through the few WebDriver commands that the tests need."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import time
import urllib.error
import urllib.request

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
DRIVER = shutil.which("chromedriver")
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
_PATIENCE = 30


class Page:
    """A window of a browser."""

    def __init__(self, address: str) -> None:
        self._address = address

    def ask(self, method: str, path: str, **body):
        """Send a command, and return the value of the response."""
        data = json.dumps(body).encode() if method == "POST" else None
        request = urllib.request.Request(self._address + path, data, method=method)
        request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=_PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()) from error

    def open(self, url: str) -> None:
        """Show a page."""
        self.ask("POST", "/url", url=url)

    def title(self) -> str:
        """Return the title of the page."""
        return self.ask("GET", "/title")

    def find(self, selector: str) -> list[str]:
        """Return handles of the elements that a CSS selector finds."""
        found = self.ask("POST", "/elements", using="css selector", value=selector)
        return [element[_ELEMENT] for element in found]

    def text(self, selector: str) -> str:
        """Return the visible text of the first element that a CSS selector finds."""
        return self.ask("GET", f"/element/{self.find(selector)[0]}/text")

    def type(self, selector: str, text: str) -> None:
        """Replace the text of an input element."""
        element = self.find(selector)[0]
        self.ask("POST", f"/element/{element}/clear")
        self.ask("POST", f"/element/{element}/value", text=text)

    def run(self, script: str):
        """Run JavaScript in the page, and return the result."""
        return self.ask("POST", "/execute/sync", script=script, args=[])

    def complaints(self) -> list[str]:
        """Return the errors in the console of the browser."""
        entries = self.ask("POST", "/se/log", type="browser")
        return [entry["message"] for entry in entries if entry["level"] == "SEVERE"]


@contextlib.contextmanager
def browser(profile):
    """Yield a browser with an empty profile; end the browser after the block."""
    # The driver gets its own process group, so that a browser that no longer answers is ended too.
    driver = subprocess.Popen(
        [DRIVER, "--port=0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        # The tests may be started with the runtime of a sanitizer, which a browser must not load.
        env={name: value for name, value in os.environ.items() if name != "LD_PRELOAD"},
        start_new_session=True,
    )
    try:
        server = _address_of(driver)
        options = {"args": [*ARGUMENTS, f"--user-data-dir={profile}"], "binary": BROWSER}
        wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        made = Page(server).ask("POST", "/session", capabilities={"alwaysMatch": wanted})
        page = Page(f"{server}/session/{made['sessionId']}")
        yield page
        page.ask("DELETE", "")
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(driver.pid, signal.SIGKILL)
        driver.wait(_PATIENCE)
        driver.stdout.close()


def _address_of(driver) -> str:
    deadline = time.monotonic() + _PATIENCE
    for line in driver.stdout:
        match = re.search(r"started successfully on port (\d+)", line)
        if match:
            return f"http://127.0.0.1:{match[1]}"
        if time.monotonic() > deadline:
            break
    raise RuntimeError("chromedriver does not start")
